import Foundation
import Logging
import Ports
import ServiceLifecycle

/// Strikes off servers that have ended, gives back what they had claimed, and forgets what servers told each
/// other long ago.
struct ServerUpkeep: Service {
    private static let pause = Duration.seconds(2)
    /// How many seconds a server may be silent.
    static let silence: TimeInterval = 15
    /// How many seconds servers are told of a change.
    private static let hintAge: TimeInterval = 60

    let store: any ServerStore
    let now: @Sendable () -> Date
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                do {
                    try await look()
                } catch is CancellationError {
                    return
                } catch {
                    logger.error(
                        "servers could not be looked at and will be again",
                        metadata: ["error": "\(error)"]
                    )
                }
                try? await Task.sleep(for: Self.pause)
            }
        }
    }

    private func look() async throws {
        let now = now()
        let gone = try await store.removeServers(
            silentFor: Self.silence,
            or: \.hasEnded,
            now: now
        )
        for server in gone.servers {
            logger.notice(
                "a server has ended",
                metadata: [
                    "server.name": "\(server.name)", "server.host": "\(server.host)",
                    "server.process": "\(server.process)",
                ]
            )
        }
        if gone.dispatches > 0 {
            logger.notice(
                "pushes that were on their way are sent again",
                metadata: ["delivery.count": "\(gone.dispatches)"]
            )
        }
        try await store.forgetSharedChanges(before: now.addingTimeInterval(-Self.hintAge))
    }
}
