import Foundation
import Logging
import Ports
import ServiceLifecycle
import Synchronization

/// Checks whether the store is writable, even while there are no writes.
final class StoreWatch: Service {
    struct Pauses: Sendable {
        /// Interval while the store works. If other writes have succeeded meanwhile, no probe is
        /// made.
        var well = Duration.seconds(10)
        /// Interval while the store fails, so that its recovery is noticed soon.
        var failing = Duration.seconds(2)
    }

    private struct State {
        var trouble: StoreTrouble?
        var since: Date?
    }

    private let store: any HealthStore
    private let pauses: Pauses
    private let now: @Sendable () -> Date
    private let logger: Logger
    private let state = Mutex(State())

    init(
        store: any HealthStore,
        pauses: Pauses = Pauses(),
        now: @escaping @Sendable () -> Date,
        logger: Logger
    ) {
        self.store = store
        self.pauses = pauses
        self.now = now
        self.logger = logger
    }

    /// The problem of the store, and the time since which it is known.
    var trouble: (reason: String, since: Date)? {
        // The result of the last write is newer than that of the last probe.
        look(store.trouble)
        return state.withLock { state in
            guard let trouble = state.trouble, let since = state.since else { return nil }
            return ("\(trouble.reason)", since)
        }
    }

    func run() async throws {
        await cancelWhenGracefulShutdown {
            var writes = self.store.writesDone
            while !Task.isCancelled {
                let pause = self.store.trouble == nil ? self.pauses.well : self.pauses.failing
                // Cancellation ends the sleep, and with it the loop.
                try? await Task.sleep(for: pause)
                guard !Task.isCancelled else { return }
                if self.store.trouble == nil, self.store.writesDone != writes {
                    writes = self.store.writesDone
                    self.look(nil)
                    continue
                }
                self.look(await self.store.probe())
                writes = self.store.writesDone
            }
        }
    }

    private func look(_ trouble: StoreTrouble?) {
        let change: (from: StoreTrouble?, to: StoreTrouble?)? = state.withLock { state in
            let old = state.trouble
            state.trouble = trouble
            if trouble == nil { state.since = nil } else if old == nil { state.since = now() }
            return old?.reason == trouble?.reason ? nil : (old, trouble)
        }
        guard let change else { return }
        if let trouble = change.to {
            logger.error(
                "the store cannot be written; requests that need it are answered 503",
                metadata: ["store.trouble": "\(trouble.reason)"]
            )
        } else {
            logger.notice("the store can be written again")
        }
    }
}
