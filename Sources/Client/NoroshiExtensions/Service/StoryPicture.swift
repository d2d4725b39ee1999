/// The names under which a service extension attaches the pictures of a push story.
enum StoryPicture {
    private static let prefix = "noroshi_story_"

    /// The name of the attachment with the picture of a page, from 1.
    static func attachment(ofPage page: Int) -> String { "\(prefix)\(page)" }

    /// The page of an attachment; `nil` if it is not of a story.
    static func page(ofAttachment identifier: String) -> Int? {
        identifier.hasPrefix(prefix) ? Int(identifier.dropFirst(prefix.count)) : nil
    }
}
