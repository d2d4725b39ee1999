import NoroshiWire

/// A page of a push story: a picture with its words and a link of its own.
package struct StoryPage: Sendable, Hashable, Codable {
    /// How many pages a story has.
    package static let count = 3...SDKRecord.PushInteraction.pages.upperBound

    /// The `https` address of the picture.
    package var image: String
    package var title: String
    package var subtitle: String
    /// The target of a tap on this page; `nil` for that of the push.
    package var uri: String?

    package init(image: String, title: String = "", subtitle: String = "", uri: String? = nil) {
        self.image = image
        self.title = title
        self.subtitle = subtitle
        self.uri = uri
    }
}
