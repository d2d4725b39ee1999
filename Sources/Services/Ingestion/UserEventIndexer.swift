import Logging
import Ports
import ServiceLifecycle
import WorkLoops

/// Keeps the index by which the events of a user are found close behind what comes.
package struct UserEventIndexer: Service {
    /// Events of a step: with more of them there is less to look at for a user, and more that is not in the index.
    package static let stepSize = 16_384
    /// Between two steps, so that whoever writes gets in between.
    private static let rest = Duration.milliseconds(50)

    private let store: any UserEventIndexStore
    private let look: Duration
    private let logger: Logger

    /// - Parameter look: Between looks whether there is a step to do.
    package init(
        store: any UserEventIndexStore,
        look: Duration = .seconds(5),
        logger: Logger
    ) {
        self.store = store
        self.look = look
        self.logger = logger
    }

    package func run() async throws {
        await WorkLoop(
            pause: look,
            logger: logger,
            failure: "the index of events by user has stopped; it is tried again in a few seconds",
            key: "index.error"
        ).run {
            let didWork = try await store.indexEvents(Self.stepSize)
            if didWork { try await Task.sleep(for: Self.rest) }
            return didWork
        }
    }
}
