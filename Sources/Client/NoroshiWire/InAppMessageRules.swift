import Foundation

/// The rules that determine when a device shows an in-app message.
public struct InAppMessageRules: Sendable, Codable, Equatable {
    /// An occurrence that triggers the message.
    public enum Trigger: Sendable, Equatable {
        /// A session begins.
        case sessionStart
        /// An event is recorded whose properties pass all filters.
        case event(name: String, filters: [PropertyFilter])
        /// A purchase, of `product` if it is not `nil`, is recorded whose properties pass all
        /// filters.
        case purchase(product: String?, filters: [PropertyFilter])
        /// A push is opened.
        case pushOpen
    }

    /// A condition on a property.
    public struct PropertyFilter: Sendable, Codable, Equatable {
        /// The comparison of the property with the value.
        public enum Comparison: String, Sendable, Codable {
            /// Equal to the value.
            case equals
            /// The property exists.
            case exists
            /// The text contains the value.
            case contains
            /// Different from the value, or missing.
            case notEquals = "not_equals"
            /// Greater than the value; numbers and dates.
            case greater
            /// Greater than or equal to the value; numbers and dates.
            case greaterOrEqual = "greater_or_equal"
            /// Less than the value; numbers and dates.
            case less
            /// Less than or equal to the value; numbers and dates.
            case lessOrEqual = "less_or_equal"
            /// The property does not exist.
            case notExists = "not_exists"
        }

        /// The property.
        public var property: String
        /// The comparison.
        public var comparison: Comparison
        /// The value; ignored by `exists` and `not_exists`.
        public var value: JSONValue?

        /// A condition on `property`.
        public init(_ property: String, _ comparison: Comparison, _ value: JSONValue? = nil) {
            self.property = property
            self.comparison = comparison
            self.value = value
        }
    }

    /// The triggers; any of them shows the message.
    public var triggers: [Trigger]
    /// The priority: of several messages for one trigger, the one with the highest priority is
    /// shown.
    public var priority: Int
    /// Delay between the trigger and the message, in seconds.
    public var delaySeconds: Double
    /// Maximum number of showings on a device; `nil` means no limit.
    public var impressionLimit: Int?
    /// Minimum time between two showings of the message, in seconds, besides the general gap.
    public var intervalSeconds: Double?
    /// When the message may first be shown, in milliseconds since 1970; `nil` means immediately.
    public var startsAtMilliseconds: Int64?
    /// When the message expires, in milliseconds since 1970; `nil` means never.
    public var expiresAtMilliseconds: Int64?

    /// Rules with `triggers`.
    public init(
        triggers: [Trigger],
        priority: Int = 0,
        delaySeconds: Double = 0,
        impressionLimit: Int? = 1,
        intervalSeconds: Double? = nil,
        startsAtMilliseconds: Int64? = nil,
        expiresAtMilliseconds: Int64? = nil
    ) {
        self.triggers = triggers
        self.priority = priority
        self.delaySeconds = delaySeconds
        self.impressionLimit = impressionLimit
        self.intervalSeconds = intervalSeconds
        self.startsAtMilliseconds = startsAtMilliseconds
        self.expiresAtMilliseconds = expiresAtMilliseconds
    }

    enum CodingKeys: String, CodingKey {
        case triggers, priority
        case delaySeconds = "delay_seconds"
        case impressionLimit = "impression_limit"
        case intervalSeconds = "interval_seconds"
        case startsAtMilliseconds = "starts_at_ms"
        case expiresAtMilliseconds = "expires_at_ms"
    }
}

extension InAppMessageRules.Trigger: Codable {
    private enum CodingKeys: String, CodingKey {
        case type, name, product, filters
    }

    private enum Kind: String, Codable {
        case event, purchase
        case sessionStart = "session_start"
        case pushOpen = "push_open"
    }

    /// Reads a trigger by its `type`.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let filters = {
            try container.decodeIfPresent(
                [InAppMessageRules.PropertyFilter].self,
                forKey: .filters
            ) ?? []
        }
        switch try container.decode(Kind.self, forKey: .type) {
        case .sessionStart: self = .sessionStart
        case .pushOpen: self = .pushOpen
        case .event:
            self = .event(
                name: try container.decode(String.self, forKey: .name),
                filters: try filters()
            )
        case .purchase:
            self = .purchase(
                product: try container.decodeIfPresent(String.self, forKey: .product),
                filters: try filters()
            )
        }
    }

    /// Writes a trigger with its `type`.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .sessionStart: try container.encode(Kind.sessionStart, forKey: .type)
        case .pushOpen: try container.encode(Kind.pushOpen, forKey: .type)
        case .event(let name, let filters):
            try container.encode(Kind.event, forKey: .type)
            try container.encode(name, forKey: .name)
            try container.encode(filters, forKey: .filters)
        case .purchase(let product, let filters):
            try container.encode(Kind.purchase, forKey: .type)
            try container.encodeIfPresent(product, forKey: .product)
            try container.encode(filters, forKey: .filters)
        }
    }
}

extension InAppMessageRules.PropertyFilter {
    /// Whether `properties` pass. Numbers are compared as numbers, texts by their characters; a
    /// missing property passes only `not_equals` and `not_exists`.
    public func passes(_ properties: [String: JSONValue]) -> Bool {
        var found = properties[property]
        // A literal `nil` would be JSON's null here.
        if found == .some(.null) { found = Optional<JSONValue>.none }
        switch comparison {
        case .exists: return found != nil
        case .notExists: return found == nil
        case .notEquals: return found.map { !Self.areEqual($0, value) } ?? true
        case .equals: return found.map { Self.areEqual($0, value) } ?? false
        case .contains:
            switch found {
            case .string(let text): return value?.stringValue.map { text.contains($0) } ?? false
            case .array(let elements): return elements.contains { Self.areEqual($0, value) }
            default: return false
            }
        case .greater: return order(found).map { $0 > 0 } ?? false
        case .greaterOrEqual: return order(found).map { $0 >= 0 } ?? false
        case .less: return order(found).map { $0 < 0 } ?? false
        case .lessOrEqual: return order(found).map { $0 <= 0 } ?? false
        }
    }

    private static func areEqual(_ left: JSONValue, _ right: JSONValue?) -> Bool {
        if let left = left.doubleValue, let right = right?.doubleValue { return left == right }
        return left == right
    }

    /// Negative, zero or positive; `nil` for values without an order.
    private func order(_ found: JSONValue?) -> Int? {
        if let left = found?.doubleValue, let right = value?.doubleValue {
            return left < right ? -1 : left > right ? 1 : 0
        }
        guard let left = found?.stringValue, let right = value?.stringValue else { return nil }
        return left < right ? -1 : left > right ? 1 : 0
    }
}

/// The response of `GET /sdk/v1/in_app_messages`: the messages that a user's device may show.
public struct SDKInAppMessages: Sendable, Codable, Equatable {
    /// The messages.
    public var messages: [InAppMessage]

    /// A response with `messages`.
    public init(messages: [InAppMessage]) {
        self.messages = messages
    }

    enum CodingKeys: String, CodingKey {
        case messages
    }

    private struct Lenient: Decodable {
        var message: InAppMessage?

        init(from decoder: any Decoder) throws {
            // A message of an unknown kind is skipped; the others are kept.
            message = try? InAppMessage(from: decoder)
        }
    }

    /// Reads the list and skips messages of unknown kinds.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        messages = try container.decode([Lenient].self, forKey: .messages).compactMap(\.message)
    }
}
