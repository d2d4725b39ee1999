import NoroshiWire

/// Something that happened in a workspace, as readers outside get it (docs/data-out.md).
package struct Fact: Sendable, Hashable {
    /// Grows from fact to fact, with gaps; the number of a fact never changes.
    package var number: Int64
    package var kind: Kind
    package var fields: [String: JSONValue]

    package init(number: Int64, kind: Kind, fields: [String: JSONValue]) {
        self.number = number
        self.kind = kind
        self.fields = fields
    }

    /// All of it as one object.
    package var object: [String: JSONValue] {
        var object = fields
        object["number"] = .integer(number)
        object["kind"] = .string(kind.rawValue)
        return object
    }

    /// The raw values are part of the API, and stored: never rename them.
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        case user
        case userNamed = "user_named"
        case userMerged = "user_merged"
        case userDeleted = "user_deleted"
        case consent
        case event
        case purchase
        case session
        case uninstall
        case send
        case message
        case messageOutcome = "message_outcome"
        case messageAnonymized = "message_anonymized"
        case influencedOpen = "influenced_open"
        case pushInteraction = "push_interaction"
        case controlMember = "control_member"
        case withheld
        case inAppInteraction = "in_app_interaction"
        case newsRead = "news_read"
        case journeyEntered = "journey_entered"
        case journeyStep = "journey_step"
        case journeyLeft = "journey_left"
        case journeyConverted = "journey_converted"
        case audit
    }
}

/// Facts in the order of their numbers, and where the next ones begin.
package struct FactPage: Sendable, Hashable {
    package var facts: [Fact]
    /// The next page is asked for after this number. It may be greater than that of the last fact.
    package var position: Int64
    /// Whether nothing comes after it; to the store, nothing that has a number.
    package var isLast: Bool

    package init(facts: [Fact], position: Int64, isLast: Bool) {
        self.facts = facts
        self.position = position
        self.isLast = isLast
    }
}
