import Foundation
import Logging
import Model
import Ports
import Reasons
import Servers
import ServiceLifecycle
import StoreSQL

/// Gives signs of life among the servers of one database, and ends a server that was struck off: it was silent
/// for too long, others have what it had claimed, and what it knows is old. Its service manager starts it
/// again.
struct PresenceService: Service {
    /// Between two signs of life.
    private static let pause = Duration.seconds(2)

    let presence: ServerPresence
    let part: ServerPart
    let database: DatabaseLocation
    /// What the server says of itself.
    let report: @Sendable () -> ServerReport
    /// Told after each sign of life how many servers there are.
    let share: ServerShare
    /// The time since a fixed moment.
    let uptime: @Sendable () -> Duration
    let logger: Logger

    func run() async throws {
        do {
            try await cancelWhenGracefulShutdown { try await beat() }
        } catch is CancellationError {
            // The rest of the server goes on to its end.
        } catch {
            await presence.leave()
            throw error
        }
        await presence.leave()
    }

    private func beat() async throws {
        var isOff = false
        part.gaveSign(at: uptime())
        while !Task.isCancelled {
            do {
                let seen = try await presence.beat(report(), address: part.address)
                guard let (offset, servers) = seen else { throw struckOff }
                part.gaveSign(at: uptime())
                share.set(servers)
                let wasOff = isOff
                isOff = abs(offset) > WorkingServer.clockTolerance
                if isOff, !wasOff {
                    logger.warning(
                        "the clock of this server and that of the database differ; set both by NTP",
                        metadata: ["clock.offset": "\(offset)"]
                    )
                }
            } catch let error as StoreError where error.code == .unavailable {
                // `StoreWatch` tells of a database that cannot be reached.
            }
            // Cancellation ends the sleep, and with it the loop.
            try? await Task.sleep(for: Self.pause)
        }
    }

    private var struckOff: StoreError {
        let error = StoreError(.taken, .superseded, ["path": .text(database.name)])
        logger.critical("the server stops", metadata: ["reason": "\(error)"])
        return error
    }
}
