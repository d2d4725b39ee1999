import Model
import Segments

/// The rows the audience's columns are made from, and what happened to them since.
package protocol AudienceRowStore: Sendable {
    /// A view of all rows as they are now, which stays as it is while others write.
    ///
    /// - Parameter readers: How many processors may read from it at once; fewer when so many views
    ///   of the same moment cannot be had.
    func audienceView(readers: Int) async throws -> any AudienceView

    /// The next changes after a position; `nil` when there are none.
    ///
    /// Whatever wrote the rows, in this process or another one, is found: nothing has to announce
    /// its changes.
    func audienceDelta(after position: AudiencePosition) async throws -> AudienceDelta?

    /// Drops the notes of changes that every reader has seen.
    func forgetAudienceChanges(before position: AudiencePosition) async throws
}

extension AudienceRowStore {
    package func audienceView() async throws -> any AudienceView {
        try await audienceView(readers: 1)
    }
}

/// All rows at one moment.
package protocol AudienceView: Sendable {
    /// The moment, for `audienceDelta(after:)`.
    var position: AudiencePosition { get }

    func rows(of workspace: WorkspaceID) async throws -> any AudienceRowSource

    /// One user with everything; `nil` when there is no such user.
    func profile(_ id: ProfileID) async throws -> (WorkspaceID, AudienceProfile)?

    /// What a user did, of the activities named.
    func events(
        of profile: ProfileID,
        _ subjects: Set<ActivityCondition.Subject>
    ) async throws -> [AudienceEvent]
}

/// A moment in the history of the rows.
package struct AudiencePosition: Sendable, Hashable, Comparable {
    /// The last note of a changed profile.
    package var change: Int64
    /// The last event.
    package var event: Int64
    /// The last interaction with a message.
    package var interaction: Int64

    package init(change: Int64 = 0, event: Int64 = 0, interaction: Int64 = 0) {
        self.change = change
        self.event = event
        self.interaction = interaction
    }

    package static func < (left: AudiencePosition, right: AudiencePosition) -> Bool {
        (left.change, left.event, left.interaction)
            < (right.change, right.event, right.interaction)
    }
}

/// Some changes, in the order in which they are to be applied.
package struct AudienceDelta: Sendable {
    /// Where to go on.
    package var position: AudiencePosition
    /// Whether nothing else had happened when this was read.
    package var isComplete: Bool
    package var changes: [WorkspaceID: AudienceChange]

    package init(
        position: AudiencePosition,
        isComplete: Bool,
        changes: [WorkspaceID: AudienceChange]
    ) {
        self.position = position
        self.isComplete = isComplete
        self.changes = changes
    }
}
