import Foundation
import Journeys
import Model
import WebPages

/// One entry of a person into a journey: where they are, since when, why, and what comes next.
struct JourneyEntryPart {
    struct Passage {
        let step: String
        let arrived: Moment
        let outcome: String
        let tone: String
    }

    let journey: String
    let journeyAddress: String
    /// The page with every entry of the person.
    let address: String
    let verdict: String
    let tone: String
    /// What comes next; `nil` after the end.
    let nextText: String?
    let facts: [PushReviewPage.Line]
    let passages: [Passage]
    let hasPassages: Bool
    let entered: Moment

    init(_ explanation: JourneyExplanation, names: JourneyNames, context: ConsoleContext) {
        let words = context.words
        let entry = explanation.entry
        let definition = explanation.definition
        let layout = JourneyLayout(definition)
        func title(_ id: JourneyStepID) -> String {
            guard let step = definition.step(id) else { return words("journeys.removed_step") }
            return "\(layout.numbers[id] ?? 0) · \(step.title(words))"
        }
        let id = "\(explanation.journey.id)"
        journey = explanation.journey.draft.name
        journeyAddress = ConsolePath.journey(id).path
        address = ConsolePath.journeyPerson(id, "\(entry.profile)").path
        entered = context.moment(entry.enteredAt)
        if let end = entry.end {
            verdict = words(end.wordKey)
            tone = end == .completed || end == .goal ? "good" : "quiet"
        } else {
            verdict = words(
                "journeys.is_at",
                ["step": entry.position.map { title($0.step) } ?? words("journeys.unknown")]
            )
            tone = explanation.journey.state == .paused ? "warn" : "live"
        }
        nextText = entry.end == nil ? Self.next(explanation.next, names, context, title) : nil
        facts = Self.facts(explanation, names, context, title)
        passages = explanation.passages.map { passage in
            Passage(
                step: title(passage.step),
                arrived: context.moment(passage.arrivedAt),
                outcome: Self.outcome(of: passage, definition, names, words),
                tone: passage.outcome == .passed ? "good" : "quiet"
            )
        }
        hasPassages = !passages.isEmpty
    }

    private static func facts(
        _ explanation: JourneyExplanation,
        _ names: JourneyNames,
        _ context: ConsoleContext,
        _ title: (JourneyStepID) -> String
    ) -> [PushReviewPage.Line] {
        let words = context.words
        let entry = explanation.entry
        func time(_ date: Date) -> String { words.dateAndTime(date, in: context.zone) }
        var facts: [PushReviewPage.Line] = []
        func add(_ key: String, _ value: String) {
            facts.append(.init(label: words(key), value: value))
        }
        add("journeys.entered_at", time(entry.enteredAt))
        add("journeys.version", words.number(entry.version))
        if let position = entry.position {
            add("journeys.since", time(position.arrivedAt))
            if let last = explanation.passages.last {
                let outcome = outcome(of: last, explanation.definition, names, words)
                add("journeys.why", "\(title(last.step)) → \(outcome)")
            } else {
                add("journeys.why", explanation.definition.entry.text(names, context))
            }
        }
        add("journeys.next", next(explanation.next, names, context, title))
        if let converted = entry.convertedAt { add("journeys.converted_at", time(converted)) }
        let properties = entry.properties.event.merging(entry.properties.trigger) { $1 }
        for name in properties.keys.sorted().prefix(20) {
            facts.append(.init(label: name, value: properties[name]?.shownText ?? ""))
        }
        return facts
    }

    private static func next(
        _ next: JourneyExplanation.Next,
        _ names: JourneyNames,
        _ context: ConsoleContext,
        _ title: (JourneyStepID) -> String
    ) -> String {
        let words = context.words
        func target(_ id: JourneyStepID?) -> String {
            id.map(title) ?? words("journeys.completed")
        }
        func time(_ date: Date) -> String { words.dateAndTime(date, in: context.zone) }
        func limit(_ until: Date?, _ late: JourneyStepID?) -> [String] {
            until.map {
                [words("journeys.next_late", ["time": time($0), "step": target(late)])]
            } ?? []
        }
        switch next {
        case .time(let date, let to):
            return words("journeys.next_time", ["time": time(date), "step": target(to)])
        case .event(let match, let to, let until, let late):
            let first = words(
                "journeys.next_event",
                ["event": match.sentence(words), "step": target(to)]
            )
            return ([first] + limit(until, late)).joined(separator: " ")
        case .match(let query, let to, let until, let late):
            let first = words(
                "journeys.next_match",
                ["condition": names.condition(query), "step": target(to)]
            )
            return ([first] + limit(until, late)).joined(separator: " ")
        case .atOnce(let to): return words("journeys.next_at_once", ["step": target(to)])
        case .whenResumed: return words("journeys.next_resumed")
        case .over(_, let date): return words("journeys.next_over", ["time": time(date)])
        }
    }

    static func outcome(
        of passage: JourneyPassage,
        _ definition: JourneyDefinition,
        _ names: JourneyNames,
        _ words: Words
    ) -> String {
        switch passage.outcome {
        case .late: return words("journeys.way_late")
        case .left: return words("journeys.figure.left")
        case .passed:
            guard let step = definition.step(passage.step), step.kind.isBranching else {
                return words("journeys.figure.passed")
            }
            let labels = step.wayLabels(names, words)
            switch step.kind {
            case .branch:
                let index = passage.path ?? labels.count - 1
                return labels.indices.contains(index) ? labels[index] : ""
            case .split:
                return passage.path.map { labels.indices.contains($0) ? labels[$0] : "" } ?? ""
            default: return labels.first ?? ""
            }
        }
    }
}
