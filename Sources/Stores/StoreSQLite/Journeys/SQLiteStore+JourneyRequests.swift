import Foundation
import GRDB
import Model
import Ports

extension SQLiteStore {
    package func perform(
        _ request: JourneyRequest,
        noting audit: @escaping @Sendable (Int) -> AuditRecord?,
        now: Date
    ) async throws -> JourneyRequestOutcome {
        try await write { [identities] database in
            guard let journey = try Journey.fetch(request.journey, database) else { return .closed }
            if let key = request.key,
                let known = try Self.known(key, in: journey.workspace, database)
            {
                return known
            }
            guard journey.state == .active else { return .closed }
            let transaction = try IngestTransaction(database, cache: identities, now: now)
            let outcomes = try request.recipients.map {
                try $0.item.map { try transaction.apply($0, in: journey.workspace) }
            }
            try transaction.flush()
            var users: Set<ProfileID> = []
            for recipient in request.recipients {
                guard let user = try transaction.find(recipient.user, in: journey.workspace),
                    users.insert(user).inserted
                else { continue }
                try Self.requestEntry(user, recipient.properties, into: journey.id, now, database)
            }
            for (user, properties) in request.members.sorted(by: { $0.key < $1.key })
            where users.insert(user).inserted {
                try Self.requestEntry(user, properties, into: journey.id, now, database)
            }
            let resolved = transaction.resolved
            database.afterNextTransaction { _ in identities.add(resolved) }
            if let key = request.key {
                try database.execute(
                    sql: "INSERT INTO journey_request_keys VALUES (?, ?, ?, ?, ?)",
                    arguments: [
                        journey.workspace.rawValue, key.name, key.fingerprint, users.count,
                        now.milliseconds,
                    ]
                )
            }
            try Self.addAudit(audit(users.count), in: journey.workspace, database)
            return .accepted(outcomes, users: users.count)
        }
    }

    /// What was answered to the request with this key; `nil` if there was none.
    private static func known(
        _ key: IdempotencyKey,
        in workspace: WorkspaceID,
        _ database: Database
    ) throws -> JourneyRequestOutcome? {
        try database.execute(
            sql: "DELETE FROM journey_request_keys WHERE created_at < ?",
            arguments: [key.expiredBefore.milliseconds]
        )
        let row = try Row.fetchOne(
            database,
            sql: """
                SELECT fingerprint, users FROM journey_request_keys
                WHERE workspace_id = ? AND name = ?
                """,
            arguments: [workspace.rawValue, key.name]
        )
        guard let row else { return nil }
        return row["fingerprint"] == key.fingerprint ? .known(users: row["users"]) : .otherRequest
    }
}
