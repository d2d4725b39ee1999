import Foundation
import Model
import Ports
import Scheduling

/// Turns stored events into moves: each event once, in the order of storing.
struct JourneyEventReader {
    private let journeys: [LiveJourney]
    private let settings: JourneyRunner.Settings

    init(journeys: [LiveJourney], settings: JourneyRunner.Settings) {
        self.journeys = journeys
        self.settings = settings
    }

    /// The names of all events that mean something.
    var names: [WorkspaceID: Set<String>] {
        var names: [WorkspaceID: Set<String>] = [:]
        for journey in journeys {
            names[journey.running.workspace, default: []].formUnion(Self.names(of: journey))
        }
        return names
    }

    private static func names(of journey: LiveJourney) -> Set<String> {
        var names = Set(journey.versions.values.flatMap(\.awaitedEvents))
        if let entry = journey.entryEvent { names.insert(entry.eventName) }
        return names
    }

    /// One person's events in one journey, with their entries.
    private struct Item {
        var journey: LiveJourney
        var profile: ProfileID
        var events: [JourneyEvent]
        var entries: [JourneyEntry]
        var last: JourneyEntry?
    }

    /// - Throws: `AudienceError` if a segment cannot be evaluated.
    func commit(
        _ page: TriggerPage,
        after cursor: Int64,
        _ store: any Store,
        _ audience: any MembershipSource,
        _ now: Date
    ) async throws -> JourneyCommit {
        var commit = JourneyCommit(
            events: JourneyCommit.Events(
                of: journeys.map(\.running.id),
                from: cursor,
                to: page.end
            )
        )
        for (workspace, journeys) in Dictionary(grouping: journeys, by: \.running.workspace) {
            let events = page.events.filter { $0.workspace == workspace }
            guard !events.isEmpty else { continue }
            let items = try await items(events, journeys, store, now)
            guard !items.isEmpty else { continue }
            var reader = try await JourneyFactReader(
                store: store,
                audience: audience,
                workspace: workspace,
                now: now
            )
            commit.moves += try await reader.results(items, \.profile) {
                (item, facts) throws(MissingFactError) -> [JourneyMove] in
                try moves(of: item, facts)
            }.flatMap(\.self)
        }
        return commit
    }

    private func items(
        _ events: [TriggerPage.Event],
        _ journeys: [LiveJourney],
        _ store: any Store,
        _ now: Date
    ) async throws -> [Item] {
        let users = Set(events.map(\.profile)).sorted()
        let window = journeys.flatMap(\.versions.values).compactMap(\.goal?.window).max() ?? 0
        let inside = Dictionary(
            grouping: try await store.entries(
                of: users,
                in: journeys.map(\.running.id),
                // An event of the window may arrive late.
                endedSince: window == 0
                    ? .distantFuture : now.addingTimeInterval(-window - settings.maxLateness)
            ),
            by: { Key(journey: $0.journey, profile: $0.profile) }
        )
        var items: [Item] = []
        for journey in journeys {
            let names = Self.names(of: journey)
            let own = events.filter { names.contains($0.name) }
            let entering = own.filter { mayEnter($0, journey, now) }.map(\.profile)
            let last = try await store.lastEntries(
                of: Set(entering).sorted(),
                in: journey.running.id
            )
            for (profile, events) in Dictionary(grouping: own, by: \.profile) {
                let entries = inside[Key(journey: journey.running.id, profile: profile)] ?? []
                guard !entries.isEmpty || entering.contains(profile) else { continue }
                items.append(
                    Item(
                        journey: journey,
                        profile: profile,
                        events: events.map {
                            JourneyEvent(name: $0.name, properties: $0.properties, time: $0.time)
                        },
                        entries: entries,
                        last: last[profile]
                    )
                )
            }
        }
        return items
    }

    private struct Key: Hashable {
        var journey: JourneyID
        var profile: ProfileID
    }

    private func mayEnter(
        _ event: TriggerPage.Event,
        _ journey: LiveJourney,
        _ now: Date
    ) -> Bool {
        mayEnter(
            JourneyEvent(name: event.name, properties: event.properties, time: event.time),
            journey,
            now
        )
    }

    private func mayEnter(
        _ event: JourneyEvent,
        _ journey: LiveJourney,
        _ now: Date
    ) -> Bool {
        guard let match = journey.entryEvent, event.time >= journey.running.opensAt,
            event.time >= now.addingTimeInterval(-settings.maxLateness)
        else { return false }
        return match.matches(name: event.name, properties: event.properties)
    }

    /// What a person's events mean, one after the other: first for the entries that they have, then
    /// whether they enter.
    private func moves(
        of item: Item,
        _ facts: JourneyFacts
    ) throws(MissingFactError) -> [JourneyMove] {
        var moves = item.entries.map { JourneyMove(before: $0, after: $0) }
        for event in item.events {
            for index in moves.indices {
                let entry = moves[index].after
                // Who has left a version in which nobody is any more has the goal of the present one.
                let version = item.journey.versions[entry.version]
                guard let definition = version ?? item.journey.current else {
                    continue
                }
                let interpreter = JourneyInterpreter(
                    journey: item.journey.running.apiID,
                    definition: definition
                )
                if let move = try interpreter.receive(event, entry, facts) {
                    moves[index].append(move)
                }
            }
            if let move = try entry(by: event, item, moves, facts) { moves.append(move) }
        }
        return moves.filter { $0.before != $0.after || !$0.passages.isEmpty }
    }

    private func entry(
        by event: JourneyEvent,
        _ item: Item,
        _ moves: [JourneyMove],
        _ facts: JourneyFacts
    ) throws(MissingFactError) -> JourneyMove? {
        guard mayEnter(event, item.journey, facts.now), let definition = item.journey.current else {
            return nil
        }
        let last = (moves.map(\.after) + [item.last].compactMap(\.self))
            .max { ($0.number, $0.end == nil ? 0 : 1) < ($1.number, $1.end == nil ? 0 : 1) }
        guard try JourneyAdmission.admits(into: definition, last: last, facts) else { return nil }
        let interpreter = JourneyInterpreter(
            journey: item.journey.running.apiID,
            definition: definition
        )
        let entry = interpreter.entry(
            JourneyEntry(
                id: JourneyEntryID(0),
                journey: item.journey.running.id,
                profile: item.profile,
                number: (last?.number ?? -1) + 1,
                version: item.journey.running.version,
                enteredAt: facts.now,
                properties: MessageProperties(event: event.properties)
            ),
            now: facts.now
        )
        guard let entry else { return nil }
        var move = try interpreter.advance(entry, facts) ?? JourneyMove(before: nil, after: entry)
        move.before = nil
        return move
    }
}

extension LiveJourney {
    /// The event with which people enter now.
    fileprivate var entryEvent: EventMatch? {
        guard running.isOpen, case .event(let match)? = current?.entry else { return nil }
        return match
    }
}

extension JourneyDefinition {
    /// The names of the events that move people who are inside.
    fileprivate var awaitedEvents: [String] {
        var matches = steps.compactMap { step -> EventMatch? in
            guard case .wait(.event(let match, _, _)) = step.kind else { return nil }
            return match
        }
        for rule in exits {
            if case .event(let match) = rule { matches.append(match) }
        }
        if let goal { matches.append(goal.event) }
        return matches.map(\.eventName)
    }
}

extension JourneyMove {
    /// Adds what follows after this move.
    fileprivate mutating func append(_ next: JourneyMove) {
        after = next.after
        passages += next.passages
        effects += next.effects
    }
}
