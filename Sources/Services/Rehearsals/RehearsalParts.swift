import Audience
import Campaigns
import Crypto
import Delivery
import Foundation
import InAppMessages
import Journeys
import Logging
import Model
import Ports
import Sends
import Synchronization

/// The parts of a server, connected as it connects them, on the clock of a rehearsal.
final class RehearsalParts: Sendable {
    /// Maximum number of people planned, and of messages delivered, in one transaction.
    private static let chunk = 2_000

    let clock: RehearsalClock
    let audience: SegmentationService
    let campaigns: CampaignService
    let journeys: JourneyService
    let inApp: InAppMessageService
    /// Answers what templates ask.
    let content = RehearsedServer(status: 0)
    /// Takes the calls of journeys.
    let webhooks = RehearsedServer(status: 200)

    private let store: any Store
    private let log: RehearsalLog
    private let planner: SendPlanner
    private let scheduler: CampaignScheduler
    private let runner: JourneyRunner
    private let caller: JourneyCaller
    private let holds: SendingHoldService
    private let delivery: DeliveryRound

    init(
        _ store: any Store,
        _ clock: RehearsalClock,
        _ log: RehearsalLog,
        _ payload: PayloadMeter,
        _ settings: RehearsalSettings,
        _ logger: Logger
    ) {
        let now: @Sendable () -> Date = { clock.now }
        self.store = store
        self.clock = clock
        self.log = log
        audience = SegmentationService(store: store, now: now, logger: logger)
        planner = SendPlanner(store: store, audience: audience, now: now, onDecision: log.note)
        campaigns = CampaignService(
            store: store,
            planner: planner,
            now: now,
            announceUsers: { _ in },
            announce: { _, _ in }
        )
        journeys = JourneyService(store: store, audience: audience, now: now, announce: { _, _ in })
        inApp = InAppMessageService(store: store, audience: audience, fetcher: content, now: now)
        scheduler = CampaignScheduler(
            store: store,
            planner: planner,
            now: now,
            announce: { _, _ in },
            logger: logger
        )
        runner = JourneyRunner(
            store: store,
            audience: audience,
            now: now,
            announce: { _, _ in },
            logger: logger
        )
        holds = SendingHoldService(
            store: store,
            control: SendControl(store: store, now: now, announce: { _, _ in }),
            now: now
        )
        let random = RehearsalRandom(seed: settings.seed)
        caller = JourneyCaller(
            store: store,
            fetcher: webhooks,
            renderer: MessageRenderer(),
            catalogs: CatalogReader(store: store, now: now, random: random.next),
            key: WebhookKey(root: SymmetricKey(data: Array(repeating: UInt8(0), count: 32))),
            now: now,
            logger: logger
        )
        let service = RehearsedPushService(payload: payload)
        var rounds = DeliveryService.Settings()
        rounds.chunk = Self.chunk
        delivery = DeliveryRound(
            store: store,
            transports: [.apns: service, .fcm: service, .webPush: service],
            fetcher: content,
            renderer: MessageRenderer(),
            settings: rounds,
            now: now,
            random: random.next
        )
    }

    /// A copy of a restored backup is held; what was due before it was sent by the server it is from.
    func releaseHold() async throws {
        _ = try await holds.release(.skip) { .commandLine(account: "rehearsal", $0) }
    }

    /// Does all that is due now.
    ///
    /// - Parameters:
    ///   - nextDelivery: When messages that wait are due, or a limit of pushes per minute lets them through.
    ///     Most moments have none, and nothing but a plan makes others.
    ///   - check: Called between two parts of it, to end it by throwing.
    func settle(
        _ people: inout RehearsedPeople,
        nextDelivery: inout Date,
        _ check: () throws -> Void
    ) async throws {
        var hasWork = true
        while hasWork {
            try check()
            hasWork = try await scheduler.step()
            if try await runner.step() { hasWork = true }
            if try await caller.step() { hasWork = true }
            // One after the other and all before any is delivered, so that what counts for a cap does not
            // depend on how many people there are.
            for send in try await store.startPlanningDueSends(now: clock.now) {
                try await plan(send, check)
                nextDelivery = .distantPast
            }
            guard nextDelivery <= clock.now else { continue }
            nextDelivery = try await deliver(&people, check) ?? .distantFuture
        }
    }

    private func plan(_ send: Send, _ check: () throws -> Void) async throws {
        log.learn(send)
        do {
            var reached: ProfileID?
            while try await !planner.planNextBatch(of: send, limit: Self.chunk).isComplete {
                try check()
                let cursor = try await store.planCursor(of: send.id)
                // Nothing was planned of a send that is not planned any more.
                guard cursor != reached else { return }
                reached = cursor
            }
        } catch let problem as AudienceError {
            // As the server does with an audience that cannot be evaluated.
            _ = try await store.control(send.id, .stop, noting: nil, now: clock.now)
            log.cannotPlan(send, problem)
        }
    }

    /// Delivers all that is due.
    ///
    /// - Returns: When others are due, or a limit of pushes per minute lets them through.
    private func deliver(
        _ people: inout RehearsedPeople,
        _ check: () throws -> Void
    ) async throws -> Date? {
        while true {
            let round = try await delivery.deliver()
            for send in Set(round.done.map(\.dispatch.send)) where !log.knows(send) {
                // Begun before the rehearsal.
                if let begun = try await store.send(send) { log.learn(begun) }
            }
            for done in round.done {
                guard let source = log.note(done) else { continue }
                people.got(done.dispatch, at: clock.now, of: source)
            }
            guard !round.done.isEmpty else { return round.nextPollAt }
            try check()
            await Task.yield()
        }
    }
}

/// Numbers from 0 to 1 for random selections of catalogs, the same each time.
private final class RehearsalRandom: Sendable {
    private let chance: RehearsalChance
    private let drawn = Mutex(0)

    init(seed: UInt64) { chance = RehearsalChance(seed: seed) }

    var next: @Sendable () -> Double {
        {
            let number = self.drawn.withLock { drawn in
                drawn += 1
                return drawn
            }
            return self.chance.share("number", "\(number)")
        }
    }
}
