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
    package var refusal: String {
        "the \(kind.rawValue) '\(name)' is blocked in this workspace; an administrator can allow it "
            + "again under Events in the console"
    }
}
