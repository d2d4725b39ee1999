import Foundation

/// A fragment that many messages share: `{{content_blocks.${name}}}`.
package struct ContentBlock: Sendable, Hashable {
    package enum State: String, Sendable, Hashable, CaseIterable {
        case active
        /// Stored, but not available to messages yet.
        case draft
    }

    package var id: UUID
    package var workspace: WorkspaceID
    package var name: String
    package var description: String
    package var content: String
    package var state: State
    package var tags: [String]
    package var createdAt: Date
    package var updatedAt: Date

    package init(
        id: UUID,
        workspace: WorkspaceID,
        name: String,
        description: String = "",
        content: String,
        state: State = .active,
        tags: [String] = [],
        createdAt: Date,
        updatedAt: Date
    ) {
        self.id = id
        self.workspace = workspace
        self.name = name
        self.description = description
        self.content = content
        self.state = state
        self.tags = tags
        self.createdAt = createdAt
        self.updatedAt = updatedAt
    }

    /// The tag with which a message includes the block.
    package var liquidTag: String { "{{content_blocks.${\(name)}}}" }
}
