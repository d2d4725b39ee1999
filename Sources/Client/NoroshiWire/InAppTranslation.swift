/// What an in-app message says in one language; what is missing is as in the message.
package struct InAppTranslation: Sendable, Codable, Hashable {
    package var header: String?
    package var message: String?
    package var imageAltText: String?
    /// The labels of buttons, by their identifiers.
    package var buttons: [String: String]?

    package init(
        header: String? = nil,
        message: String? = nil,
        imageAltText: String? = nil,
        buttons: [String: String]? = nil
    ) {
        self.header = header
        self.message = message
        self.imageAltText = imageAltText
        self.buttons = buttons
    }

    private enum CodingKeys: String, CodingKey {
        case header, message, buttons
        case imageAltText = "image_alt"
    }
}
