import Foundation

/// A rehearsal that somebody asked for, as every server of a database reads it.
package struct RehearsalRecord: Sendable, Hashable, Identifiable {
    package let id: UUID
    package let workspace: WorkspaceID
    /// The identifier of what it is about: one is kept of each.
    package let subject: UUID
    package let askedAt: Date
    /// What was asked for and by whom, and in the end what it has shown, as JSON of whoever plays it.
    package var content: String
    /// The server that plays it; `nil` when it is over.
    package var player: UUID?
    /// Whether that server is one of those that work; `false` on SQLite, where a server is alone.
    package var isPlayerWorking: Bool
    /// Until when it was played at the last look.
    package var reached: Date?

    package init(
        id: UUID,
        workspace: WorkspaceID,
        subject: UUID,
        askedAt: Date,
        content: String,
        player: UUID?,
        isPlayerWorking: Bool = false,
        reached: Date? = nil
    ) {
        self.id = id
        self.workspace = workspace
        self.subject = subject
        self.askedAt = askedAt
        self.content = content
        self.player = player
        self.isPlayerWorking = isPlayerWorking
        self.reached = reached
    }
}
