import Foundation
import Model
import Ports
import Relational

/// Counts the entries and passages of a journey.
struct JourneyFigureRows {
    let journey: JourneyID
    let database: Database

    func figures() throws -> JourneyFigures {
        var figures = JourneyFigures()
        try countEntries(&figures)
        try countWaiting(&figures)
        try countPassages(&figures)
        try countConversions(&figures)
        try countFailures(&figures)
        return figures
    }

    private func rows(_ sql: String) throws -> [Row] {
        try Row.fetchAll(database, sql: sql, arguments: ["journey": journey.rawValue])
    }

    private func countEntries(_ figures: inout JourneyFigures) throws {
        let rows = try rows(
            """
            SELECT end, count(*) AS people, count(converted_at) AS converted
            FROM journey_entries WHERE journey_id = :journey GROUP BY end
            """
        )
        for row in rows {
            let people: Int = row["people"]
            figures.entered += people
            figures.converted += row["converted"]
            guard let ending: String = row["end"] else {
                figures.inside = people
                continue
            }
            if let end = JourneyEnd(rawValue: ending) { figures.ended[end] = people }
        }
    }

    private func countWaiting(_ figures: inout JourneyFigures) throws {
        let rows = try rows(
            """
            SELECT step, count(*) AS people
            FROM journey_steps CROSS JOIN journey_entries
                ON journey_entries.journey_id = :journey AND step_id = journey_steps.id
            WHERE journey_steps.journey_id = :journey AND end IS NULL GROUP BY step
            """
        )
        for row in rows { figures.steps[try step(row), default: .init()].waiting = row["people"] }
    }

    private func countPassages(_ figures: inout JourneyFigures) throws {
        let rows = try rows(
            """
            SELECT step, outcome, path, count(*) AS people
            FROM journey_steps CROSS JOIN journey_passages ON step_id = journey_steps.id
            WHERE journey_id = :journey GROUP BY step, outcome, path
            """
        )
        for row in rows {
            let people: Int = row["people"]
            var found = figures.steps[try step(row)] ?? JourneyStepFigures()
            switch try JourneyOutcomeCode.outcome(row["outcome"]) {
            case .passed: found.passed += people
            case .late: found.late += people
            case .left: found.left += people
            }
            if let path: Int = row["path"] { found.paths[path, default: 0] += people }
            figures.steps[try step(row)] = found
        }
    }

    private func countConversions(_ figures: inout JourneyFigures) throws {
        let rows = try rows(
            """
            SELECT step, count(DISTINCT entry_id) AS people
            FROM journey_entries CROSS JOIN journey_passages ON entry_id = journey_entries.id
            JOIN journey_steps ON journey_steps.id = journey_passages.step_id
            WHERE journey_entries.journey_id = :journey AND converted_at IS NOT NULL
                AND converted_at >= journey_passages.arrived_at
            GROUP BY step
            """
        )
        for row in rows {
            figures.steps[try step(row), default: .init()].converted = row["people"]
        }
    }

    private func countFailures(_ figures: inout JourneyFigures) throws {
        let rows = try rows(
            """
            SELECT step, count(*) AS people
            FROM journey_steps CROSS JOIN journey_calls
                ON journey_calls.step_id = journey_steps.id AND state = 2
            WHERE journey_id = :journey GROUP BY step
            """
        )
        for row in rows { figures.steps[try step(row), default: .init()].failed = row["people"] }
    }

    private func step(_ row: Row) throws -> JourneyStepID {
        JourneyStepID(try StoredUUID.value(row, "step"))
    }

    /// Numbers of the entries behind a figure of the step `:step` of `:journey`.
    static func people(in group: JourneyStepGroup) -> String {
        let step = "(SELECT id FROM journey_steps WHERE journey_id = :journey AND step = :step)"
        let passages = "SELECT entry_id FROM journey_passages WHERE step_id = \(step)"
        let waiting = """
            SELECT id FROM journey_entries
            WHERE journey_id = :journey AND step_id = \(step) AND end IS NULL
            """
        switch group {
        case .waiting: return waiting
        case .entered: return "\(waiting) UNION \(passages)"
        case .passed: return passages + " AND outcome = 0"
        case .late: return passages + " AND outcome = 1"
        case .left: return passages + " AND outcome = 2"
        case .converted:
            return """
                SELECT entry_id FROM journey_passages
                JOIN journey_entries ON journey_entries.id = entry_id
                WHERE journey_passages.step_id = \(step) AND converted_at IS NOT NULL
                    AND converted_at >= journey_passages.arrived_at
                """
        case .failed:
            return "SELECT entry_id FROM journey_calls WHERE step_id = \(step) AND state = 2"
        }
    }
}
