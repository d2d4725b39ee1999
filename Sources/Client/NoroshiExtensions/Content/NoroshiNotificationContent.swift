import Foundation
import NoroshiOutbox
import NoroshiWire

/// The contents of a notification for a content extension: typed key-value pairs, and an error
/// instead of a crash if one is missing.
public struct NoroshiNotificationContent: Sendable, Equatable {
    /// The title; empty if there is none.
    public var title: String
    /// The text; empty if there is none.
    public var body: String
    /// The category, which the extension's Info.plist names.
    public var category: String
    /// The number of the send; `nil` if the payload has none.
    public var pushNumber: Int?
    /// The key-value pairs, without `aps` and Noroshi's own part.
    public var pairs: [String: JSONValue]
    /// Noroshi's part; `nil` for notifications of others.
    package var payload: PushPayload?
    /// The files of a push story's pictures, by page from 1, as far as the service extension has
    /// them.
    package var storyPictures: [Int: URL] = [:]

    /// The contents of the payload `userInfo`. Rejects categories other than `categories`; if that
    /// is empty, accepts all.
    public init(
        userInfo: [AnyHashable: Any],
        categories: Set<String> = []
    ) throws(NoroshiContentError) {
        let aps = JSONValue(any: userInfo["aps"] as Any?)
        category = aps?["category"]?.stringValue ?? ""
        guard categories.isEmpty || categories.contains(category) else {
            throw .foreignCategory(found: category, expected: categories.sorted())
        }
        let alert = aps?["alert"]
        title = alert?["title"]?.stringValue ?? ""
        body = alert?.stringValue ?? alert?["body"]?.stringValue ?? ""
        payload = PushPayload(userInfo: userInfo)
        pairs = [:]
        for (key, value) in userInfo {
            guard
                let key = key as? String, key != "aps", key != PushPayloadKey.marker,
                let value = JSONValue(any: value)
            else { continue }
            pairs[key] = value
        }
        pushNumber = pairs[PushPayloadKey.pushNumber]?.stringValue.flatMap { Int($0) }
    }

    /// The text of the pair `key`.
    public func text(_ key: String) throws(NoroshiContentError) -> String {
        switch pairs[key] {
        case .string(let text): return text
        case .integer(let number): return String(number)
        case .number(let number): return String(number)
        case .bool(let value): return value ? "true" : "false"
        case .none, .null: throw .missingPair(key: key)
        case .array, .object: throw .wrongType(key: key, expected: "text")
        }
    }

    /// The whole number of the pair `key`, which may be written as text.
    public func integer(_ key: String) throws(NoroshiContentError) -> Int {
        let text = try text(key).trimmingCharacters(in: .whitespaces)
        guard let number = Int(text) else {
            throw .wrongType(key: key, expected: "a whole number")
        }
        return number
    }

    /// The number of the pair `key`, which may be written as text.
    public func number(_ key: String) throws(NoroshiContentError) -> Double {
        let text = try text(key).trimmingCharacters(in: .whitespaces)
        guard let number = Double(text), number.isFinite else {
            throw .wrongType(key: key, expected: "a number")
        }
        return number
    }

    /// The Boolean of the pair `key`: `true`, `yes` or `1`; `false`, `no` or `0`.
    public func flag(_ key: String) throws(NoroshiContentError) -> Bool {
        switch try text(key).trimmingCharacters(in: .whitespaces).lowercased() {
        case "true", "yes", "1": return true
        case "false", "no", "0": return false
        default: throw .wrongType(key: key, expected: "true or false")
        }
    }

    /// The URL of the pair `key`.
    public func url(_ key: String) throws(NoroshiContentError) -> URL {
        guard let url = URL(string: try text(key)), url.scheme != nil else {
            throw .wrongType(key: key, expected: "an address")
        }
        return url
    }

    /// The date of the pair `key`: ISO 8601, with or without a time of day, in UTC without a zone.
    public func date(_ key: String) throws(NoroshiContentError) -> Date {
        let text = try text(key).trimmingCharacters(in: .whitespaces)
        let formatter = ISO8601DateFormatter()
        for options: ISO8601DateFormatter.Options in [
            [.withInternetDateTime, .withFractionalSeconds], [.withInternetDateTime],
            [.withFullDate],
        ] {
            formatter.formatOptions = options
            if let date = formatter.date(from: text) { return date }
        }
        throw .wrongType(key: key, expected: "a date of ISO 8601")
    }
}

/// An error in the contents of a notification.
public enum NoroshiContentError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The campaign has no pair `key`.
    case missingPair(key: String)
    /// The pair `key` is not what the extension draws.
    case wrongType(key: String, expected: String)
    /// The extension does not draw notifications of this category.
    case foreignCategory(found: String, expected: [String])

    /// The error as text.
    public var description: String {
        switch self {
        case .missingPair(let key):
            "the push has no key-value pair \(key); add it to the campaign"
        case .wrongType(let key, let expected):
            "the key-value pair \(key) is not \(expected)"
        case .foreignCategory(let found, let expected):
            "the category \(found) is none of \(expected.joined(separator: ", ")); "
                + "UNNotificationExtensionCategory and the campaign have to agree"
        }
    }
}

/// The response to a tap on a button of an expanded notification.
public enum NoroshiContentResponse: Sendable, Equatable {
    /// It closes.
    case dismiss
    /// It stays open.
    case doNotDismiss
    /// It closes, and the app gets the response.
    case dismissAndForward
}
