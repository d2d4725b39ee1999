import Audience
import Campaigns
import Delivery
import Foundation
import InAppMessages
import Journeys
import Logging
import Model
import Ports
import Scheduling

/// Plays days of a workspace in seconds: the scheduler, planner, ledger, templates and journeys of the
/// server, on a clock that jumps from one moment at which something is due to the next.
///
/// It writes into its store, which has to be a copy.
package struct Rehearsal {
    /// Where rows are written, those who play side by side wait for each other so often: rows of so much time
    /// are kept in memory.
    private static let stretch: TimeInterval = 3 * 3_600

    private let store: any Store
    private let workspace: WorkspaceID
    private let settings: RehearsalSettings
    private let payload: PayloadMeter
    private let logger: Logger
    private let hands: RehearsalHands?
    private let rows: RehearsalRows?

    /// - Parameters:
    ///   - store: A copy, with what is to be rehearsed in it.
    ///   - payload: What push services take.
    ///   - hands: Who may play it side by side; without any, one plays all of it.
    ///   - write: Gets every row in the order of time, and those of one moment in an order of their own.
    package init(
        _ store: any Store,
        of workspace: WorkspaceID,
        _ settings: RehearsalSettings,
        payload: PayloadMeter,
        logger: Logger,
        hands: RehearsalHands? = nil,
        write: (@Sendable (RehearsalRow) throws -> Void)? = nil
    ) {
        self.store = store
        self.workspace = workspace
        self.settings = settings
        self.payload = payload
        self.logger = logger
        self.hands = hands
        rows = write.map(RehearsalRows.init)
    }

    /// - Parameter progress: Called again and again with the moment that is played; what it throws ends the
    ///   rehearsal.
    package func run(
        _ progress: @escaping @Sendable (Date) throws -> Void = { _ in }
    ) async throws -> RehearsalResult {
        let zone = try await store.timeZone(of: workspace)
        let clock = RehearsalClock(at: settings.from)
        let check: @Sendable () throws -> Void = { try progress(clock.now) }
        let log = RehearsalLog(clock, of: workspace, zone: zone, rows: rows)
        let parts = RehearsalParts(store, clock, log, payload, settings, logger)
        try await parts.releaseHold()
        try await parts.audience.rebuild()
        var people = RehearsedPeople(settings, of: workspace, zone: zone)
        let active = try await parts.inApp.active(in: workspace)
        let hasInAppMessages = settings.starts.hasInAppMessages || !active.isEmpty
        try await people.read(store, into: log, hasInAppMessages: hasInAppMessages, check)
        let notStarted = try await RehearsalStarter(store, parts, workspace).start(settings.starts)

        var result = RehearsalResult(settings: settings, zone: zone)
        result.people = people.count
        result.openRate = people.openRate
        let first = RehearsalPlayer(store, of: workspace, parts, log, people, check)
        let players = try await play(first, progress)
        var problems: [RehearsalResult.Problem] = []
        for player in players {
            result.merge(player.log.days())
            result.opened += player.people.opened
            result.repeated += player.people.repeated
            result.signedUp += player.people.signedUp
            result.calls += player.parts.webhooks.calls
            result.unasked += player.parts.content.calls
            problems = Self.merged(problems, player.log.problems())
        }
        result.problems = notStarted + problems
        return result
    }

    /// - Returns: Those who have played, when they are done.
    private func play(
        _ player: RehearsalPlayer,
        _ progress: @escaping @Sendable (Date) throws -> Void
    ) async throws -> [RehearsalPlayer] {
        let seats = try await shared(player, progress).map(RehearsalSeat.init)
        var reached = settings.from
        while reached < settings.end {
            let stretch = rows == nil ? .infinity : Self.stretch
            let end = min(settings.end, reached.addingTimeInterval(stretch))
            try await withThrowingTaskGroup(of: Void.self) { group in
                for seat in seats { group.addTask { try await seat.play(until: end) } }
                try await group.waitForAll()
            }
            try rows?.flush()
            reached = end
        }
        return seats.compactMap(\.resting)
    }

    /// Shares the people of a player among as many as there are hands.
    private func shared(
        _ player: RehearsalPlayer,
        _ progress: @escaping @Sendable (Date) throws -> Void
    ) async throws -> [RehearsalPlayer] {
        guard let hands, hands.count > 1, player.people.count >= hands.leastPeople,
            try await !RehearsalTies(
                store: store,
                workspace: workspace,
                inApp: player.parts.inApp
            ).exist()
        else { return [player] }
        var stores: [any Store] = [store]
        while stores.count < hands.count { stores.append(try await hands.copy()) }
        return try await withThrowingTaskGroup(of: (Int, RehearsalPlayer).self) { group in
            for (number, store) in stores.enumerated() {
                let share = PeopleShare(number, of: stores.count)
                group.addTask { (number, try await part(share, of: player, on: store, progress)) }
            }
            return try await group.reduce(into: []) { $0.append($1) }
                .sorted { $0.0 < $1.0 }.map(\.1)
        }
    }

    private func part(
        _ share: PeopleShare,
        of player: RehearsalPlayer,
        on store: any Store,
        _ progress: @escaping @Sendable (Date) throws -> Void
    ) async throws -> RehearsalPlayer {
        try await store.keepOnly(share)
        let clock = RehearsalClock(at: settings.from)
        let known = player.log.people()
        let log = RehearsalLog(
            clock,
            of: workspace,
            zone: try await store.timeZone(of: workspace),
            people: known,
            rows: rows
        )
        let parts = RehearsalParts(store, clock, log, payload, settings, logger)
        try await parts.audience.rebuild()
        var people = player.people
        people.keepOnly(share, Set(known.filter { share.contains($0.key) }.map(\.value.name)))
        return RehearsalPlayer(store, of: workspace, parts, log, people) {
            try progress(clock.now)
        }
    }

    /// A launch for all people that cannot be made fails for each share of them, and counts once.
    private static func merged(
        _ known: [RehearsalResult.Problem],
        _ more: [RehearsalResult.Problem]
    ) -> [RehearsalResult.Problem] {
        var counts: [String: Int] = [:]
        for problem in known { counts[problem.description, default: 0] += 1 }
        return known
            + more.filter { problem in
                let left = counts[problem.description] ?? 0
                counts[problem.description] = left - 1
                return left <= 0
            }
    }
}
