import Foundation
import Model
import Ports
import Relational

extension SQLStore {
    private static func ledgerRows(_ dispatches: String = "dispatches") -> String {
        """
        SELECT dispatches.*, devices.push_token FROM \(dispatches)
        LEFT JOIN devices ON devices.id = dispatches.device_id
        """
    }

    package func openWork() async throws -> OpenWork {
        try await read { database in
            var work = OpenWork()
            let open = "\(OpenSends.condition) OR state = 'paused'"
            let sends = try Row.fetchCursor(
                database,
                sql: """
                    SELECT state, count(*) FROM sends WHERE \(OpenSends.condition) GROUP BY state
                    UNION ALL SELECT 'paused', count(*) FROM sends WHERE state = 'paused'
                    """
            )
            while let row = try sends.next() {
                if let state = SendState(rawValue: row[0]) { work.sends[state] = row[1] }
            }
            // A dispatch that is queued for its first attempt has no reason yet.
            let rows = try Row.fetchCursor(
                database,
                sql: """
                    SELECT reason = '', sum(rows) FROM send_counts
                    WHERE state = ? AND send_id IN (SELECT id FROM sends WHERE \(open)) GROUP BY 1
                    """,
                arguments: [DispatchState.queued.rawValue]
            )
            while let row = try rows.next() {
                if row[0] { work.newPushes = row[1] } else { work.retriedPushes = row[1] }
            }
            return work
        }
    }

    package func ledger(
        of send: SendID,
        after device: DeviceID?,
        limit: Int
    ) async throws -> [LedgerRow] {
        try await read { database in
            try Row.fetchAll(
                database,
                sql: """
                    \(Self.ledgerRows()) WHERE dispatches.send_id = ? AND dispatches.device_id > ?
                    ORDER BY dispatches.device_id LIMIT ?
                    """,
                arguments: [send.rawValue, device?.rawValue ?? Int64.min, limit]
            ).compactMap(LedgerRow.init(row:))
        }
    }

    package func ledger(of send: SendID, profile: ProfileID) async throws -> [LedgerRow] {
        try await read { database in
            try Row.fetchAll(
                database,
                sql: """
                    \(Self.ledgerRows(OpenSends.rowsOfUser))
                    WHERE dispatches.send_id = ? AND dispatches.profile_id = ?
                    ORDER BY dispatches.device_id
                    """,
                arguments: [send.rawValue, profile.rawValue]
            ).compactMap(LedgerRow.init(row:))
        }
    }

    package func isRemoved(_ send: SendID) async throws -> Bool {
        try await read { try ClosedLedgers($0).contains(send.rawValue) }
    }

    package func isMember(
        _ profile: ProfileID,
        of audience: Audience
    ) async throws -> Bool? {
        switch audience {
        case .everyone: true
        case .profiles(let profiles): profiles.contains(profile)
        case .matching: nil
        }
    }

    package func withheld(_ send: SendID, from profile: ProfileID) async throws -> Date? {
        try await read { database in
            try Int64.fetchOne(
                database,
                sql: "SELECT due_at FROM withheld_messages WHERE profile_id = ? AND send_id = ?",
                arguments: [profile.rawValue, send.rawValue]
            ).map(Date.init(milliseconds:))
        }
    }

    package func entry(of profile: ProfileID, in send: SendID) async throws
        -> CampaignParticipation?
    {
        try await read { database in
            try Row.fetchOne(
                database,
                sql: """
                    SELECT variant, is_control, due_at FROM campaign_entries
                    WHERE profile_id = ? AND send_id = ?
                    """,
                arguments: [profile.rawValue, send.rawValue]
            ).map { row in
                CampaignParticipation(
                    send: send,
                    variant: row[0],
                    isControl: row[1],
                    dueAt: Date(milliseconds: row[2])
                )
            }
        }
    }
}

extension LedgerRow {
    fileprivate init?(row: Row) {
        guard let state = DispatchState(rawValue: row["state"]) else { return nil }
        func date(_ column: String) -> Date? {
            (row[column] as Int64?).map(Date.init(milliseconds:))
        }
        self.init(
            device: DeviceID(row["device_id"]),
            profile: ProfileID(row["profile_id"]),
            state: state,
            reason: row["reason"],
            attempts: row["attempts"],
            dueAt: Date(milliseconds: row["due_at"]),
            updatedAt: Date(milliseconds: row["updated_at"])
        )
        providerID = row["provider_id"]
        variant = row["variant"]
        acceptedAt = date("accepted_at")
        receivedAt = date("received_at")
        openedAt = date("opened_at")
        influencedAt = date("influenced_at")
        dismissedAt = date("dismissed_at")
        token = row["push_token"]
    }
}
