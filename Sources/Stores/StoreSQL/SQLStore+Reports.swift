import Foundation
import Model
import Ports
import Relational

extension SQLStore: ReportStore {
    package func figures(
        in workspace: WorkspaceID,
        between boundaries: [Date]
    ) async throws -> [PeriodCounts] {
        try await read { database in
            try zip(boundaries, boundaries.dropFirst()).map { start, end in
                let range: StatementArguments = [
                    "workspace": workspace.rawValue, "start": start.milliseconds,
                    "end": end.milliseconds,
                ]
                func count(_ sql: String) throws -> Int {
                    try Int.fetchOnly(
                        try database.cachedStatement(sql: sql),
                        arguments: range
                    )
                }
                let sessions = try count(
                    """
                    SELECT count(*) FROM events WHERE name_id = (
                        SELECT id FROM event_names
                        WHERE workspace_id = :workspace AND name = '$session_start')
                    AND \(EventTimes.within(":start", ":end"))
                    """
                )
                let removed = try RemovedCounts(database)
                    .counts(of: .sessions, workspace, [start, end])
                let closed = try ClosedLedgers(database)
                    .counts(in: workspace, from: start.milliseconds, until: end.milliseconds)
                return try PeriodCounts(
                    start: start,
                    sessions: sessions + Int(removed[0]),
                    newUsers: count(
                        """
                        SELECT count(*) FROM profiles WHERE workspace_id = :workspace
                        AND created_at >= :start AND created_at < :end
                        """
                    ),
                    delivered: closed.delivered
                        + count(
                            """
                            SELECT count(*) FROM dispatches JOIN sends ON sends.id = send_id
                            WHERE workspace_id = :workspace
                            AND accepted_at >= :start AND accepted_at < :end
                            AND \(Self.isMeant)
                            """
                        ),
                    opened: closed.opened
                        + count(
                            """
                            SELECT count(*) FROM dispatches JOIN sends ON sends.id = send_id
                            WHERE workspace_id = :workspace AND \(Self.openedAt) IS NOT NULL
                            AND \(Self.openedAt) >= :start AND \(Self.openedAt) < :end
                            AND \(Self.isMeant)
                            """
                        )
                )
            }
        }
    }

    /// Whether a dispatch is of a send that was not made to be looked at, and is counted from its rows.
    /// Tests have an index.
    private static let isMeant = """
        send_id NOT IN (
            SELECT id FROM sends WHERE workspace_id = :workspace AND content ->> '$.isTest')
        AND NOT \(ClosedLedgers.isCounted)
        """

    /// The time at which a dispatch was opened. It has an index.
    static let openedAt = "coalesce(opened_at, influenced_at)"

    /// Above this number of new events, a full recount is cheaper than examining each of them.
    private static let maxNewEvents: Int64 = 1_000_000

    package func changes(
        since mark: FigureMark?,
        in workspace: WorkspaceID
    ) async throws -> (earliest: Date?, mark: FigureMark) {
        try await read { database in
            let new = FigureMark(
                event: try database.last(of: "events"),
                interaction: try database.last(of: "push_interactions"),
                profile: try database.last(of: "profiles"),
                change: try database.last("sequence", of: "profile_changes")
            )
            guard let mark, mark.event <= new.event, mark.interaction <= new.interaction,
                mark.profile <= new.profile, new.event - mark.event <= Self.maxNewEvents
            else { return (.distantPast, new) }
            let hasMoved = try Bool.fetchOne(
                database,
                sql: """
                    SELECT EXISTS (SELECT TRUE FROM profile_changes WHERE sequence > ?
                        AND kind IN (1, 2) AND workspace_id = ?)
                    """,
                arguments: [mark.change, workspace.rawValue]
            )
            if hasMoved ?? true { return (.distantPast, new) }
            let times = try [
                (
                    """
                    SELECT min(time) FROM events WHERE id > ? AND name_id = (
                        SELECT id FROM event_names WHERE workspace_id = ?
                        AND name = '$session_start')
                    """, mark.event
                ),
                (
                    """
                    SELECT min(time) FROM push_interactions JOIN sends ON sends.id = send_id
                    WHERE push_interactions.id > ? AND workspace_id = ?
                    """, mark.interaction
                ),
                (
                    "SELECT min(created_at) FROM profiles WHERE id > ? AND workspace_id = ?",
                    mark.profile
                ),
            ].compactMap { sql, mark in
                try Int64.fetchOne(database, sql: sql, arguments: [mark, workspace.rawValue])
            }
            return (times.min().map(Date.init(milliseconds:)), new)
        }
    }

    package func reach(
        of audience: Audience,
        in workspace: WorkspaceID
    ) async throws -> (users: Int, devices: Int) {
        try await read { database in
            let audience = try AudienceCondition(audience)
            let row = try Row.fetchOnly(
                database,
                sql: """
                    SELECT count(*) AS devices, count(DISTINCT profile_id) AS users
                    FROM devices JOIN profiles ON profiles.id = profile_id
                    WHERE \(audience.unindexed)devices.workspace_id = ?
                        AND \(ReachableDevices.condition) AND \(audience.sql)
                    """,
                arguments: [workspace.rawValue] + audience.arguments
            )
            return (row["users"], row["devices"])
        }
    }

