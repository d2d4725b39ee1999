import Foundation
import Model
import Ports
import Relational

extension SQLStore: EngagementStore {
    package func contacts(
        of profile: ProfileID,
        before end: Date?,
        limit: Int
    ) async throws -> [MessageEngagement] {
        try await read { database in
            let arguments: StatementArguments = [
                "profile": profile.rawValue, "end": end?.milliseconds ?? Int64.max,
                "limit": limit,
            ]
            let pushes = try Row.fetchAll(
                database,
                sql: """
                    SELECT push_interactions.time, push_interactions.kind,
                        coalesce(push_interactions.action, CAST(push_interactions.page AS TEXT))
                            AS detail,
                        send_id, \(Self.name) AS name
                    FROM push_interactions LEFT JOIN sends ON sends.id = send_id
                    WHERE profile_id = :profile AND push_interactions.time < :end
                    ORDER BY push_interactions.time DESC, push_interactions.id DESC LIMIT :limit
                    """,
                arguments: arguments
            )
            // Send by send, because the index of dispatches by user begins with the send.
            let sent = try Row.fetchAll(
                database,
                sql: """
                    SELECT coalesce(accepted_at, dispatches.updated_at) AS time,
                        CASE dispatches.state WHEN 2 THEN 'accepted' ELSE 'failed' END AS kind,
                        reason AS detail, send_id, \(Self.name) AS name
                    FROM profiles CROSS JOIN sends ON sends.workspace_id = profiles.workspace_id
                    CROSS JOIN \(OpenSends.rowsOfUser)
                        ON send_id = sends.id AND dispatches.profile_id = profiles.id
                    WHERE profiles.id = :profile AND dispatches.state NOT IN (0, 1)
                        AND coalesce(accepted_at, dispatches.updated_at) < :end
                    ORDER BY 1 DESC, send_id, device_id LIMIT :limit
                    """,
                arguments: arguments
            )
            let inApp = try Row.fetchAll(
                database,
                sql: """
                    SELECT time, 'in_app_' || kind AS kind, button AS detail, NULL AS send_id,
                        coalesce((
                            SELECT name FROM in_app_messages
                            WHERE lower(hex(api_id)) = replace(message_id, '-', '')
                        ), message_id) AS name
                    FROM in_app_message_interactions
                    WHERE profile_id = :profile AND time < :end
                        AND ifnull(variant, '') NOT IN \(InAppConversionRows.unseen)
                    ORDER BY time DESC, id DESC LIMIT :limit
                    """,
                arguments: arguments
            )
            return (pushes + sent + inApp).compactMap(MessageEngagement.init(row:))
                .sorted { $0.time > $1.time }.prefix(limit).map { $0 }
        }
    }

    private static let name = """
        coalesce(nullif(sends.content ->> '$.message.title', ''),
            sends.content ->> '$.message.body', '')
        """
}

extension MessageEngagement {
    fileprivate init?(row: Row) {
        let detail: String? = row["detail"]
        let kind: Kind
        switch row["kind"] as String {
        case "accepted": kind = .accepted
        case "failed": kind = .failed(reason: detail ?? "")
        case "received": kind = .received
        case "opened": kind = .opened(page: detail.flatMap { Int($0) })
        case "dismissed": kind = .dismissed
        case "action": kind = .action(detail ?? "")
        case "in_app_impression": kind = .inAppShown
        case "in_app_click": kind = .inAppClicked(button: nil)
        case "in_app_button": kind = .inAppClicked(button: detail)
        case "in_app_dismissed": kind = .inAppDismissed
        default: return nil
        }
        self.init(
            time: Date(milliseconds: row["time"]),
            kind: kind,
            send: (row["send_id"] as Int64?).map { SendID($0) },
            name: row["name"] ?? ""
        )
    }
}
