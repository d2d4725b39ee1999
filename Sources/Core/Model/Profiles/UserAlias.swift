/// Another name of a user, such as the one another system has for them.
package struct UserAlias: Sendable, Hashable {
    package var name: String
    /// Which system's name it is.
    package var label: String

    package init(name: String, label: String) {
        self.name = name
        self.label = label
    }
}
