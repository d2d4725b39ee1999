/// An in-app message on the phone.
package struct PhoneInAppMessage: Sendable, Hashable, Codable {
    package var id: String
    /// Such as `slideup`, `modal` or `html`.
    package var kind: String
    /// The text; a page of its own for the kind `html`.
    package var text: String
    /// The whole message as the server hands it out, in JSON: what the page draws.
    package var wire: String

    package init(id: String, kind: String, text: String, wire: String) {
        self.id = id
        self.kind = kind
        self.text = text
        self.wire = wire
    }
}
