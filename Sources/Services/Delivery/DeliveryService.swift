import Analytics
import Campaigns
import Foundation
import Logging
import Model
import Ports
import Scheduling
import ServiceLifecycle

/// The parts of the store that delivery uses.
package typealias DeliveryStore = SendStore & DispatchStore & PlanStore & ContentBlockStore
    & CatalogStore

/// Delivers sends: writes dispatches, sends pushes to the providers, and records outcomes.
///
/// All of its state is in the store, so it can be stopped at any instruction: the next start
/// continues planning from the cursor and sends unrecorded pushes again, under the same dispatch
/// ids.
package struct DeliveryService: Service {
    package struct Settings: Sendable {
        /// Identifies this process in leases; the same at every start of the same server.
        package var owner = "main"
        /// Whether no other server works on the database. Then it plans sends, too, and what anybody had claimed
        /// before its start is due again.
        package var isAlone = true
        /// Maximum number of dispatches that one worker claims at a time.
        package var chunk = 500
        /// Number of workers: while one waits for the store, the other renders.
        package var workers = 2
        /// Maximum number of claimed dispatches without a recorded outcome, which a crash would
        /// repeat.
        package var inFlight = 4_000
        /// Maximum number of them per lane, so that a slow provider leaves capacity for the others.
        package var inFlightPerLane = 3_000
        /// Maximum number of bytes of messages in flight.
        package var inFlightBytes = 16 * 1024 * 1024
        /// Number of recipients planned in one transaction.
        package var planChunk = 2_000
        /// Duration of a lease, in seconds; longer than a push's deadline.
        package var lease: TimeInterval = 120
        /// Maximum interval between polls for unannounced work.
        package var idlePause: Duration = .seconds(1)
        package var pushDeadline: Duration = .seconds(30)
        /// How long a push without an expiration waits for an unusable provider, in seconds.
        package var outagePatience: TimeInterval = 24 * 3600

        package init() {}
    }

    private let store: any DeliveryStore
    /// Plans due sends; part of `run` unless the settings say otherwise.
    package let planning: SendPlanningService
    private let delivery: DispatchProcessor
    private let breakers: CircuitBreakers
    private let fetcher: any ContentFetcher
    private let renderer: MessageRenderer
    private let feed: ChangeFeed
    private let wake: WakeSignal
    private let settings: Settings
    private let now: @Sendable () -> Date
    private let jitter: @Sendable () -> Double
    private let metrics: DeliveryMetrics
    private let hands = DeliveryHands()
    private let logger: Logger

    package init(
        store: any DeliveryStore,
        planner: SendPlanner,
        transports: [PushProvider: any PushTransport],
        fetcher: any ContentFetcher,
        renderer: MessageRenderer = MessageRenderer(),
        feed: ChangeFeed,
        wake: WakeSignal,
        settings: Settings = Settings(),
        now: @escaping @Sendable () -> Date,
        jitter: @escaping @Sendable () -> Double,
        metrics: DeliveryMetrics = DeliveryMetrics(),
        logger: Logger
    ) {
        self.store = store
        planning = SendPlanningService(
            store: store,
            planner: planner,
            feed: feed,
            wake: wake,
            settings: settings,
            now: now,
            logger: logger
        )
        self.fetcher = fetcher
        self.renderer = renderer
        self.feed = feed
        self.wake = wake
        self.settings = settings
        self.now = now
        self.jitter = jitter
        self.metrics = metrics
        self.logger = logger
        breakers = CircuitBreakers(jitter: jitter)
        delivery = DispatchProcessor(
            transports: transports,
            settings: settings,
            now: now,
            jitter: jitter
        )
    }

    /// What is on its way at the moment; nothing unless the service runs.
    package var load: DeliveryLoad {
        var load = hands.load
        load.lanes = breakers.lanes
        return load
    }

    package func run() async throws {
        let released = try await store.releaseLeases(
            owner: settings.isAlone ? nil : settings.owner,
            now: now()
        )
        if released > 0 {
            logger.notice(
                "pushes that were on their way at the last stop are sent again",
                metadata: ["delivery.count": "\(released)"]
            )
        }
        let results = ResultQueue()
        let window = InFlightWindow(
            maxCount: settings.inFlight,
            maxBytes: settings.inFlightBytes,
            maxPerLane: settings.inFlightPerLane
        )
        hands.hold(window, results)
        let recorder = OutcomeRecorder(
            store: store,
            results: results,
            window: window,
            breakers: breakers,
            feed: feed,
            wake: wake,
            owner: settings.owner,
            now: now,
            metrics: metrics,
            logger: logger
        )
        let worker = DeliveryWorker(
            store: store,
            delivery: delivery,
            renderers: RendererCache(
                store: store,
                content: RendererCache.Content(
                    store: store,
                    catalogs: CatalogReader(store: store, now: now, random: jitter),
                    fetcher: fetcher,
                    renderer: renderer
                )
            ),
            window: window,
            breakers: breakers,
            results: results,
            settings: settings,
            now: now,
            metrics: metrics,
            logger: logger
        )
        // Not a child of this task: outcomes of pushes that end during shutdown are recorded too,
        // which a cancelled task could not do.
        let recording = Task { await recorder.run() }
        await cancelWhenGracefulShutdown {
            await withTaskGroup(of: Void.self) { group in
                if settings.isAlone { group.addTask { await planning.run() } }
                for _ in 0..<settings.workers {
                    group.addTask { await worker.run(wake: wake) }
                }
            }
        }
        results.finish()
        await recording.value
    }
}
