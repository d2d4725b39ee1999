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

    /// - Parameter part: What the value does not write.
    static func encoded(
        _ value: some Encodable,
        leavingOut part: CodingUserInfoKey? = nil
    ) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        if let part { encoder.userInfo[part] = true }
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    static func value<Value: Decodable>(_ text: String, as type: Value.Type) throws -> Value {
        try decoded(text, as: type)
    }

    private static func decoded<Value: Decodable>(
        _ text: String,
        as type: Value.Type,
        _ decoder: JSONDecoder = JSONDecoder()
    ) throws -> Value {
        do {
            return try decoder.decode(type, from: Data(text.utf8))
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

    /// - Parameter launch: What the send shares with other launches of its campaign.
    static func content(_ own: String, launch: String?) throws -> SendContent {
        try sends.value(joined(own, launch)) { _ in
            let decoder = JSONDecoder()
            if let launch, let key = CodingUserInfoKey.launchContent {
                decoder.userInfo[key] = try value(launch, as: CampaignContent.self)
            }
            return try decoded(own, as: SendContent.self, decoder)
        }
    }

    private static let launches = LaunchTexts { try SendText(writing: $0) }

    /// The texts of a send's content, which is read again as soon as it is planned.
    static func text(_ content: SendContent) throws -> SendText {
        let text = try launches.text(content)
        sends.keep(content, of: joined(text.own, text.launch?.text))
        return text
    }

    /// JSON has no line break but between its parts, and these have none there.
    private static func joined(_ own: String, _ launch: String?) -> String {
        launch.map { "\(own)\n\($0)" } ?? own
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
