import ContentFiles
import Foundation
import Journeys
import Model

/// Journeys in sentences.
enum JourneyText {
    private static func time(_ date: Date) -> String { Timestamp.format(date) }

    // MARK: Figures

    static func figures(
        _ figures: JourneyFigures,
        of journey: Journey,
        steps: [JourneyStep]
    ) -> [String] {
        let ended = figures.ended.sorted { $0.key.rawValue < $1.key.rawValue }
            .map { "\($1) \($0.rawValue)" }.joined(separator: ", ")
        var lines = [
            "'\(journey.draft.name)' (\(journey.state.rawValue)): \(figures.entered) entered, "
                + "\(figures.inside) inside, \(figures.converted) converted"
                + (ended.isEmpty ? "" : "; ended: \(ended)"),
            "  ENTERED   WAITING    PASSED      LATE      LEFT CONVERTED    FAILED  STEP",
        ]
        let known = Set(steps.map(\.id))
        for step in steps {
            lines.append(row(figures.steps[step.id], name(step)))
            let counts = figures.steps[step.id] ?? JourneyStepFigures()
            let names = step.kind.pathNames
            for index in Set(counts.paths.keys).union(names.indices).sorted() {
                let name = names.indices.contains(index) ? names[index] : ""
                let text = name.isEmpty ? "path \(index)" : name
                lines.append(
                    String(repeating: " ", count: 70) + "  – \(text): \(counts.paths[index] ?? 0)"
                )
            }
        }
        for gone in figures.steps.keys.sorted() where !known.contains(gone) {
            lines.append(row(figures.steps[gone], "\(gone), of an earlier version"))
        }
        return lines
    }

    private static func row(_ figures: JourneyStepFigures?, _ name: String) -> String {
        let counts = figures ?? JourneyStepFigures()
        let numbers = [
            counts.entered, counts.waiting, counts.passed, counts.late, counts.left,
            counts.converted, counts.failed,
        ]
        return numbers.enumerated().map { "\($1)".leftPadded($0 == 0 ? 9 : 10) }.joined()
            + "  " + name
    }

    private static func name(_ step: JourneyStep) -> String {
        step.name.isEmpty ? step.kind.formType : "\(step.name) (\(step.kind.formType))"
    }

    // MARK: Publishing

    static func preview(_ rows: [JourneyMigrationPreview], of journey: Journey) -> [String] {
        guard !rows.isEmpty else { return ["Nobody is inside."] }
        return rows.map { row in
            let step = journey.draft.step(row.step).map(name) ?? "\(row.step), which is gone"
            let parts = [
                (row.keeping, "go on as they are"), (row.staying, "stay here"),
                (row.goingOn, "go on at once"), (row.leaving, "leave"),
            ].filter { $0.0 > 0 }.map { "\($0) \($1)" }
            return "\(row.waiting) at \(step): \(parts.joined(separator: ", "))"
        }
    }

    // MARK: Why

    static func lines(_ explanation: JourneyExplanation) -> [String] {
        let entry = explanation.entry
        var lines = [
            "'\(explanation.definition.name)' (\(explanation.journey.state.rawValue)), version "
                + "\(entry.version), entered \(time(entry.enteredAt))"
        ]
        for passage in explanation.passages {
            let step = explanation.definition.step(passage.step)
            let names = step?.kind.pathNames ?? []
            let path = passage.path.map {
                names.indices.contains($0) && !names[$0].isEmpty ? names[$0] : "path \($0)"
            }
            let push = passage.send.map { ", push \($0)" } ?? ""
            lines.append(
                "  \(time(passage.leftAt))  \(passage.outcome.rawValue) "
                    + (step.map(name) ?? "\(passage.step)") + (path.map { " by '\($0)'" } ?? "")
                    + push
            )
        }
        if let step = explanation.step, let position = entry.position {
            lines.append("  since \(time(position.arrivedAt)) at \(name(step))")
        }
        lines.append("  next: " + next(explanation))
        if let converted = entry.convertedAt {
            lines.append("  reached the goal \(time(converted))")
        }
        return lines
    }

    private static func next(_ explanation: JourneyExplanation) -> String {
        func target(_ id: JourneyStepID?) -> String {
            guard let id else { return "the end" }
            return explanation.definition.step(id).map(name) ?? "\(id)"
        }
        func until(_ date: Date?, _ late: JourneyStepID?) -> String {
            date.map { ", at \(time($0)) without it: \(target(late))" } ?? ""
        }
        switch explanation.next {
        case .time(let date, let step): return "\(target(step)) at \(time(date))"
        case .event(let match, let step, let date, let late):
            return "\(target(step)) after '\(match.eventName)'" + until(date, late)
        case .match(_, let step, let date, let late):
            return "\(target(step)) when the user matches" + until(date, late)
        case .atOnce(let step): return "\(target(step)) with the next round of the server"
        case .whenResumed: return "nothing until the journey is resumed"
        case .over(let end, let date): return "over, \(end.rawValue) \(time(date))"
        }
    }
}
