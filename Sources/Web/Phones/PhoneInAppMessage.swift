/// An in-app message on the phone.
package struct PhoneInAppMessage: Sendable, Hashable, Codable {
    package var id: String
    /// Such as `slideup`, `modal` or `html`.
    package var kind: String
    /// The text; an HTML page for the kind `html`.
    package var text: String
    /// The whole message as JSON, as sent by the server, for the page's renderer.
    package var wire: String

    package init(id: String, kind: String, text: String, wire: String) {
        self.id = id
        self.kind = kind
        self.text = text
        self.wire = wire
    }
}
