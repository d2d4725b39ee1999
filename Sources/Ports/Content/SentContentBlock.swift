import Model

/// A content block as the messages of a send have it, whatever becomes of it meanwhile: all users get the same,
/// whichever server writes their message.
package struct SentContentBlock: Sendable, Hashable, Codable {
    package var name: String
    package var content: String
    /// Whether it was available to messages.
    package var isActive: Bool

    package init(_ block: ContentBlock) {
        name = block.name
        content = block.content
        isActive = block.state == .active
    }
}
