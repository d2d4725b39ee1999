import Foundation
import Model

/// The steps of one entry at one moment, as they are written down.
struct JourneyWalk {
    private let before: JourneyEntry
    private let now: Date
    private(set) var entry: JourneyEntry
    private var passages: [JourneyPassage] = []
    private var effects: [JourneyEffect] = []

    init(_ entry: JourneyEntry, _ now: Date) {
        before = entry
        self.entry = entry
        self.now = now
    }

    var move: JourneyMove {
        JourneyMove(before: before, after: entry, passages: passages, effects: effects)
    }

    var position: JourneyPosition? { entry.position }

    /// When the person came to the step where they are.
    var arrivedAt: Date { entry.position?.arrivedAt ?? now }

    mutating func arrive(at step: JourneyStepID) {
        guard let position = entry.position else { return }
        entry.position = JourneyPosition(
            step: step,
            passage: position.passage + 1,
            arrivedAt: now,
            dueAt: now,
            awaits: .arrival
        )
    }

    mutating func act(_ effect: JourneyEffect.Kind) {
        guard let position = entry.position else { return }
        effects.append(
            JourneyEffect(step: position.step, passage: position.passage, kind: effect)
        )
        pass()
    }

    mutating func pass(_ outcome: JourneyPassage.Outcome = .passed, path: Int? = nil) {
        guard let position = entry.position else { return }
        passages.append(
            JourneyPassage(
                step: position.step,
                number: position.passage,
                version: entry.version,
                arrivedAt: position.arrivedAt,
                leftAt: now,
                outcome: outcome,
                path: path
            )
        )
    }

    mutating func wait(until due: Date, _ awaits: JourneyPosition.Awaited) {
        entry.position?.dueAt = due
        entry.position?.awaits = awaits
    }

    mutating func convert(at time: Date) { entry.convertedAt = time }

    /// Ends the journey at the step where the person is.
    mutating func end(_ reason: JourneyEnd) {
        guard entry.position != nil else { return }
        pass(.left)
        finish(reason)
    }

    /// Ends the journey after the step that was left last.
    mutating func finish(_ reason: JourneyEnd) {
        entry.position = nil
        entry.end = reason
        entry.endedAt = now
    }
}
