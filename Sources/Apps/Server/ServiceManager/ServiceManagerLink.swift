import Foundation
import Logging
import NIOCore
import NIOPosix
import ServiceLifecycle

/// Tells systemd that the server serves, that it lives, and that it stops.
///
/// A sign of life is given only after every event loop has done something since the last one: a
/// server whose threads are blocked gives none and is restarted by its manager, which the store
/// tolerates.
package struct ServiceManagerLink: Service {
    let settings: ServiceManagerSettings
    let loops: any EventLoopGroup
    let logger: Logger

    package init(settings: ServiceManagerSettings, loops: any EventLoopGroup, logger: Logger) {
        self.settings = settings
        self.loops = loops
        self.logger = logger
    }

    /// - Returns: `nil` if no manager listens.
    init?(_ settings: Settings, _ logger: Logger) {
        guard let manager = settings.serviceManager else { return nil }
        self.init(
            settings: manager,
            loops: MultiThreadedEventLoopGroup.singleton,
            logger: logger
        )
    }

    package func run() async throws {
        await withGracefulShutdownHandler {
            await cancelWhenGracefulShutdown { await giveSignsOfLife() }
        } onGracefulShutdown: {
            send("STOPPING=1")
        }
    }

    /// Reports that requests are served.
    package func ready(address: String) {
        send("READY=1\nSTATUS=serving \(address)")
    }

    /// Reports that the server waits for its turn, which may last longer than a start may.
    func standby(address: String) {
        send("READY=1\nSTATUS=standby at \(address), others have the database")
    }

    /// Until it is cancelled.
    func giveSignsOfLife() async {
        guard let watchdog = settings.watchdog else {
            await NoroshiServer.forever()
            return
        }
        while !Task.isCancelled {
            for loop in loops.makeIterator() {
                try? await loop.submit {}.get()
            }
            send("WATCHDOG=1")
            // Cancellation ends the sleep, and with it the loop. Half the time, as sd_notify(3)
            // recommends.
            try? await Task.sleep(for: watchdog / 2)
        }
    }

    private func send(_ state: String) {
        do throws(ServiceManagerError) {
            try ServiceManagerSocket.send(state, to: settings.socket)
        } catch {
            // The server works without; its manager's own time limit says the rest.
            logger.warning(
                "the service manager cannot be told what the server does",
                metadata: ["manager.socket": "\(settings.socket)", "error": "\(error)"]
            )
        }
    }
}
