import Foundation
import Model
import Ports
import Scheduling

/// Figures, the people behind them, and where somebody is and why.
extension JourneyService {
    package func figures(of journey: Journey) async throws -> JourneyFigures {
        try await store.figures(of: journey.id)
    }

    /// The figures of several journeys; those that nobody has entered are missing.
    package func totals(of journeys: [Journey]) async throws -> [JourneyID: JourneyTotals] {
        try await store.totals(of: journeys.map(\.id))
    }

    /// Entries, conversions and ends between each boundary and the next.
    package func series(
        of journey: Journey,
        between boundaries: [Date]
    ) async throws -> [JourneyPeriod] {
        try await store.journeySeries(of: journey.id, between: boundaries)
    }

    /// The people behind a figure of a step, the newest entries first, and their number.
    package func people(
        at step: JourneyStepID,
        of journey: Journey,
        in group: JourneyStepGroup,
        page: ListPage
    ) async throws -> (entries: [JourneyEntry], total: Int) {
        try await store.people(
            at: step,
            of: journey.id,
            in: group,
            limit: page.size,
            offset: page.offset
        )
    }

    /// The user of an entry; `nil` if the user is gone.
    package func profile(of entry: JourneyEntry) async throws -> Profile? {
        try await store.profile(entry.profile)
    }

    /// The campaigns under which the pushes of the steps are counted.
    package func messages(of journey: Journey) async throws -> [JourneyStepID: Campaign] {
        var messages: [JourneyStepID: Campaign] = [:]
        for (step, campaign) in try await store.messages(of: journey.id) {
            messages[step] = try await store.campaign(campaign)
        }
        return messages
    }

    /// Entries, conversions and ends of `count` days in the workspace's time zone, ending with the one
    /// that contains `end`.
    package func series(
        of journey: Journey,
        days count: Int,
        endingAt end: Date
    ) async throws -> [(day: CalendarDay, counts: JourneyPeriod)] {
        let zone = try await store.timeZone(of: journey.workspace)
        let last = WallClock.reading(of: end, in: zone).day
        let days = (0..<count).map { last.adding(days: $0 - count + 1) }
        let boundaries = (days + [last.adding(days: 1)]).map {
            WallClock.instant($0, .midnight, in: zone)
        }
        let periods = try await series(of: journey, between: boundaries)
        return zip(days, periods).map { ($0, $1) }
    }

    /// Every entry of a user into a journey, or into all of them, the newest first, with what
    /// happened and what comes next.
    package func explanations(
        of profile: Profile,
        in journey: Journey? = nil
    ) async throws -> [JourneyExplanation] {
        var explanations: [JourneyExplanation] = []
        for entry in try await store.entries(of: profile.id, in: journey?.id) {
            guard let journey = try await self.journey(entry.journey, in: profile.workspace),
                let version = try await store.journeyVersion(entry.version, of: journey.id)
            else { continue }
            explanations.append(
                JourneyExplanation(
                    journey: journey,
                    definition: version.definition,
                    entry: entry,
                    passages: try await store.passages(of: entry.id)
                )
            )
        }
        return explanations
    }

    // MARK: What a new version would do

    /// What publishing the draft would do with the people who are inside, step by step, in the order
    /// of the steps; steps at which nobody is are missing.
    ///
    /// - Throws: `AudienceError` if a segment cannot be evaluated.
    package func preview(
        of migration: JourneyMigration,
        of journey: Journey
    ) async throws -> [JourneyMigrationPreview] {
        let now = now()
        var found: [JourneyStepID: JourneyMigrationPreview] = [:]
        var reader = try await JourneyFactReader(
            store: store,
            audience: audience,
            workspace: journey.workspace,
            now: now
        )
        let interpreter = JourneyInterpreter(
            journey: journey.apiID,
            definition: journey.draft
        )
        var cursor: JourneyEntryID?
        while true {
            let page = try await store.entriesInside(journey.id, after: cursor, limit: 2_000)
            let effects = try await reader.results(page, \.profile) {
                (entry, facts) throws(MissingFactError) -> MigrationEffect in
                try MigrationEffect(of: migration, on: entry, journey.draft, interpreter, facts)
            }
            for (entry, effect) in zip(page, effects) {
                guard let step = entry.position?.step else { continue }
                found[step, default: JourneyMigrationPreview(step: step)].count(effect)
            }
            guard page.count == 2_000 else { break }
            cursor = page.last?.id
        }
        let order = Dictionary(
            journey.draft.steps.enumerated().map { ($1.id, $0) },
            uniquingKeysWith: { first, _ in first }
        )
        return found.values.sorted {
            (order[$0.step] ?? .max, $0.step) < (order[$1.step] ?? .max, $1.step)
        }
    }
}

/// What a migration does with one person.
private enum MigrationEffect {
    case keeps, stays, goesOn, leaves

    init(
        of migration: JourneyMigration,
        on entry: JourneyEntry,
        _ definition: JourneyDefinition,
        _ interpreter: JourneyInterpreter,
        _ facts: JourneyFacts
    ) throws(MissingFactError) {
        guard case .move(let removed) = migration, let position = entry.position else {
            self = .keeps
            return
        }
        guard definition.step(position.step) != nil else {
            let target = removed[position.step].flatMap(definition.step)
            self = target == nil ? .leaves : .goesOn
            return
        }
        var moved = entry
        if position.awaits != .arrival { moved.position?.awaits = .settling }
        let after = try interpreter.advance(moved, facts)?.after ?? moved
        if after.position?.passage == position.passage {
            self = .stays
        } else {
            self = after.end == .removedStep ? .leaves : .goesOn
        }
    }
}

extension JourneyMigrationPreview {
    fileprivate mutating func count(_ effect: MigrationEffect) {
        waiting += 1
        switch effect {
        case .keeps: keeping += 1
        case .stays: staying += 1
        case .goesOn: goingOn += 1
        case .leaves: leaving += 1
        }
    }
}
