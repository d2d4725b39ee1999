import Foundation

extension SDKUser: Codable {
    enum CodingKeys: String, CodingKey {
        case externalID = "external_id"
        case anonymousID = "anonymous_id"
    }

    /// Reads a user from the one key that names it.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        if let id = try container.decodeIfPresent(String.self, forKey: .externalID) {
            self = .external(id)
        } else {
            self = .anonymous(try container.decode(UUID.self, forKey: .anonymousID))
        }
    }

    /// Writes a user under the key of its kind.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .external(let id): try container.encode(id, forKey: .externalID)
        case .anonymous(let id): try container.encode(id, forKey: .anonymousID)
        }
    }
}

extension SDKRecord: Codable {
    enum CodingKeys: String, CodingKey {
        case id, user, session, type
        case sequence = "seq"
        case timeMilliseconds = "time_ms"
        // The fields of the contents.
        case name, label, properties, product, currency, price, quantity, attributes, previous
        case mergeObjects = "merge_objects"
        case duration = "duration_seconds"
        case token, push
        case inAppMessage = "in_app_message"
    }

    private enum Kind: String, Codable {
        case event, purchase, attributes, alias, push
        case userChanged = "user_changed"
        case sessionStarted = "session_started"
        case sessionEnded = "session_ended"
        case pushToken = "push_token"
        case pushTokenCleared = "push_token_cleared"
        case inAppMessage = "in_app_message"
    }

    /// Reads a record by its `type`.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        id = try container.decode(UUID.self, forKey: .id)
        sequence = try container.decode(UInt64.self, forKey: .sequence)
        timeMilliseconds = try container.decode(Int64.self, forKey: .timeMilliseconds)
        user = try container.decode(SDKUser.self, forKey: .user)
        session = try container.decodeIfPresent(UUID.self, forKey: .session)
        let properties: () throws -> [String: JSONValue] = {
            try container.decodeIfPresent([String: JSONValue].self, forKey: .properties) ?? [:]
        }
        switch try container.decode(Kind.self, forKey: .type) {
        case .event:
            content = .event(
                name: try container.decode(String.self, forKey: .name),
                properties: try properties()
            )
        case .purchase:
            content = .purchase(
                product: try container.decode(String.self, forKey: .product),
                currency: try container.decode(String.self, forKey: .currency),
                price: try container.decode(Double.self, forKey: .price),
                quantity: try container.decodeIfPresent(Int.self, forKey: .quantity) ?? 1,
                properties: try properties()
            )
        case .attributes:
            content = .attributes(
                try container.decode([String: JSONValue].self, forKey: .attributes),
                mergeObjects: try container.decodeIfPresent(Bool.self, forKey: .mergeObjects)
                    ?? false
            )
        case .userChanged:
            content = .userChanged(previous: try container.decode(SDKUser.self, forKey: .previous))
        case .alias:
            content = .alias(
                name: try container.decode(String.self, forKey: .name),
                label: try container.decode(String.self, forKey: .label)
            )
        case .sessionStarted:
            content = .sessionStarted
        case .sessionEnded:
            content = .sessionEnded(duration: try container.decode(Double.self, forKey: .duration))
        case .pushToken:
            content = .pushToken(try container.decode(PushToken.self, forKey: .token))
        case .pushTokenCleared:
            content = .pushTokenCleared
        case .push:
            content = .push(try container.decode(PushInteraction.self, forKey: .push))
        case .inAppMessage:
            content = .inAppMessage(
                try container.decode(InAppMessageInteraction.self, forKey: .inAppMessage)
            )
        }
    }

    /// Writes a record with its `type`.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(id, forKey: .id)
        try container.encode(sequence, forKey: .sequence)
        try container.encode(timeMilliseconds, forKey: .timeMilliseconds)
        try container.encode(user, forKey: .user)
        try container.encodeIfPresent(session, forKey: .session)
        try container.encode(kind, forKey: .type)
        switch content {
        case .event(let name, let properties):
            try container.encode(name, forKey: .name)
            try container.encode(properties, forKey: .properties)
        case .purchase(let product, let currency, let price, let quantity, let properties):
            try container.encode(product, forKey: .product)
            try container.encode(currency, forKey: .currency)
            try container.encode(price, forKey: .price)
            try container.encode(quantity, forKey: .quantity)
            try container.encode(properties, forKey: .properties)
        case .attributes(let attributes, let mergeObjects):
            try container.encode(attributes, forKey: .attributes)
            try container.encode(mergeObjects, forKey: .mergeObjects)
        case .userChanged(let previous):
            try container.encode(previous, forKey: .previous)
        case .alias(let name, let label):
            try container.encode(name, forKey: .name)
            try container.encode(label, forKey: .label)
        case .sessionEnded(let duration):
            try container.encode(duration, forKey: .duration)
        case .pushToken(let token):
            try container.encode(token, forKey: .token)
        case .push(let interaction):
            try container.encode(interaction, forKey: .push)
        case .inAppMessage(let interaction):
            try container.encode(interaction, forKey: .inAppMessage)
        case .sessionStarted, .pushTokenCleared:
            break
        }
    }

    private var kind: Kind {
        switch content {
        case .event: .event
        case .purchase: .purchase
        case .attributes: .attributes
        case .userChanged: .userChanged
        case .alias: .alias
        case .sessionStarted: .sessionStarted
        case .sessionEnded: .sessionEnded
        case .pushToken: .pushToken
        case .pushTokenCleared: .pushTokenCleared
        case .push: .push
        case .inAppMessage: .inAppMessage
        }
    }
}
