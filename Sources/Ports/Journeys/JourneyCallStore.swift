import Foundation
import Model

/// What steps of journeys do outside of the ledger: calls to other servers, and in-app messages.
package protocol JourneyCallStore: Sendable {
    /// Calls that are due, the earliest first. Nobody else gets them before `leaseEnd`.
    func claimJourneyCalls(leaseEnd: Date, now: Date, limit: Int) async throws -> [JourneyCall]
    func record(_ outcome: JourneyCallOutcome, of call: Int64) async throws
    /// Which of a workspace's in-app messages only people in journeys get, and which of these the
    /// user may be shown now, with what the user brought along into the journey.
    func journeyMessages(
        in workspace: WorkspaceID,
        for profile: ProfileID?,
        now: Date
    ) async throws -> (reserved: Set<UUID>, granted: [UUID: MessageProperties])
}

/// A call of a webhook step that is to be made.
package struct JourneyCall: Sendable, Hashable {
    package var id: Int64
    package var workspace: WorkspaceID
    package var entry: JourneyEntry
    package var step: JourneyStepID
    package var passage: Int
    package var version: Int
    /// Earlier attempts.
    package var attempts: Int
    package var createdAt: Date

    package init(
        id: Int64,
        workspace: WorkspaceID,
        entry: JourneyEntry,
        step: JourneyStepID,
        passage: Int,
        version: Int,
        attempts: Int,
        createdAt: Date
    ) {
        self.id = id
        self.workspace = workspace
        self.entry = entry
        self.step = step
        self.passage = passage
        self.version = version
        self.attempts = attempts
        self.createdAt = createdAt
    }
}

package enum JourneyCallOutcome: Sendable, Hashable {
    case done(status: Int)
    case retry(at: Date, status: Int?, reason: String)
    case failed(status: Int?, reason: String)
}
