import Foundation
import JSON
import Model
import NoroshiWire
import Ports
import Reasons
import Relational

/// Values that a column holds as JSON text.
enum StoredJSON {
    static func text(_ value: some Encodable) throws -> String { try encoded(value) }

    static func encoded(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    static func value<Value: Decodable>(_ text: String, as type: Value.Type) throws -> Value {
        try decoded(text, as: type)
    }

    private static func decoded<Value: Decodable>(
        _ text: String,
        as type: Value.Type
    ) throws -> Value {
        do {
            return try JSONDecoder().decode(type, from: Data(text.utf8))
        } catch {
            throw StoreError(
                .unreadable,
                .unexpectedType,
                ["type": "\(type)", "reason": "\(error)"]
            )
        }
    }

    private static let campaigns = RecentValues<CampaignContent>(limit: 128)
    /// A send that names its users may have a long text.
    private static let sends = RecentValues<SendContent>(limit: 8)

    static func value(_ text: String, as type: CampaignContent.Type) throws -> CampaignContent {
        try campaigns.value(text) { try decoded($0, as: type) }
    }

    static func value(_ text: String, as type: SendContent.Type) throws -> SendContent {
        try sends.value(text) { try decoded($0, as: type) }
    }

    private static let launches = LaunchTexts { try encoded($0) }

    /// The text of a send's content, which is read again as soon as it is planned.
    static func text(_ content: SendContent) throws -> String {
        let text = try launches.text(content)
        sends.keep(content, of: text)
        return text
    }

    /// Without an encoder: users are listed for each part of a launch.
    static func text(_ ids: [ProfileID]) throws -> String { text(of: ids.lazy.map(\.rawValue)) }

    static func text(_ numbers: [Int64]) throws -> String { text(of: numbers) }

    static func text(of numbers: some Sequence<Int64>) -> String {
        var text = "["
        for number in numbers {
            if text.utf8.count > 1 { text += "," }
            text += String(number)
        }
        return text + "]"
    }

    /// Does not throw, but matches the signature of the overload above.
    static func text(_ object: [String: JSONValue]) throws -> String { JSONWriter.text(object) }

    static func object(_ text: String?) throws -> [String: JSONValue] {
        guard let text, text != "{}" else { return [:] }
        do {
            return try JSONReader.read(text.utf8, flawedStrings: .kept).objectValue ?? [:]
        } catch {
            throw StoreError(.unreadable, .json, ["reason": .reason(error.reason)])
        }
    }
}
