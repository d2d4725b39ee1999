import Reasons

/// The name of an event or an attribute that a workspace blocks.
package struct BlockedName: Sendable, Hashable, Codable {
    package enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
        case event, attribute
    }

    package var kind: Kind
    package var name: String

    package init(_ kind: Kind, _ name: String) {
        self.kind = kind
        self.name = name
    }

    /// The reason given when a record with this name is rejected.
    package var refusal: Reason {
        let code: UserDataReason =
            switch kind {
            case .event: .blockedEvent
            case .attribute: .blockedAttribute
            }
        return Reason(code, ["name": .text(name)])
    }
}
