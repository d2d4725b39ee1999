import Model
import Segments

/// The rows from which the user index is built, and the changes since.
package protocol UserChangeLog: Sendable {
    /// A snapshot of all rows, which stays the same while others write.
    ///
    /// - Parameter readers: Maximum number of processors that read from it at the same time; fewer
    ///   if that many views of the same state cannot be opened.
    func audienceView(readers: Int) async throws -> any UserRowSnapshot

    /// The next changes after a position; `nil` if there are none.
    ///
    /// Finds the changes of every writer, in this process or another one, without notification.
    ///
    /// - Throws: `LostChangesError` if the database may have lost what was read before the position.
    /// - Parameter detailed: The activities of each workspace whose occurrences have to have their
    ///   properties.
    func audienceDelta(
        after position: ChangeCursor,
        detailing detailed: [WorkspaceID: Set<Activity>]
    ) async throws -> AudienceDelta?

    /// Deletes the notes of changes that every reader has read.
    func forgetAudienceChanges(before position: ChangeCursor) async throws
}

extension UserChangeLog {
    package func audienceView() async throws -> any UserRowSnapshot {
        try await audienceView(readers: 1)
    }

    package func audienceDelta(after position: ChangeCursor) async throws -> AudienceDelta? {
        try await audienceDelta(after: position, detailing: [:])
    }
}

/// A snapshot of all rows.
package protocol UserRowSnapshot: Sendable {
    /// The position of the snapshot, for `audienceDelta(after:)`.
    var position: ChangeCursor { get }

    func rows(of workspace: WorkspaceID) async throws -> any UserRowReader

    /// One user with all data; `nil` if the user does not exist.
    func profile(_ id: ProfileID) async throws -> (WorkspaceID, AudienceProfile)?

    /// A user's occurrences of the given activities.
    func events(
        of profile: ProfileID,
        _ subjects: Set<ActivityCondition.Subject>
    ) async throws -> [AudienceEvent]
}

/// The database works on as another one's copy, as after a failover: what was read of the former one last may
/// not be in it, and numbers are given again. Whoever keeps what was read has to read everything anew.
package struct LostChangesError: Error {
    package init() {}
}

/// A position in the history of the rows.
package struct ChangeCursor: Sendable, Hashable, Comparable {
    /// The last note of a changed profile.
    package var change: Int64
    /// The last event.
    package var event: Int64
    /// The last interaction with a message.
    package var interaction: Int64
    /// The history that the position is of; another one after a failover of PostgreSQL.
    package var timeline: Int64

    package init(
        change: Int64 = 0,
        event: Int64 = 0,
        interaction: Int64 = 0,
        timeline: Int64 = 0
    ) {
        self.change = change
        self.event = event
        self.interaction = interaction
        self.timeline = timeline
    }

    package static func < (left: ChangeCursor, right: ChangeCursor) -> Bool {
        (left.change, left.event, left.interaction)
            < (right.change, right.event, right.interaction)
    }
}

/// Changes, in the order in which to apply them.
package struct AudienceDelta: Sendable {
    /// The position after these changes.
    package var position: ChangeCursor
    /// Whether there were no further changes when this was read.
    package var isComplete: Bool
    package var changes: [WorkspaceID: AudienceChange]

    package init(
        position: ChangeCursor,
        isComplete: Bool,
        changes: [WorkspaceID: AudienceChange]
    ) {
        self.position = position
        self.isComplete = isComplete
        self.changes = changes
    }
}
