import Logging
import Model
import Ports
import Reasons
import ServiceLifecycle
import StoreSQL

/// Ends a server whose database another one has taken, which can happen only while this one could not reach
/// it. Nothing that it writes is stored any more; its service manager starts it again, and then it waits.
struct ClaimWatch: Service {
    private static let pause = Duration.seconds(2)

    let claim: PostgresClaim
    let database: DatabaseLocation
    let logger: Logger

    func run() async throws {
        try await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                // Cancellation ends the sleep, and with it the loop.
                try? await Task.sleep(for: Self.pause)
                guard !Task.isCancelled else { return }
                // Nobody can take a database that cannot be reached; `StoreWatch` tells of it.
                guard let isHeld = try? await claim.isHeld(), !isHeld else { continue }
                let error = StoreError(
                    .taken,
                    .superseded,
                    ["path": .text(database.name)]
                )
                logger.critical("the server stops", metadata: ["reason": "\(error)"])
                throw error
            }
        }
    }
}
