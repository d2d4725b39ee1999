import Campaigns
import Foundation
import Journeys
import Model
import WebPages

extension JourneyState {
    var wordKey: String {
        switch self {
        case .draft: "journeys.state.draft"
        case .active: "journeys.state.active"
        case .paused: "journeys.state.paused"
        case .draining: "journeys.state.draining"
        case .stopped: "journeys.state.stopped"
        case .archived: "journeys.state.archived"
        }
    }

    var tone: String {
        switch self {
        case .draft, .stopped, .archived: "quiet"
        case .active: "good"
        case .paused, .draining: "warn"
        }
    }
}

extension JourneyAction {
    var wordKey: String {
        switch self {
        case .pause: "journeys.action.pause"
        case .resume: "journeys.action.resume"
        case .drain: "journeys.action.drain"
        case .stop: "journeys.action.stop"
        case .archive: "journeys.action.archive"
        }
    }

    /// The confirmation question; `nil` if none is needed.
    var questionKey: String? {
        switch self {
        case .drain: "journeys.drain_confirm"
        case .stop: "journeys.stop_confirm"
        case .archive: "journeys.archive_confirm"
        case .pause, .resume: nil
        }
    }

    var notice: FlashMessage {
        switch self {
        case .pause: .journeyPaused
        case .resume: .journeyResumed
        case .drain: .journeyDrained
        case .stop: .journeyStopped
        case .archive: .journeyArchived
        }
    }
}

extension JourneyStepGroup {
    var wordKey: String {
        switch self {
        case .entered: "journeys.figure.entered"
        case .waiting: "journeys.figure.waiting"
        case .passed: "journeys.figure.passed"
        case .late: "journeys.figure.late"
        case .left: "journeys.figure.left"
        case .converted: "journeys.figure.converted"
        case .failed: "journeys.figure.failed"
        }
    }
}

extension JourneyStepFigures {
    func count(_ group: JourneyStepGroup) -> Int {
        switch group {
        case .entered: entered
        case .waiting: waiting
        case .passed: passed
        case .late: late
        case .left: left
        case .converted: converted
        case .failed: failed
        }
    }
}

extension JourneyEnd {
    var wordKey: String {
        switch self {
        case .completed: "journeys.end.completed"
        case .exited: "journeys.end.exited"
        case .exitRule: "journeys.end.exit_rule"
        case .goal: "journeys.end.goal"
        case .stopped: "journeys.end.stopped"
        case .removedStep: "journeys.end.removed_step"
        case .merged: "journeys.end.merged"
        case .tooManySteps: "journeys.end.too_many_steps"
        }
    }
}

extension JourneyStep {
    /// What the step is called where there is room for a line.
    func title(_ words: Words) -> String {
        name.isEmpty ? words(JourneyStepChoice(kind).wordKey) : name
    }

    /// What it does, line by line.
    func lines(_ names: JourneyNames, _ words: Words) -> [String] {
        switch kind {
        case .push(let push):
            var lines = push.variants.map { variant in
                let message = variant.message.common.message
                let text = [message.title, message.body].compactMap { $0 }
                    .filter { !$0.isEmpty }.joined(separator: " — ")
                let shown = text.isEmpty ? words("journeys.unwritten") : text
                return push.variants.count > 1 ? "\(variant.name): \(shown)" : shown
            }
            if push.controlShare > 0 {
                lines.append(
                    words(
                        "journeys.control",
                        ["share": words.percent(push.controlShare, of: 100)]
                    )
                )
            }
            return lines
        case .inAppMessage(let shown):
            return [
                names.message(shown.message),
                words("journeys.shown_for", ["time": words.span(shown.duration)]),
            ]
        case .update(let update):
            return update.attributes.keys.sorted().map { name in
                let value = update.attributes[name]?.shownText ?? ""
                return value.isEmpty
                    ? words("journeys.removes", ["name": name]) : "\(name) = \(value)"
            }
                + update.addToLists.map {
                    words("journeys.adds_to_list", ["list": names.list($0)])
                }
                + update.removeFromLists.map {
                    words("journeys.removes_from_list", ["list": names.list($0)])
                }
        case .webhook(let webhook): return ["\(webhook.method.rawValue) \(webhook.url)"]
        case .wait(let wait): return [wait.text(names, words)]
        case .branch, .jump, .exit: return []
        case .split(let shares):
            return shares.contains(where: \.isControl) ? [words("journeys.has_control")] : []
        case .enterJourney(let id): return [names.journey(id)]
        }
    }

    /// What leads onto each of its ways, in the order of its places.
    func wayLabels(_ names: JourneyNames, _ words: Words) -> [String] {
        switch kind {
        case .branch(let paths):
            return paths.map { path in
                path.name.isEmpty
                    ? path.condition.text(names, words)
                    : "\(path.name): \(path.condition.text(names, words))"
            } + [words("journeys.way_else")]
        case .split(let shares):
            let all = shares.map(\.weight).reduce(0, +)
            return shares.map { share in
                let part = words.percent(share.weight, of: all)
                return share.isControl
                    ? "\(share.name) · \(part) · \(words("journeys.is_control"))"
                    : "\(share.name) · \(part)"
            }
        case .wait(.event): return [words("journeys.way_event"), words("journeys.way_late")]
        case .wait(.match): return [words("journeys.way_match"), words("journeys.way_late")]
        default: return [""]
        }
    }
}

