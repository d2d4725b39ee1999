import Foundation
import Model
import Ports
import Relational

/// Publishes versions of a journey and moves it from one state to another.
struct JourneyPublisher {
    let journey: Journey
    let database: Database
    let now: Date

    // MARK: Versions

    func publish(_ request: JourneyPublication) throws {
        let rows = JourneyStepRows(journey: journey.id, database: database)
        let definition = try rows.register(journey.draft, in: journey.workspace, now)
        let number = (journey.version ?? 0) + 1
        let text = try StoredJSON.text(definition)
        try database.execute(
            sql: "INSERT INTO journey_versions VALUES (?, ?, ?, ?, ?)",
            arguments: [
                journey.id.rawValue, number, text, now.milliseconds, request.publisher,
            ]
        )
        try database.execute(
            sql: """
                UPDATE journeys SET version = ?, draft = ?, is_changed = 0,
                    updated_at = max(?, updated_at + 1) WHERE id = ?
                """,
            arguments: [number, text, now.milliseconds, journey.id.rawValue]
        )
        for step in definition.steps {
            guard case .inAppMessage(let shown) = step.kind else { continue }
            try database.execute(
                sql: "INSERT OR IGNORE INTO journey_messages VALUES (?, ?)",
                arguments: [shown.message, journey.id.rawValue]
            )
        }
        if journey.state == .draft || journey.state == .stopped {
            try start(definition)
        } else if journey.version.flatMap({ try? published($0) })?.entry != definition.entry {
            try resetLook(definition)
        }
        if case .move(let removed) = request.migration {
            try migrate(to: definition, number, removed, rows)
        }
    }

    private func published(_ number: Int) throws -> JourneyDefinition? {
        try String.fetchOne(
            database,
            sql: "SELECT definition FROM journey_versions WHERE journey_id = ? AND number = ?",
            arguments: [journey.id.rawValue, number]
        ).map { try StoredJSON.value($0, as: JourneyDefinition.self) }
    }

    /// Everybody waits as the new version says, once the runner has looked at them.
    private func migrate(
        to definition: JourneyDefinition,
        _ number: Int,
        _ removed: [JourneyStepID: JourneyStepID],
        _ rows: JourneyStepRows
    ) throws {
        let steps = try Row.fetchAll(
            database,
            sql: "SELECT id, step FROM journey_steps WHERE journey_id = ?",
            arguments: [journey.id.rawValue]
        )
        for row in steps {
            let id: Int64 = row["id"]
            let step = JourneyStepID(try StoredUUID.value(row, "step"))
            if definition.step(step) != nil {
                try settle(at: id, number)
            } else if let target = removed[step], definition.step(target) != nil {
                try goOn(from: id, at: try rows.number(of: target), number)
            } else {
                try leave(from: id)
            }
        }
    }

    private func settle(at step: Int64, _ version: Int) throws {
        try database.execute(
            sql: """
                UPDATE journey_entries SET version = ?1, due_at = ?2,
                    awaits = CASE awaits WHEN ?3 THEN awaits ELSE ?4 END
                WHERE journey_id = ?5 AND step_id = ?6 AND end IS NULL AND version <> ?1
                """,
            arguments: [
                version, now.milliseconds, JourneyPosition.Awaited.arrival.rawValue,
                JourneyPosition.Awaited.settling.rawValue, journey.id.rawValue, step,
            ]
        )
    }

    private func goOn(from step: Int64, at target: Int64, _ version: Int) throws {
        try notePassages(from: step, .passed)
        try database.execute(
            sql: """
                UPDATE journey_entries SET version = ?, step_id = ?, passage = passage + 1,
                    arrived_at = ?, due_at = ?, awaits = ?
                WHERE journey_id = ? AND step_id = ? AND end IS NULL
                """,
            arguments: [
                version, target, now.milliseconds, now.milliseconds,
                JourneyPosition.Awaited.arrival.rawValue, journey.id.rawValue, step,
            ]
        )
    }

    private func leave(from step: Int64) throws {
        try notePassages(from: step, .left)
        try database.execute(
            sql: """
                UPDATE journey_entries SET end = ?, ended_at = ?, due_at = NULL
                WHERE journey_id = ? AND step_id = ? AND end IS NULL
                """,
            arguments: [
                JourneyEnd.removedStep.rawValue, now.milliseconds, journey.id.rawValue, step,
            ]
        )
    }

