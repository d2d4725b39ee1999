import Foundation
import Model
import NoroshiWire
import Relational

/// The interactions with in-app messages that devices have reported.
extension SQLStore {
    package func inAppMessageCounts(
        of ids: [UUID],
        in workspace: WorkspaceID
    ) async throws -> [UUID: InAppMessageCounts] {
        try await read { database in
            var found: [UUID: InAppMessageCounts] = [:]
            for id in ids {
                let reports = InAppReports(of: id, in: workspace, database)
                let rows = try Row.fetchAll(
                    try database.cachedStatement(
                        sql: """
                            SELECT kind, button, sum(times) AS times,
                                count(DISTINCT profile_id) AS users
                            FROM \(reports.source())
                            WHERE ifnull(variant, '') NOT IN \(InAppConversionRows.unseen)
                            GROUP BY kind, button
                            """
                    ),
                    arguments: reports.arguments
                )
                if !rows.isEmpty { found[id] = InAppMessageCounts(rows: rows) }
            }
            return found
        }
    }

    package func inAppMessageVariantCounts(
        of id: UUID,
        in workspace: WorkspaceID
    ) async throws -> [String: InAppMessageCounts] {
        try await read { database in
            let reports = InAppReports(of: id, in: workspace, database)
            let rows = try Row.fetchAll(
                database,
                sql: """
                    SELECT variant, kind, button, sum(times) AS times,
                        count(DISTINCT profile_id) AS users
                    FROM \(reports.source()) WHERE variant IS NOT NULL
                    GROUP BY variant, kind, button
                    """,
                arguments: reports.arguments
            )
            return Dictionary(grouping: rows) { row -> String in row["variant"] }
                .mapValues(InAppMessageCounts.init(rows:))
        }
    }

    package func inAppMessageGroups(
        of id: UUID,
        goal: ConversionEvent?,
        in workspace: WorkspaceID,
        numbers: [Int]
    ) async throws -> [Int?: InAppGroupCounts] {
        let variants = try StoredJSON.text(numbers.map(String.init))
        return try await read { database in
            let conversions = InAppConversionRows(
                message: id,
                workspace: workspace,
                database: database
            )
            let converted = try goal.map { try conversions.users(by: $0, numbers: numbers) }
            let reports = InAppReports(of: id, in: workspace, database)
            // Whether somebody reached a goal cannot be told of showings that are removed.
            let partial =
                try goal == nil || reports.showingsSince() == nil
                ? ""
                : """
                AND profile_id NOT IN (
                    SELECT profile_id FROM reports WHERE is_removed AND kind = 'impression'
                        AND (variant = 'control'
                            OR variant IN (SELECT value FROM json_each(:variants))))
                """
            let rows = try Row.fetchAll(
                database,
                sql: """
                    WITH reports AS NOT MATERIALIZED (
                        SELECT * FROM \(reports.source())
                    ), firsts AS (
                        SELECT profile_id, variant, row_number() OVER (
                            PARTITION BY profile_id ORDER BY time, variant) AS place
                        FROM reports WHERE kind = 'impression' AND (variant = 'control'
                            OR variant IN (SELECT value FROM json_each(:variants)))
                            \(partial)
                    ), clicks AS MATERIALIZED (
                        SELECT DISTINCT profile_id FROM reports WHERE kind IN ('click', 'button')
                            AND variant IN (SELECT value FROM json_each(:variants))
                    ), conversions AS MATERIALIZED (
                        SELECT CAST(value AS INTEGER) AS profile_id FROM json_each(:converted)
                    )
                    SELECT variant, count(*) AS users, count(clicks.profile_id) AS clicked,
                        count(conversions.profile_id) AS converted
                    FROM firsts LEFT JOIN clicks ON clicks.profile_id = firsts.profile_id
                    LEFT JOIN conversions ON conversions.profile_id = firsts.profile_id
                    WHERE place = 1 GROUP BY variant
                    """,
                arguments: reports.arguments + [
                    "variants": variants,
                    "converted": try StoredJSON.text(
                        converted.map { Array($0.shown.union($0.control)) } ?? []
                    ),
                ]
            )
            return rows.reduce(into: [:]) { groups, row in
                groups[Int(row["variant"] as String)] = InAppGroupCounts(
                    users: row["users"],
                    clicked: row["clicked"],
                    converted: row["converted"]
                )
            }
        }
    }

    package func inAppWithheld(
        of id: UUID,
        goal: ConversionEvent?,
        in workspace: WorkspaceID
    ) async throws -> InAppGroupCounts {
        try await read { database in
            try InAppConversionRows(message: id, workspace: workspace, database: database)
                .withheld(goal: goal)
        }
    }

