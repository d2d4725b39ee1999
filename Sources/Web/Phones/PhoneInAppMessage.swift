/// An in-app message on the phone.
package struct PhoneInAppMessage: Sendable, Hashable, Codable {
    package struct Button: Sendable, Hashable, Codable {
        package var id: String
        package var title: String

        package init(id: String, title: String) {
            self.id = id
            self.title = title
        }
    }

    package var id: String
    /// Such as `slideup`, `modal` or `html`.
    package var kind: String
    package var header: String
    /// The text; a page of its own for the kind `html`.
    package var text: String
    package var buttons: [Button]

    package init(id: String, kind: String, header: String, text: String, buttons: [Button]) {
        self.id = id
        self.kind = kind
        self.header = header
        self.text = text
        self.buttons = buttons
    }
}
