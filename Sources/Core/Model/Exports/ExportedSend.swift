import Foundation

package struct ExportedSend: Sendable {
    package var state: String
    package var scheduledAt: Date
    package var startedAt: Date?
    package var finishedAt: Date?
    package var pushes: Int
    package var accepted: Int
    package var received: Int
    /// Direct and influenced opens.
    package var opened: Int
    package var directOpens: Int
    /// Number of direct opens on each page of a push story, from the first page; empty without one.
    package var storyOpens: [Int]

    package init(
        state: String,
        scheduledAt: Date,
        startedAt: Date?,
        finishedAt: Date?,
        pushes: Int,
        accepted: Int,
        received: Int,
        opened: Int,
        directOpens: Int,
        storyOpens: [Int] = []
    ) {
        self.state = state
        self.scheduledAt = scheduledAt
        self.startedAt = startedAt
        self.finishedAt = finishedAt
        self.pushes = pushes
        self.accepted = accepted
        self.received = received
        self.opened = opened
        self.directOpens = directOpens
        self.storyOpens = storyOpens
    }
}
