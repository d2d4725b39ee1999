import Logging
import Ports
import ServiceLifecycle
import WorkLoops

/// Keeps the index by which the events of a user are found close behind what comes.
package struct UserEventIndexer: Service {
    /// Events of a step: with more of them there is less to look at for a user, and more that is not in the index.
    package static let stepSize = 16_384
    /// Between two steps, so that whoever writes gets in between, and between looks whether there is one.
    private static let (rest, look): (Duration, Duration) = (.milliseconds(50), .seconds(5))

    private let store: any UserEventIndexStore
    private let logger: Logger

    package init(store: any UserEventIndexStore, logger: Logger) {
        self.store = store
        self.logger = logger
    }

    package func run() async throws {
        await WorkLoop(
            pause: Self.look,
            logger: logger,
            failure: "the index of events by user has stopped; the next try is in five seconds",
            key: "index.error"
        ).run {
            let hadWork = try await store.indexEvents(Self.stepSize)
            if hadWork { try await Task.sleep(for: Self.rest) }
            return hadWork
        }
    }
}
