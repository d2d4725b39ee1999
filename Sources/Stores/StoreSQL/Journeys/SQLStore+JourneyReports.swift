import Foundation
import Model
import Ports
import Relational

extension SQLStore: JourneyReportStore {
    package func figures(of journey: JourneyID) async throws -> JourneyFigures {
        try await read { database in
            try JourneyFigureRows(journey: journey, database: database).figures()
        }
    }

    package func totals(of journeys: [JourneyID]) async throws -> [JourneyID: JourneyTotals] {
        try await read { database in
            var totals: [JourneyID: JourneyTotals] = [:]
            for journey in journeys {
                let row = try Row.fetchOne(
                    database,
                    sql: """
                        SELECT count(*) AS entered, count(converted_at) AS converted,
                            count(*) - count(end) AS inside
                        FROM journey_entries WHERE journey_id = ?
                        """,
                    arguments: [journey.rawValue]
                )
                guard let row, row["entered"] as Int > 0 else { continue }
                totals[journey] = JourneyTotals(
                    entered: row["entered"],
                    inside: row["inside"],
                    converted: row["converted"]
                )
            }
            return totals
        }
    }

    package func people(
        at step: JourneyStepID,
        of journey: JourneyID,
        in group: JourneyStepGroup,
        limit: Int,
        offset: Int
    ) async throws -> (entries: [JourneyEntry], total: Int) {
        try await read { [unreadable] database in
            let arguments: StatementArguments = [
                "journey": journey.rawValue, "step": step.uuid,
            ]
            let condition = """
                entries.id IN (\(JourneyFigureRows.people(in: group)))
                """
            let total = try Int.fetchOnly(
                database,
                sql: "SELECT count(*) FROM journey_entries AS entries WHERE \(condition)",
                arguments: arguments
            )
            let rows = try Row.fetchAll(
                database,
                sql: """
                    SELECT \(JourneyEntryRow.columns) FROM journey_entries AS entries
                    WHERE \(condition) ORDER BY entries.id DESC LIMIT :limit OFFSET :offset
                    """,
                arguments: arguments + ["limit": limit, "offset": offset]
            )
            return (
                try unreadable.values(rows, of: "journey_entries", JourneyEntryRow.entry),
                total
            )
        }
    }

    package func entries(
        of profile: ProfileID,
        in journey: JourneyID?
    ) async throws -> [JourneyEntry] {
        try await read { [unreadable] database in
            try unreadable.values(
                Row.fetchAll(
                    database,
                    sql: """
                        SELECT \(JourneyEntryRow.columns) FROM journey_entries AS entries
                        WHERE profile_id = :profile AND (:journey IS NULL OR journey_id = :journey)
                        ORDER BY entries.id DESC
                        """,
                    arguments: ["profile": profile.rawValue, "journey": journey?.rawValue]
                ),
                of: "journey_entries",
                JourneyEntryRow.entry
            )
        }
    }

    package func passages(of entry: JourneyEntryID) async throws -> [JourneyPassage] {
        try await read { database in
            try Row.fetchAll(
                database,
                sql: """
                    SELECT journey_passages.*, step FROM journey_passages
                    JOIN journey_steps ON journey_steps.id = step_id
                    WHERE entry_id = ? ORDER BY number
                    """,
                arguments: [entry.rawValue]
            ).map { row in
                JourneyPassage(
                    step: JourneyStepID(try StoredUUID.value(row, "step")),
                    number: row["number"],
                    version: row["version"],
                    arrivedAt: Date(milliseconds: row["arrived_at"]),
                    leftAt: Date(milliseconds: row["left_at"]),
                    outcome: try JourneyOutcomeCode.outcome(row["outcome"]),
                    path: row["path"],
                    send: (row["send_id"] as Int64?).map { SendID($0) }
                )
            }
        }
    }

    package func splitCounts(
        of journey: JourneyID,
        at step: JourneyStepID,
        in versions: [Int]
    ) async throws -> [Int: JourneySplitCount] {
        let list = try StoredJSON.text(versions)
        return try await read { database in
            let rows = try Row.fetchAll(
                database,
                sql: """
                    WITH passed AS (
                        SELECT passages.path, iif(converted_at >= left_at, 1, 0) AS is_converted,
                            row_number() OVER (PARTITION BY profile_id
                                ORDER BY entries.id, passages.number) AS place
                        FROM journey_passages AS passages
                        JOIN journey_entries AS entries ON entries.id = passages.entry_id
                        WHERE passages.step_id = (SELECT id FROM journey_steps
                                WHERE journey_id = ? AND step = ?)
                            AND passages.path IS NOT NULL
                            AND passages.version
                                IN (SELECT CAST(value AS INTEGER) FROM json_each(?))
                    )
                    SELECT path, count(*) AS users, sum(is_converted) AS converted
                    FROM passed WHERE place = 1 GROUP BY path
                    """,
                arguments: [journey.rawValue, step.uuid, list]
            )
            var counts: [Int: JourneySplitCount] = [:]
            for row in rows {
                counts[row["path"]] = JourneySplitCount(
                    users: row["users"],
                    converted: row["converted"]
                )
            }
            return counts
        }
    }

    package func entriesInside(
        _ journey: JourneyID,
        after cursor: JourneyEntryID?,
        limit: Int
    ) async throws -> [JourneyEntry] {
        try await read { [unreadable] database in
            try unreadable.values(
                Row.fetchAll(
                    database,
                    sql: """
                        SELECT \(JourneyEntryRow.columns) FROM journey_entries AS entries NOT INDEXED
                        WHERE journey_id = ? AND end IS NULL AND id > ? ORDER BY id LIMIT ?
                        """,
                    arguments: [journey.rawValue, cursor?.rawValue ?? 0, limit]
                ),
                of: "journey_entries",
                JourneyEntryRow.entry
            )
        }
    }

    package func messages(of journey: JourneyID) async throws -> [JourneyStepID: CampaignID] {
        try await read { database in
            let rows = try Row.fetchAll(
                database,
                sql: """
                    SELECT step, campaign_id FROM journey_steps
                    WHERE journey_id = ? AND campaign_id IS NOT NULL
                    """,
                arguments: [journey.rawValue]
            )
            var campaigns: [JourneyStepID: CampaignID] = [:]
            for row in rows {
                let step = JourneyStepID(try StoredUUID.value(row, "step"))
                campaigns[step] = CampaignID(row["campaign_id"])
            }
            return campaigns
        }
    }

    package func journeySeries(
        of journey: JourneyID,
        between boundaries: [Date]
    ) async throws -> [JourneyPeriod] {
        try await read { database in
            try zip(boundaries, boundaries.dropFirst()).map { start, end in
                func count(_ column: String, _ condition: String = "TRUE") throws -> Int {
                    try Int.fetchOnly(
                        database,
                        sql: """
                            SELECT count(*) FROM journey_entries
                            WHERE journey_id = ? AND \(column) >= ? AND \(column) < ?
                                AND \(condition)
                            """,
                        arguments: [journey.rawValue, start.milliseconds, end.milliseconds]
                    )
                }
                return JourneyPeriod(
                    start: start,
                    entries: try count("entered_at"),
                    conversions: try count("converted_at"),
                    conversionsByEntry: try count("entered_at", "converted_at IS NOT NULL"),
                    ends: try count("ended_at")
                )
            }
        }
    }
}