    /// - Parameter step: `nil` means all steps.
    private func notePassages(
        from step: Int64?,
        _ outcome: JourneyPassage.Outcome
    ) throws {
        try database.execute(
            sql: """
                INSERT INTO journey_passages
                    (entry_id, number, step_id, version, arrived_at, left_at, outcome)
                SELECT id, passage, step_id, version, arrived_at, :left, :outcome
                FROM journey_entries
                WHERE journey_id = :journey AND end IS NULL
                    AND (:step IS NULL OR step_id = :step)
                """,
            arguments: [
                "left": now.milliseconds, "outcome": JourneyOutcomeCode.code(outcome),
                "journey": journey.id.rawValue, "step": step,
            ]
        )
    }

    // MARK: States

    /// - Parameter state: `nil` is the state before the pause.
    /// - Returns: The sends that have changed.
    func move(to state: JourneyState?) throws -> [SendID] {
        let before = try String.fetchOne(
            database,
            sql: "SELECT paused_from FROM journeys WHERE id = ?",
            arguments: [journey.id.rawValue]
        )
        let target = state ?? before.flatMap(JourneyState.init(rawValue:)) ?? .active
        try database.execute(
            sql: """
                UPDATE journeys SET state = ?1, paused_from = ?2,
                    resumed_at = CASE state WHEN 'paused' THEN ?3 ELSE resumed_at END,
                    updated_at = max(?3, updated_at + 1) WHERE id = ?4
                """,
            arguments: [
                target.rawValue, target == .paused ? journey.state.rawValue : nil,
                now.milliseconds, journey.id.rawValue,
            ]
        )
        switch target {
        case .active, .draining:
            if target == .draining { try forgetRequests() }
            return try moveMessages(to: .active)
        case .paused: return try moveMessages(to: .paused)
        case .stopped:
            try endAll()
            return try moveMessages(to: .stopped)
        case .draft, .archived: return []
        }
    }

    /// Lets people in from now on.
    private func start(_ definition: JourneyDefinition) throws {
        try database.execute(
            sql: """
                UPDATE journeys SET state = 'active', started_at = ?, resumed_at = NULL,
                    event_cursor = (SELECT coalesce(max(id), 0) FROM events) WHERE id = ?
                """,
            arguments: [now.milliseconds, journey.id.rawValue]
        )
        try resetLook(definition)
        _ = try moveMessages(to: .active)
    }

    private func resetLook(_ definition: JourneyDefinition) throws {
        let look: Date? =
            switch definition.entry {
            case .members(_, let at): at ?? now
            case .entering: now
            case .event, .api, .journey: nil
            }
        try database.execute(
            sql: """
                UPDATE journeys SET next_look_at = ?, look_cursor = 0, knows_members = 0
                WHERE id = ?
                """,
            arguments: [look?.milliseconds, journey.id.rawValue]
        )
        try database.execute(
            sql: "DELETE FROM journey_members WHERE journey_id = ?",
            arguments: [journey.id.rawValue]
        )
    }

    private func forgetRequests() throws {
        try database.execute(
            sql: "DELETE FROM journey_requests WHERE journey_id = ?",
            arguments: [journey.id.rawValue]
        )
        try database.execute(
            sql: """
                UPDATE journey_schedules SET is_cancelled = 1 WHERE journey_id = ? AND due_at > ?
                """,
            arguments: [journey.id.rawValue, now.milliseconds]
        )
    }

    private func endAll() throws {
        try forgetRequests()
        try notePassages(from: nil, .left)
        try database.execute(
            sql: """
                UPDATE journey_entries SET end = ?, ended_at = ?, due_at = NULL
                WHERE journey_id = ? AND end IS NULL
                """,
            arguments: [JourneyEnd.stopped.rawValue, now.milliseconds, journey.id.rawValue]
        )
    }

    private func moveMessages(to state: CampaignState) throws -> [SendID] {
        let campaigns = try JourneyStepRows(journey: journey.id, database: database).campaigns()
        return try campaigns.flatMap { campaign in
            try database.execute(
                sql: "UPDATE campaigns SET state = ? WHERE id = ?",
                arguments: [state.rawValue, campaign.rawValue]
            )
            return try SQLStore.moveSends(of: campaign, with: state, now, database)
        }
    }
}
