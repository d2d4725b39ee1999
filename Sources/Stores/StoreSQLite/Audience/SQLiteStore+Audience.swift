import GRDB
import Model
import Ports

extension SQLiteStore: AudienceRowStore {
    /// How often several snapshots of one moment are tried for while others write.
    private static let snapshotAttempts = 20

    package func audienceView(readers: Int) async throws -> any AudienceView {
        for _ in 0..<(readers > 1 ? Self.snapshotAttempts : 0) {
            let snapshots = try (0..<readers).map { _ in try pool.makeSnapshot() }
            var positions: Set<AudiencePosition> = []
            for snapshot in snapshots {
                positions.insert(try await snapshot.read(AudiencePosition.init(end:)))
            }
            // Whatever is written moves the position: none has seen more than the others.
            if positions.count == 1 { return try await SQLiteAudienceView(snapshots, unreadable) }
        }
        return try await SQLiteAudienceView([pool.makeSnapshot()], unreadable)
    }

    package func audienceDelta(
        after position: AudiencePosition
    ) async throws -> AudienceDelta? {
        try await read { [unreadable] in
            try AudienceDeltaReader.delta(after: position, $0, unreadable)
        }
    }

    package func forgetAudienceChanges(before position: AudiencePosition) async throws {
        try await write { database in
            // The last note stays, so that its number is not given again.
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
