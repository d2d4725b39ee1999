import GRDB
import Model
import Ports
import Segments
import Synchronization

extension SQLiteStore: UserChangeLog {
    /// Attempts to open several snapshots of the same state while others write.
    private static let snapshotAttempts = 20

    package func audienceView(readers: Int) async throws -> any UserRowSnapshot {
        try settle()
        for _ in 0..<(readers > 1 ? Self.snapshotAttempts : 0) {
            let snapshots = try (0..<readers).map { _ in try pool.makeSnapshot() }
            var positions: Set<ChangeCursor> = []
            for snapshot in snapshots {
                positions.insert(try await snapshot.read(ChangeCursor.init(end:)))
            }
            // Every write moves the position, so equal positions mean equal snapshots.
            if positions.count == 1 { return try await SQLiteAudienceView(snapshots, unreadable) }
        }
        return try await SQLiteAudienceView([pool.makeSnapshot()], unreadable)
    }

    package func audienceDelta(
        after position: ChangeCursor,
        detailing detailed: [WorkspaceID: Set<Activity>]
    ) async throws -> AudienceDelta? {
        // Whoever asks has everything before.
        followedEvent.withLock { $0 = position.event }
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
}
