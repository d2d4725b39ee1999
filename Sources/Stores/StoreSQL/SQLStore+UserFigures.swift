import Foundation
import Model
import Ports
import Relational

extension SQLStore {
    package func figures(of profile: ProfileID) async throws -> UserFigures {
        try await read { [unreadable] database in
            try UserFigureRows(profile: profile, database: database, unreadable: unreadable)
                .figures()
        }
    }
}

/// Counts what one user got and did.
private struct UserFigureRows {
    let profile: ProfileID
    let database: Database
    let unreadable: UnreadableRows

    func figures() throws -> UserFigures {
        var figures = UserFigures()
        figures.pushes = try pushes()
        figures.inApp = try inApp()
        try addSessions(to: &figures)
        try addPurchases(to: &figures)
        figures.conversions = try conversions()
        return figures
    }

    private func row(_ sql: String) throws -> Row? {
        try Row.fetchOne(database, sql: sql, arguments: ["profile": profile.rawValue])
    }

    private func rows(_ sql: String) throws -> [Row] {
        try Row.fetchAll(database, sql: sql, arguments: ["profile": profile.rawValue])
    }

    /// Send by send, because the index of dispatches by user begins with the send.
    private func pushes() throws -> UserFigures.Pushes {
        let counts = try row(
            """
            SELECT count(CASE WHEN dispatches.state = \(DispatchState.accepted.rawValue) THEN 1 END)
                    AS delivered,
                count(received_at) AS received, count(opened_at) AS opened,
                count(CASE WHEN opened_at IS NULL THEN influenced_at END) AS influenced,
                count(dismissed_at) AS dismissed
            FROM profiles CROSS JOIN sends ON sends.workspace_id = profiles.workspace_id
            CROSS JOIN \(OpenSends.rowsOfUser)
                ON send_id = sends.id AND dispatches.profile_id = profiles.id
            WHERE profiles.id = :profile
            """
        )
        guard let counts else { return UserFigures.Pushes() }
        let removed = try removedPushes()
        return UserFigures.Pushes(
            delivered: counts["delivered"] + removed[.delivered, default: 0],
            received: counts["received"] + removed[.received, default: 0],
            directOpens: counts["opened"] + removed[.opened, default: 0],
            influencedOpens: counts["influenced"] + removed[.influenced, default: 0],
            dismissed: counts["dismissed"] + removed[.dismissed, default: 0]
        )
    }

    private func removedPushes() throws -> [RemovedOutcome: Int] {
        try rows("SELECT outcome, count FROM removed_dispatches WHERE profile_id = :profile")
            .reduce(into: [:]) { counts, row in
                let name: String = row["outcome"]
                if let outcome = RemovedOutcome(rawValue: name) { counts[outcome] = row["count"] }
            }
    }

    private func inApp() throws -> InAppMessageCounts {
        InAppMessageCounts(
            rows: try rows(
                """
                SELECT kind, button, sum(times) AS times, 1 AS users FROM (
                    SELECT kind, button, variant, 1 AS times FROM in_app_message_interactions
                    WHERE profile_id = :profile
                    UNION ALL SELECT kind, button, variant, count
                    FROM removed_in_app_subjects CROSS JOIN removed_in_app_reports
                        ON subject_id = removed_in_app_subjects.id AND profile_id = :profile
                    WHERE workspace_id = (SELECT workspace_id FROM profiles WHERE id = :profile)
                )
                WHERE ifnull(variant, '') NOT IN \(InAppConversionRows.unseen)
                GROUP BY kind, button
                """
            )
        )
    }

    private func addSessions(to figures: inout UserFigures) throws {
        let counts = try row(
            """
            SELECT sum(count) AS sessions, min(first) AS first, max(last) AS last FROM (
                SELECT count(*) AS count, min(time) AS first, max(time) AS last FROM user_sessions
                WHERE profile_id = :profile
                UNION ALL SELECT count, first, last FROM removed_sessions
                WHERE profile_id = :profile)
            """
        )
        guard let counts else { return }
        figures.sessions = counts["sessions"]
        figures.firstSessionAt = (counts["first"] as Int64?).map(Date.init(milliseconds:))
        figures.lastSessionAt = (counts["last"] as Int64?).map(Date.init(milliseconds:))
    }

    private func addPurchases(to figures: inout UserFigures) throws {
        let found = try Row.fetchAll(
            database,
            sql: """
                SELECT properties ->> '$.currency' AS currency,
                    total(CAST(properties ->> '$.quantity' AS REAL)) AS quantity,
                    total(round(CAST(properties ->> '$.price' AS REAL)
                        * CAST(properties ->> '$.quantity' AS REAL) * 1000000)) AS amount
                FROM events NOT INDEXED CROSS JOIN event_names ON event_names.id = name_id
                WHERE events.id IN (SELECT CAST(value AS INTEGER) FROM json_each(?))
                    AND event_names.name = '$purchase'
                GROUP BY 1
                """,
            arguments: [try UserEventIndex(database).list(of: profile)]
        )
        for row in found {
            figures.purchased += row["quantity"] as Double
            guard let currency: String = row["currency"] else { continue }
            figures.revenue[currency] = (row["amount"] as Double) / 1_000_000
        }
    }

    /// Of each campaign by its own primary conversion.
    private func conversions() throws -> Int {
        let campaigns = try rows(
            """
            SELECT id, content FROM campaigns WHERE id IN (
                SELECT campaign_id FROM campaign_entries
                WHERE profile_id = :profile AND NOT is_control)
            """
        )
        return try campaigns.reduce(0) { sum, row in
            let id: Int64 = row["id"]
            let content = try unreadable.value("campaigns", id) {
                try StoredJSON.value(row["content"], as: CampaignContent.self)
            }
            guard let primary = content?.conversions.first else { return sum }
            return try sum
                + ConversionRows(database: database, profile: profile)
                .conversions(of: CampaignID(id), by: primary.event, within: primary.window)
                .count { !$0.isControl }
        }
    }
}
