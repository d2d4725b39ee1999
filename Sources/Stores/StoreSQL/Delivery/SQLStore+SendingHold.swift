import Foundation
import Model
import Ports
import Relational

extension SQLStore: SendingHoldStore {
    package func sendingHold() async throws -> SendingHold? {
        try await read { database in
            try Row.fetchOne(database.cachedStatement(sql: "SELECT * FROM sending_hold")).map {
                row in
                SendingHold(
                    since: Date(milliseconds: row["since"]),
                    releasedAt: (row["released_at"] as Int64?).map(Date.init(milliseconds:)),
                    skipsMissed: row["skips_missed"]
                )
            }
        }
    }

    package func holdSending(since: Date) async throws {
        try await write { database in
            try database.execute(
                sql: """
                    INSERT INTO sending_hold (id, since) VALUES (1, ?)
                    ON CONFLICT (id) DO UPDATE SET since = excluded.since, released_at = NULL,
                        skips_missed = 0
                    """,
                arguments: [since.milliseconds]
            )
        }
    }

    package func releaseSending(
        skippingMissed: Bool,
        noting audit: [WorkspaceID: AuditRecord],
        now: Date
    ) async throws -> Bool {
        try await write { database in
            try database.execute(
                sql: """
                    UPDATE sending_hold SET released_at = ?, skips_missed = ?
                    WHERE released_at IS NULL
                    """,
                arguments: [now.milliseconds, skippingMissed]
            )
            guard try database.changesCount > 0 else { return false }
            for (workspace, record) in audit {
                try Self.addAudit(record, in: workspace, database)
            }
            return true
        }
    }

    package func sendsBegun(by date: Date) async throws -> [Send] {
        try await read { [unreadable] database in
            try unreadable.values(
                Row.fetchAll(
                    database,
                    sql: """
                        SELECT \(Send.columns) FROM sends
                        WHERE state IN ('scheduled', 'planning', 'sending', 'paused')
                            AND created_at <= :date AND scheduled_at <= :date
                        ORDER BY id
                        """,
                    arguments: ["date": date.milliseconds]
                ),
                of: "sends",
                Send.init(row:)
            )
        }
    }
}
