import Foundation
import Front
import Logging
import NIOCore
import NIOPosix
import ServiceLifecycle

/// Runs the part that has the connections, and ends them within a time once it is told to stop,
/// whatever clients do.
///
/// First requests may come to their end; then connections on which the server waits for the client
/// are closed, and then all. What follows, the last commits and the results of pushes, has the rest
/// of the time. A process that is still there afterwards ends at once: the store bears that.
struct StopDeadline: Service {
    let inner: any Service
    let places: ConnectionPlaces
    let seconds: Int
    /// Whether the process is this server's alone, and may be ended.
    let mayExit: Bool
    let logger: Logger

    func run() async throws {
        try await withGracefulShutdownHandler {
            try await inner.run()
        } onGracefulShutdown: {
            let whole = TimeAmount.seconds(Int64(seconds))
            let events = MultiThreadedEventLoopGroup.singleton.next()
            let (places, logger) = (places, logger)
            events.scheduleTask(in: .nanoseconds(whole.nanoseconds * 2 / 10)) {
                places.closeWaiting()
            }
            events.scheduleTask(in: .nanoseconds(whole.nanoseconds * 5 / 10)) {
                if places.count > 0 {
                    logger.notice(
                        "connections are closed, because the server stops",
                        metadata: ["connections": "\(places.count)"]
                    )
                }
                places.closeAll()
            }
            guard mayExit else { return }
            let last = Double(seconds) * 0.95
            // Not on a thread that answers requests: those may be what does not end.
            Thread.detachNewThread {
                Thread.sleep(forTimeInterval: last)
                logger.critical("the server did not stop in time and ends now")
                _exit(EXIT_FAILURE)
            }
        }
    }
}