    package func sends(
        in workspace: WorkspaceID,
        matching query: SendQuery
    ) async throws -> (sends: [Send], total: Int) {
        try await read { [unreadable] database in
            let condition = """
                workspace_id = :workspace
                AND (:states = '[]' OR state IN (SELECT value FROM json_each(:states)))
                AND (:text = '' OR instr(lower(content ->> '$.message.title'), lower(:text))
                    OR instr(lower(content ->> '$.message.body'), lower(:text))
                    OR public_id = :id)
                AND (:journeys OR journey_step_id IS NULL OR public_id = :id)
                AND (:start IS NULL OR scheduled_at >= :start)
                AND (:end IS NULL OR scheduled_at < :end)
                AND (:tests OR content ->> '$.isTest' IS NOT TRUE)
                AND \(query.phase?.condition ?? "true")
                """
            let arguments: StatementArguments = [
                "workspace": workspace.rawValue, "text": query.text,
                "id": Send.publicID(named: query.text), "journeys": query.includesJourneys,
                "start": query.start?.milliseconds, "end": query.end?.milliseconds,
                "tests": query.includesTests,
                "states": try StoredJSON.text(query.states.map(\.rawValue).sorted()),
            ]
            let total =
                try Int.fetchOnly(
                    database,
                    sql: "SELECT count(*) FROM sends WHERE \(condition)",
                    arguments: arguments
                )
            let rows = try Row.fetchAll(
                database,
                sql: """
                    SELECT \(Send.columns) FROM sends WHERE \(condition)
                    ORDER BY id DESC LIMIT :limit OFFSET :offset
                    """,
                arguments: arguments + ["limit": query.limit, "offset": query.offset]
            )
            let sends = try unreadable.values(rows, of: "sends", Send.init(row:))
            return (sends, total)
        }
    }

    package func dispatches(of send: SendID, limit: Int) async throws -> [DispatchReport] {
        try await read { database in
            try Row.fetchAll(
                database,
                sql: """
                    SELECT dispatches.*, profiles.external_id, profiles.first_name,
                        profiles.public_id, devices.model,
                        coalesce(devices.platform, device_platform) AS platform
                    FROM dispatches
                    LEFT JOIN profiles ON profiles.id = dispatches.profile_id
                    LEFT JOIN devices ON devices.id = dispatches.device_id
                    WHERE send_id = ?
                    ORDER BY max(dispatches.updated_at, coalesce(received_at, 0),
                        coalesce(opened_at, influenced_at, 0)) DESC, device_id LIMIT ?
                    """,
                arguments: [send.rawValue, limit]
            ).compactMap(DispatchReport.init(row:))
        }
    }

    package func storyOpens(of send: SendID) async throws -> [Int: Int] {
        try await read { database in
            try ClosedLedgers(database).figures(of: send)?.pages
                ?? LedgerFigures.pages(of: send, database)
        }
    }

    package func eventNames(
        in workspace: WorkspaceID,
        limit: Int,
        offset: Int
    ) async throws -> [String] {
        try await read { database in
            try String.fetchAll(
                database,
                sql: """
                    SELECT name FROM event_names WHERE workspace_id = ? AND name NOT LIKE '$%'
                    ORDER BY name LIMIT ? OFFSET ?
                    """,
                arguments: [workspace.rawValue, limit, offset]
            )
        }
    }

    package func customAttributeNames(
        in workspace: WorkspaceID,
        limit: Int
    ) async throws -> [String] {
        try await read { database in
            try String.fetchAll(
                database,
                sql: """
                    SELECT key FROM (
                        SELECT custom FROM profiles WHERE workspace_id = ?
                        ORDER BY updated_at DESC LIMIT 1000
                    ), json_each(custom) GROUP BY key ORDER BY count(*) DESC, key LIMIT ?
                    """,
                arguments: [workspace.rawValue, limit]
            )
        }
    }
}

extension DispatchReport {
    init?(row: Row) {
        guard let state = DispatchState(rawValue: row["state"]) else { return nil }
        func date(_ column: String) -> Date? {
            (row[column] as Int64?).map(Date.init(milliseconds:))
        }
        let publicID = UUID.fromDatabaseValue(row["public_id"])?.uuidString.lowercased()
        self.init(
            profile: ProfileID(row["profile_id"]),
            userName: row["external_id"] ?? row["first_name"] ?? publicID ?? "",
            device: row["model"] ?? row["platform"] ?? "",
            state: state,
            reason: row["reason"],
            receivedAt: date("received_at"),
            openedAt: date("opened_at") ?? date("influenced_at"),
            dismissedAt: date("dismissed_at"),
            updatedAt: Date(milliseconds: row["updated_at"])
        )
    }
}
