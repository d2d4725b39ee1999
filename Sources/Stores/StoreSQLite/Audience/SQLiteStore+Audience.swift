import GRDB
import Model
import Ports

extension SQLiteStore: AudienceRowStore {
    package func audienceView() async throws -> any AudienceView {
        try await SQLiteAudienceView(pool.makeSnapshot())
    }

    package func audienceDelta(
        after position: AudiencePosition
    ) async throws -> AudienceDelta? {
        try await read { try AudienceDeltaReader.delta(after: position, $0) }
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
