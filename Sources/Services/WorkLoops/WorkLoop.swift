import Logging
import ServiceLifecycle

/// Repeats a service's work until the process stops: at once while there is some, otherwise after a
/// pause.
package struct WorkLoop: Sendable {
    private let pause: Duration
    private let logger: Logger
    private let failure: Logger.Message
    private let key: String

    /// - Parameters:
    ///   - pause: Maximum interval between looks at what is due.
    ///   - failure: What is logged when the work could not be done; it is tried again.
    ///   - key: The name of the error in the log's metadata.
    package init(pause: Duration, logger: Logger, failure: Logger.Message, key: String) {
        self.pause = pause
        self.logger = logger
        self.failure = failure
        self.key = key
    }

    /// Does what is due, with a pause after each time.
    package func runWithPauses(
        _ work: @escaping @Sendable () async throws -> Void
    ) async {
        await run {
            try await work()
            return false
        }
    }

    /// - Parameter step: Does what is due, and tells whether more work may be due at once.
    package func run(_ step: @escaping @Sendable () async throws -> Bool) async {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                var didWork = false
                do {
                    didWork = try await step()
                } catch is CancellationError {
                    return
                } catch {
                    logger.error(failure, metadata: [key: "\(error)"])
                }
                // The only error is cancellation, which ends the loop.
                if !didWork { try? await Task.sleep(for: pause) }
            }
        }
    }
}
