import Analytics
import Foundation
import Logging
import Ports
import ServiceLifecycle
import Synchronization

/// Tells the other servers of one database what happens here, and pages and workers here what happens there.
///
/// What was published is gathered for a moment, so that a thousand outcomes of a send are told once. Where
/// nothing happens, it costs a small query.
package final class ChangeExchange: Service {
    private struct State {
        /// The last change that was heard; `nil` before the first look.
        var heard: Int64?
        var isInTrouble = false
    }

    private let store: any ServerStore
    private let server: UUID
    private let feed: ChangeFeed
    private let share: ServerShare
    private let pause: Duration
    private let now: @Sendable () -> Date
    private let wake: @Sendable () -> Void
    private let logger: Logger
    private let state = Mutex(State())

    /// - Parameters:
    ///   - server: Who tells.
    ///   - share: How many listen; what happens is not told to nobody.
    ///   - pause: Interval between looks, and for how long changes are gathered.
    ///   - wake: Called when another server has told of a send, for which there may be work here.
    package init(
        store: any ServerStore,
        server: UUID,
        feed: ChangeFeed,
        share: ServerShare,
        pause: Duration = .milliseconds(100),
        now: @escaping @Sendable () -> Date,
        wake: @escaping @Sendable () -> Void,
        logger: Logger
    ) {
        self.store = store
        self.server = server
        self.feed = feed
        self.share = share
        self.pause = pause
        self.now = now
        self.wake = wake
        self.logger = logger
        feed.beginGathering()
    }

    package func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                await self.round()
                // The only error is cancellation, which ends the loop.
                try? await Task.sleep(for: self.pause)
            }
        }
        // What happened while the server stopped. Who misses a hint reads the store.
        try? await tell()
    }

    /// Takes a round, and says once that the database does not let it, and once that it does again.
    private func round() async {
        do {
            try await exchange()
            let hadTrouble = state.withLock { state in
                defer { state.isInTrouble = false }
                return state.isInTrouble
            }
            if hadTrouble { logger.notice("the servers tell each other of changes again") }
        } catch is CancellationError {
            // The loop ends.
        } catch {
            let isNew = state.withLock { state in
                defer { state.isInTrouble = true }
                return !state.isInTrouble
            }
            guard isNew else { return }
            logger.error(
                "the servers cannot tell each other of changes; this one tries again",
                metadata: ["servers.error": "\(error)"]
            )
        }
    }

    /// Tells what was gathered, and passes on what others have told since the last time.
    package func exchange() async throws {
        try await tell()
        let (changes, last) = try await store.sharedChanges(
            after: state.withLock(\.heard),
            besidesThoseOf: server
        )
        state.withLock { $0.heard = last }
        guard !changes.isEmpty else { return }
        feed.publish(told: changes)
        if changes.contains(where: \.isOfSend) { wake() }
    }

    private func tell() async throws {
        let changes = feed.takeGathered()
        guard !changes.isEmpty, share.servers > 1 else { return }
        do {
            try await store.share(changes, from: server, now: now())
        } catch {
            feed.giveBack(changes)
            throw error
        }
    }
}

extension SharedChange {
    fileprivate var isOfSend: Bool {
        if case .send = self { true } else { false }
    }
}
