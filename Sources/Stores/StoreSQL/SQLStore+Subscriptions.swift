import Foundation
import Model
import Ports
import Relational

extension SQLStore: SubscriptionStore {
    package func createSubscriptionGroup(
        _ group: SubscriptionGroup,
        noting audit: AuditRecord?,
        now: Date
    ) async throws {
        try await write { database in
            try unlessTaken(group.name, database) {
                try database.execute(
                    sql: """
                        INSERT INTO subscription_groups
                            (public_id, workspace_id, name, channel, created_at)
                        VALUES (?, ?, ?, ?, ?)
                        """,
                    arguments: [
                        group.id, group.workspace.rawValue, group.name, group.channel.rawValue,
                        now.milliseconds,
                    ]
                )
            }
            try Self.addAudit(audit, in: group.workspace, database)
        }
    }

    package func subscriptionGroups(
        in workspace: WorkspaceID
    ) async throws -> [SubscriptionGroup] {
        try await read { [unreadable] database in
            let rows = try Row.fetchAll(
                database,
                sql: "SELECT * FROM subscription_groups WHERE workspace_id = ? ORDER BY name",
                arguments: [workspace.rawValue]
            )
            return try unreadable.values(
                rows,
                of: "subscription_groups",
                SubscriptionGroup.init(row:)
            )
        }
    }

    package func emailUnsubscribes(
        in workspace: WorkspaceID,
        matching query: UnsubscribeQuery
    ) async throws -> [EmailUnsubscribe] {
        let order = query.isNewestFirst ? "DESC" : "ASC"
        return try await read { database in
            // Times are stored as text of fixed length, which sorts chronologically. An address
            // that several users share is returned once.
            try Row.fetchAll(
                database,
                sql: """
                    SELECT max(email) AS email, max(standard ->> '$.email_unsubscribed_at') AS time,
                        max(id) AS newest FROM profiles
                    WHERE workspace_id = :workspace AND email IS NOT NULL
                    AND (:email IS NULL OR email = :email COLLATE NOCASE)
                    AND standard ->> '$.email_subscribe' = 'unsubscribed'
                    AND standard ->> '$.email_unsubscribed_at' >= :from
                    AND standard ->> '$.email_unsubscribed_at' < :until
                    GROUP BY email COLLATE NOCASE
                    ORDER BY time \(order), newest \(order) LIMIT :limit OFFSET :offset
                    """,
                arguments: [
                    "workspace": workspace.rawValue, "email": query.email,
                    "from": Timestamp.format(query.from), "until": Timestamp.format(query.until),
                    "limit": query.limit, "offset": query.offset,
                ]
            ).compactMap { row in
                Timestamp.parse(row["time"] as String).map {
                    EmailUnsubscribe(email: row["email"], time: $0)
                }
            }
        }
    }
}

extension SubscriptionGroup {
    init(row: Row) throws {
        guard let channel = Channel(rawValue: row["channel"]) else {
            throw StoreError.unknownValue("channel", in: row)
        }
        self.init(
            id: try StoredUUID.value(row, "public_id"),
            workspace: WorkspaceID(row["workspace_id"]),
            name: row["name"],
            channel: channel
        )
    }
}