extension JourneyCondition {
    func text(_ names: JourneyNames, _ words: Words) -> String {
        switch self {
        case .segment(let query): names.condition(query)
        case .properties(let conditions):
            conditions.map { $0.text(words) }.joined(separator: " · ")
        }
    }
}

extension PropertyCondition {
    func text(_ words: Words) -> String {
        let test = words(comparison.wordKey)
        return comparison.needsValue
            ? "\(property) \(test) \(value.shownText)" : "\(property) \(test)"
    }
}

extension PropertyCondition.Comparison {
    var needsValue: Bool { self != .exists && self != .doesNotExist }

    var wordKey: String {
        switch self {
        case .equals: "journeys.test.equals"
        case .notEqual: "journeys.test.not_equal"
        case .greaterThan: "journeys.test.greater"
        case .greaterThanOrEqual: "journeys.test.greater_or_equal"
        case .lessThan: "journeys.test.less"
        case .lessThanOrEqual: "journeys.test.less_or_equal"
        case .contains: "journeys.test.contains"
        case .exists: "journeys.test.exists"
        case .doesNotExist: "journeys.test.missing"
        }
    }
}

extension EventMatch {
    /// The event with what its properties must be.
    func sentence(_ words: Words) -> String {
        let name =
            switch kind {
            case .custom(let name):
                name.isEmpty
                    ? words("journeys.unset") : words("journeys.quoted", ["text": name])
            case .purchase(let product?): words("journeys.purchase_of", ["product": product])
            case .purchase(nil): words("timeline.purchase")
            case .sessionStart: words("journeys.session_start")
            }
        guard !conditions.isEmpty else { return name }
        return "\(name) (\(conditions.map { $0.text(words) }.joined(separator: ", ")))"
    }
}

extension JourneyWait {
    func text(_ names: JourneyNames, _ words: Words) -> String {
        switch self {
        case .duration(let seconds): return words.span(seconds)
        case .clock(let clock):
            let days = clock.weekdays.sorted().map(words.weekday).joined(separator: ", ")
            return words(
                days.isEmpty ? "journeys.until_time" : "journeys.until_day",
                ["time": clock.time.description, "days": days]
            )
        case .event(let event, let limit, _):
            return words(
                "journeys.until_event",
                ["event": event.sentence(words), "limit": words.span(limit)]
            )
        case .match(let query, let limit, _):
            return words(
                "journeys.until_match",
                ["condition": names.condition(query), "limit": words.span(limit)]
            )
        case .quietHours: return words("journeys.until_quiet_hours")
        }
    }
}

extension Words {
    /// A span of time of a journey in its two largest units.
    func span(_ seconds: TimeInterval) -> String {
        duration(Int64(min(max(seconds, 0), 1e12)))
    }
}

extension JourneyEntryRule {
    func text(_ names: JourneyNames, _ context: ConsoleContext) -> String {
        let words = context.words
        switch self {
        case .event(let event):
            return words("journeys.entry_event_text", ["event": event.sentence(words)])
        case .members(let query, nil):
            return words("journeys.entry_members_text", ["segment": names.condition(query)])
        case .members(let query, let at?):
            return words(
                "journeys.entry_members_at_text",
                [
                    "segment": names.condition(query),
                    "time": words.dateAndTime(at, in: context.zone),
                ]
            )
        case .entering(let query):
            return words("journeys.entry_entering_text", ["segment": names.condition(query)])
        case .api: return words("journeys.entry_api_text")
        case .journey: return words("journeys.entry_journey_text")
        }
    }
}

extension JourneyDefinition {
    /// Its rules, line by line.
    func lines(_ names: JourneyNames, _ context: ConsoleContext) -> [PushReviewPage.Line] {
        let words = context.words
        var lines: [PushReviewPage.Line] = []
        func add(_ key: String, _ value: String) {
            if !value.isEmpty { lines.append(.init(label: words(key), value: value)) }
        }
        add("journeys.entry", entry.text(names, context))
        if let audience { add("journeys.audience", names.condition(audience)) }
        add("journeys.reentry", reentry.text(words))
        for rule in exits {
            switch rule {
            case .event(let event):
                add(
                    "journeys.exits",
                    words("journeys.exit_event_text", ["event": event.sentence(words)])
                )
            case .segment(let query):
                add(
                    "journeys.exits",
                    words("journeys.exit_segment_text", ["segment": names.condition(query)])
                )
            }
        }
        if let goal {
            let text = words(
                "journeys.goal_text",
                ["event": goal.event.sentence(words), "time": words.span(goal.window)]
            )
            add(
                "journeys.goal",
                endsAtGoal ? "\(text) · \(words("journeys.ends_at_goal_text"))" : text
            )
        }
        add("campaigns.quiet", words(quietHours.wordKey))
        if isExemptFromCaps { add("campaigns.caps", words("campaigns.ignores_caps")) }
        add("campaigns.tags", tags.joined(separator: ", "))
        return lines
    }
}

extension Reeligibility {
    func text(_ words: Words) -> String {
        switch self {
        case .never: words("journeys.reentry_never")
        case .after(0): words("journeys.reentry_at_once")
        case .after(let pause): words("journeys.reentry_after", ["time": words.span(pause)])
        }
    }
}
