/// An additional name of a user, such as the one in another system.
package struct UserAlias: Sendable, Hashable {
    package var name: String
    /// The system or list to which the name belongs.
    package var label: String

    package init(name: String, label: String) {
        self.name = name
        self.label = label
    }
}