    package func inAppConversionsSince(
        of id: UUID,
        in workspace: WorkspaceID
    ) async throws -> Date? {
        try await read { try InAppReports(of: id, in: workspace, $0).showingsSince() }
    }

    package func inAppMessageSteps(
        of id: UUID,
        in workspace: WorkspaceID,
        between boundaries: [Date]
    ) async throws -> [InAppMessageCountsBucket] {
        try await read { database in
            let statement = try database.cachedStatement(
                sql: """
                    SELECT kind, count(*) AS times FROM in_app_message_interactions
                    WHERE workspace_id = ?1 AND message_id = ?2
                        AND kind IN ('impression', 'click', 'button', 'dismissed')
                        AND time >= ?3 AND time < ?4
                        AND ifnull(variant, '') NOT IN \(InAppConversionRows.unseen)
                    GROUP BY kind
                    UNION ALL SELECT kind, sum(count) FROM removed_in_app_subjects
                    CROSS JOIN removed_in_app_counts ON subject_id = removed_in_app_subjects.id
                    WHERE workspace_id = ?1 AND message_id = ?2
                        AND quarter >= ?3 AND quarter < ?4
                        AND ifnull(variant, '') NOT IN \(InAppConversionRows.unseen)
                    GROUP BY kind
                    """
            )
            return try zip(boundaries, boundaries.dropFirst()).map { start, end in
                var step = InAppMessageCountsBucket(start: start)
                let rows = try Row.fetchAll(
                    statement,
                    arguments: [
                        workspace.rawValue, id.uuidString.lowercased(), start.milliseconds,
                        end.milliseconds,
                    ]
                )
                for row in rows {
                    let times: Int = row["times"]
                    switch SDKRecord.InAppMessageInteraction.Kind(rawValue: row["kind"]) {
                    case .impression: step.impressions += times
                    case .click, .button: step.clicks += times
                    case .dismissed: step.dismissals += times
                    case nil: break
                    }
                }
                return step
            }
        }
    }

    package func inAppMessageContacts(
        of id: UUID,
        in workspace: WorkspaceID,
        matching query: InAppMessageEngagementQuery
    ) async throws -> [InAppMessageEngagement] {
        let kinds = try StoredJSON.text(query.kinds.map(\.rawValue).sorted())
        return try await read { database in
            try Row.fetchAll(
                database,
                sql: """
                    SELECT reports.id, profile_id, kind, button, time, external_id, public_id
                    FROM in_app_message_interactions AS reports
                    INDEXED BY in_app_message_interactions_by_report
                    LEFT JOIN profiles ON profiles.id = profile_id
                    WHERE reports.workspace_id = :workspace AND message_id = :message
                        AND reports.id < :before
                        AND ifnull(variant, '') NOT IN \(InAppConversionRows.unseen)
                        AND (:kinds = '[]' OR kind IN (SELECT value FROM json_each(:kinds)))
                        AND (:button IS NULL OR button = :button)
                    ORDER BY reports.id DESC LIMIT :limit
                    """,
                arguments: [
                    "workspace": workspace.rawValue, "message": id.uuidString.lowercased(),
                    "before": query.before ?? Int64.max, "kinds": kinds, "button": query.button,
                    "limit": query.limit,
                ]
            ).compactMap(InAppMessageEngagement.init(row:))
        }
    }
}

extension InAppMessageCounts {
    /// Rows of one message or of one user, by kind and button.
    init(rows: [Row]) {
        self.init()
        for row in rows {
            let times: Int = row["times"]
            switch SDKRecord.InAppMessageInteraction.Kind(rawValue: row["kind"]) {
            case .impression:
                impressions += times
                recipients += row["users"] as Int
            case .click: clicks += times
            case .dismissed: dismissals += times
            case .button: buttonClicks[row["button"] ?? "", default: 0] += times
            case nil: break
            }
        }
    }
}

extension InAppMessageEngagement {
    fileprivate init?(row: Row) {
        guard let kind = SDKRecord.InAppMessageInteraction.Kind(rawValue: row["kind"]) else {
            return nil
        }
        let publicID = UUID.fromDatabaseValue(row["public_id"])
        self.init(
            number: row["id"],
            profile: ProfileID(row["profile_id"]),
            userName: row["external_id"] ?? publicID.map {
                "\($0.uuidString.lowercased().prefix(8))"
            }
                ?? "",
            kind: kind,
            button: row["button"],
            time: Date(milliseconds: row["time"])
        )
    }
}
