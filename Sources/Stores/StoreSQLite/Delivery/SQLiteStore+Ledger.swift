import Foundation
import GRDB
import Model
import Ports

extension SQLiteStore: LedgerStore {
    private static func ledgerRows(_ dispatches: String = "dispatches") -> String {
        """
        SELECT dispatches.*, devices.push_token FROM \(dispatches)
        LEFT JOIN devices ON devices.id = dispatches.device_id
        """
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
