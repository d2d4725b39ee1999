import Model
import Ports
import Relational
import Segments
import Synchronization

extension SQLStore: UserChangeLog {
    package func audienceView(readers: Int) async throws -> any UserRowSnapshot {
        try settle()
        // Every write moves the position.
        let snapshots = try await pool.makeSnapshots(readers, of: ChangeCursor.init(end:))
        return try await SQLAudienceView(snapshots, unreadable)
    }

    package func audienceDelta(
        after position: ChangeCursor,
        detailing detailed: [WorkspaceID: Set<Activity>]
    ) async throws -> AudienceDelta? {
        // Whoever asks has everything before.
        followedPosition.withLock { $0 = position }
        return try await read { [unreadable] in
            try AudienceDeltaReader.delta(
                after: position,
                detailing: detailed,
                $0,
                unreadable
            )
        }
    }

    package func forgetAudienceChanges(before position: ChangeCursor) async throws {
        try await write { database in
            guard let position = try Self.followed(before: position, database) else { return }
            // Keep the last note, so that its number is not reused.
            try database.execute(
                sql: """
                    DELETE FROM profile_changes
                    WHERE sequence < min(?, (SELECT max(sequence) FROM profile_changes))
                    """,
                arguments: [position.change]
            )
        }
    }

    /// Up to where every server has read.
    ///
    /// - Parameter position: Up to where this one has.
    /// - Returns: `nil` as long as one of them reads everything and has not said from where it goes on.
    static func followed(
        before position: ChangeCursor,
        _ database: Relational.Database
    ) throws -> ChangeCursor? {
        least(try followers(position, database))
    }

    /// Up to where each server's columns have read; `nil` of one that still reads everything. One without columns
    /// is none of them.
    ///
    /// - Parameter own: Up to where this process has read, which may not be listed as a server; `nil` if it does
    ///   not follow.
    static func followers(
        _ own: ChangeCursor?,
        _ database: Relational.Database
    ) throws -> [ChangeCursor?] {
        try servers(database).filter(\.roles.keepsColumns).map(\.report.followed)
            + (own.map { [$0] } ?? [])
    }

    /// Up to where all have read; `nil` as long as one of them has not said.
    static func least(_ cursors: [ChangeCursor?]) -> ChangeCursor? {
        guard let first = cursors.first else { return nil }
        return cursors.dropFirst().reduce(first) { least, other in
            guard let least, let other else { return nil }
            return ChangeCursor(
                change: min(least.change, other.change),
                event: min(least.event, other.event),
                interaction: min(least.interaction, other.interaction)
            )
        }
    }
}
