/// An in-app message on the phone.
package struct PhoneInAppMessage: Sendable, Hashable, Codable {
    package struct Button: Sendable, Hashable, Codable {
        package var id: String
        package var title: String
        /// By slot (`text`, `background`, `border`), `#AARRGGBB`.
        package var colors: [String: String]

        package init(id: String, title: String, colors: [String: String] = [:]) {
            self.id = id
            self.title = title
            self.colors = colors
        }
    }

    package var id: String
    /// Such as `slideup`, `modal` or `html`.
    package var kind: String
    package var header: String
    /// The text; a page of its own for the kind `html`.
    package var text: String
    package var buttons: [Button]
    /// The picture in words; its file cannot be shown, as the page loads nothing from other hosts.
    package var image = ""
    package var isAtTop = false
    /// By slot (`background`, `text`, `header`, `frame`, `close`), `#AARRGGBB`.
    package var colors: [String: String] = [:]

    package init(id: String, kind: String, header: String, text: String, buttons: [Button]) {
        self.id = id
        self.kind = kind
        self.header = header
        self.text = text
        self.buttons = buttons
    }
}
