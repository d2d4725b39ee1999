import Foundation
import Model

/// Moves people through one version of a journey. It has no clock, reads no rows and does nothing:
/// what follows is a `JourneyMove`.
package struct JourneyInterpreter {
    /// A person who takes so many steps at one moment goes in a circle, and leaves.
    package static let stepsAtOnce = 200

    private let journey: UUID
    private let definition: JourneyDefinition
    private let steps: [JourneyStepID: JourneyStep]

    /// - Parameter journey: The journey's identifier, from which chance is drawn.
    package init(journey: UUID, definition: JourneyDefinition) {
        self.journey = journey
        self.definition = definition
        steps = Dictionary(
            definition.steps.map { ($0.id, $0) },
            uniquingKeysWith: { first, _ in first }
        )
    }

    // MARK: Beginning

    /// The entry of a person who stands before the first step; `nil` if there are no steps.
    package func entry(_ entry: JourneyEntry, now: Date) -> JourneyEntry? {
        guard let first = definition.steps.first else { return nil }
        var entry = entry
        entry.position = JourneyPosition(
            step: first.id,
            passage: 0,
            arrivedAt: now,
            dueAt: now,
            awaits: .arrival
        )
        return entry
    }

    // MARK: Moving

    /// Moves a person whose time has come, or whose profile has changed; `nil` if they go on waiting
    /// as they are.
    ///
    /// - Throws: `MissingFactError`.
    package func advance(
        _ entry: JourneyEntry,
        _ facts: JourneyFacts
    ) throws(MissingFactError) -> JourneyMove? {
        guard let position = entry.position else { return nil }
        var walk = JourneyWalk(entry, facts.now)
        guard let step = steps[position.step] else {
            walk.end(.removedStep)
            return walk.move
        }
        if position.awaits == .arrival {
            try take(step, &walk, facts)
            return walk.move
        }
        guard case .wait(let wait) = step.kind else {
            // Another version has made something else of the step at which the person waited.
            try takeChanged(step, &walk, facts)
            return walk.move
        }
        switch try settle(wait, since: position.arrivedAt, facts) {
        case .over:
            walk.pass()
            try go(to: step.next, &walk, facts)
        case .late(let target):
            walk.pass(.late)
            try go(to: target, &walk, facts)
        case .until(let due, let awaits):
            walk.wait(until: due, awaits)
        }
        return walk.move == JourneyMove(before: entry, after: entry) ? nil : walk.move
    }

    /// What an event of the person means for their entry; `nil` if it means nothing. An entry that
    /// has ended can still reach its goal.
    ///
    /// - Throws: `MissingFactError`.
    package func receive(
        _ event: JourneyEvent,
        _ entry: JourneyEntry,
        _ facts: JourneyFacts
    ) throws(MissingFactError) -> JourneyMove? {
        var walk = JourneyWalk(entry, facts.now)
        if let goal = definition.goal, entry.convertedAt == nil, event.time >= entry.enteredAt,
            event.time <= entry.enteredAt.addingTimeInterval(goal.window),
            goal.event.matches(name: event.name, properties: event.properties)
        {
            walk.convert(at: event.time)
            if definition.endsAtGoal { walk.end(.goal) }
        }
        if event.time >= entry.enteredAt, definition.exits.contains(where: { $0.isMet(by: event) })
        {
            walk.end(.exitRule)
        }
        if let position = walk.position, position.awaits == .arrival,
            let step = steps[position.step]
        {
            try take(step, &walk, facts)
        }
        if let position = walk.position, position.awaits != .arrival,
            let step = steps[position.step],
            case .wait(.event(let match, let limit, _)) = step.kind,
            event.time >= position.arrivedAt,
            event.time <= position.arrivedAt.addingTimeInterval(limit),
            match.matches(name: event.name, properties: event.properties)
        {
            walk.pass()
            try go(to: step.next, &walk, facts)
        }
        return walk.move == JourneyMove(before: entry, after: entry) ? nil : walk.move
    }

    // MARK: Steps

    private func go(
        to target: JourneyStepID?,
        _ walk: inout JourneyWalk,
        _ facts: JourneyFacts
    ) throws(MissingFactError) {
        guard let target else { return walk.finish(.completed) }
        walk.arrive(at: target)
        guard let step = steps[target] else { return walk.end(.removedStep) }
        try take(step, &walk, facts)
    }

    /// Takes a step at which the person has just arrived, and those after it until one that waits.
    private func take(
        _ first: JourneyStep,
        _ walk: inout JourneyWalk,
        _ facts: JourneyFacts
    ) throws(MissingFactError) {
        var step = first
        for _ in 0..<Self.stepsAtOnce {
            if try mustLeave(facts) { return walk.end(.exitRule) }
            var target = step.next
            switch step.kind {
            case .exit: return walk.end(.exited)
            case .wait(let wait):
                switch try settle(wait, since: walk.arrivedAt, facts) {
                case .over: walk.pass()
                case .late(let late):
                    walk.pass(.late)
                    target = late
                case .until(let due, let awaits): return walk.wait(until: due, awaits)
                }
            case .branch(let paths):
                let path = try self.path(of: paths, walk.entry, facts)
                if let path { target = paths[path].next }
                walk.pass(path: path)
            case .split(let shares):
                let share = JourneyDraw.share(
                    shares.map(\.weight),
                    journey: journey,
                    step: step.id,
                    profile: walk.entry.profile,
                    entry: walk.entry.number
                )
                target = share.flatMap { shares[$0].next }
                walk.pass(path: share)
            case .jump: walk.pass()
            case .push: walk.act(.push)
            case .inAppMessage(let message): walk.act(.inAppMessage(message))
            case .update(let update):
                // What follows may ask for what was changed, which is stored only with this move.
                walk.act(.update(update))
                guard let target else { return walk.finish(.completed) }
                return walk.arrive(at: target)
            case .webhook: walk.act(.webhook)
            case .enterJourney(let other): walk.act(.enterJourney(other))
            }
            guard let target else { return walk.finish(.completed) }
            walk.arrive(at: target)
            guard let next = steps[target] else { return walk.end(.removedStep) }
            step = next
        }
        walk.end(.tooManySteps)
    }

    /// A step that became another kind while the person waited at it: what decides is taken, what
    /// acts is left out.
    private func takeChanged(
        _ step: JourneyStep,
        _ walk: inout JourneyWalk,
        _ facts: JourneyFacts
    ) throws(MissingFactError) {
        switch step.kind {
        case .exit, .branch, .split: try take(step, &walk, facts)
        case .push, .inAppMessage, .update, .webhook, .wait, .jump, .enterJourney:
            walk.pass()
            try go(to: step.next, &walk, facts)
        }
    }

    // MARK: Conditions

    private func mustLeave(_ facts: JourneyFacts) throws(MissingFactError) -> Bool {
        for rule in definition.exits {
            if case .segment(let query) = rule, try isMember(query, facts) { return true }
        }
        return false
    }

    private func path(
        of paths: [JourneyPath],
        _ entry: JourneyEntry,
        _ facts: JourneyFacts
    ) throws(MissingFactError) -> Int? {
        for (index, path) in paths.enumerated() {
            switch path.condition {
            case .segment(let query):
                if try isMember(query, facts) { return index }
            case .properties(let conditions):
                let known = entry.properties.event.merging(entry.properties.trigger) { $1 }
                if conditions.allSatisfy({ $0.holds(for: known[$0.property]) }) { return index }
            }
        }
        return nil
    }

    private func isMember(_ query: SegmentQuery, _ facts: JourneyFacts) throws(MissingFactError)
        -> Bool
    {
        guard let isMember = facts.isMember(query) else { throw .membership(query) }
        return isMember
    }

    // MARK: Waits

    private enum Wait {
        case over
        case late(JourneyStepID?)
        case until(Date, JourneyPosition.Awaited)
    }

    private func settle(
        _ wait: JourneyWait,
        since arrival: Date,
        _ facts: JourneyFacts
    ) throws(MissingFactError) -> Wait {
        switch wait {
        case .duration(let seconds):
            let due = arrival.addingTimeInterval(seconds)
            return due <= facts.now ? .over : .until(due, .time)
        case .clock(let clock):
            guard let zone = facts.zone else { throw .zone }
            let due = clock.first(after: arrival, in: zone)
            return due <= facts.now ? .over : .until(due, .time)
        case .event(_, let limit, let late):
            let due = arrival.addingTimeInterval(limit)
            return due <= facts.now ? .late(late) : .until(due, .event)
        case .match(let query, let limit, let late):
            if try isMember(query, facts) { return .over }
            let due = arrival.addingTimeInterval(limit)
            return due <= facts.now ? .late(late) : .until(due, .match)
        case .quietHours:
            guard let quiet = facts.quietHours else { return .over }
            guard let zone = facts.zone else { throw .zone }
            let due = quiet.end(afterQuiet: facts.now, in: zone)
            return due.map { .until($0, .time) } ?? .over
        }
    }
}

extension JourneyExitRule {
    fileprivate func isMet(by event: JourneyEvent) -> Bool {
        guard case .event(let match) = self else { return false }
        return match.matches(name: event.name, properties: event.properties)
    }
}

extension JourneyClockTime {
    /// The first moment after `instant` at which clocks in `zone` show this.
    package func first(after instant: Date, in zone: TimeZone) -> Date {
        let today = WallClock.day(of: instant, in: zone)
        // A day on which the moment has passed, and a week to the next one.
        for offset in 0...8 {
            let day = today.adding(days: offset)
            guard weekdays.isEmpty || weekdays.contains(day.weekday) else { continue }
            let moment = WallClock.instant(day, time, in: zone)
            if moment > instant { return moment }
        }
        // Between two moments of a week lies no more than eight days: this weekday never comes.
        return .distantFuture
    }
}
