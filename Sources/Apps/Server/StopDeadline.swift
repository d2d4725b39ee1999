import Foundation
import Front
import Logging
import NIOCore
import NIOPosix
import ServiceLifecycle

/// Runs the service with the connections, and ends it within a time limit once it is told to stop,
/// whatever clients do.
///
/// First, requests may finish; then connections on which the server waits for the client are
/// closed, and then all others. The last commits and the outcomes of pushes get the rest of the
/// time. A process that still runs afterwards is ended at once, which the store tolerates.
struct StopDeadline: Service {
    let inner: any Service
    let places: ConnectionPlaces
    let seconds: Int
    /// Whether this server owns the process and may end it.
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
            // Not on a thread that serves requests, because those may be blocked.
            Thread.detachNewThread {
                Thread.sleep(forTimeInterval: last)
                logger.critical("the server did not stop in time and ends now")
                _exit(EXIT_FAILURE)
            }
        }
    }
}
