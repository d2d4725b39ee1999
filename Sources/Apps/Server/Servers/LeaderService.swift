import Foundation
import Logging
import Model
import Ports
import Relational
import ServiceLifecycle
import StoreSQL

/// Runs what one of several servers does for all of them, whenever this one leads. What it writes is bound to
/// its turn: once another server leads, nothing more of this one is stored.
struct LeaderService: Service {
    /// Between two attempts to lead.
    private static let pause = Duration.milliseconds(250)
    /// Between two looks whether this server still leads.
    private static let look = Duration.seconds(2)

    let address: String
    let part: ServerPart
    let services: [any Service]
    let now: @Sendable () -> Date
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            var isToldOf = false
            while !Task.isCancelled {
                do {
                    let claim = try await take()
                    isToldOf = false
                    await lead(claim)
                    claim.release()
                } catch is CancellationError {
                    return
                } catch {
                    if !isToldOf {
                        logger.warning(
                            "nobody can lead at the moment",
                            metadata: ["error": "\(error)"]
                        )
                    }
                    isToldOf = true
                    try? await Task.sleep(for: .seconds(1))
                }
            }
        }
    }

    private func take() async throws -> PostgresClaim {
        let holder: @Sendable () -> DatabaseClaim.Holder = { [now, part] in
            var holder = DatabaseClaim.Holder.current(.server, since: now())
            holder.address = part.address
            return holder
        }
        return try await PostgresClaim.take(
            .leadership,
            of: address,
            for: holder(),
            pause: { try await Task.sleep(for: Self.pause) },
            onWaiting: { _ in }
        )
    }

    private func lead(_ claim: PostgresClaim) async {
        logger.notice("this server leads now", metadata: ["leader.turn": "\(claim.epoch)"])
        part.leads = true
        await ClaimTurn.$epoch.withValue(claim.epoch) {
            await withTaskGroup(of: Void.self) { group in
                for service in services {
                    group.addTask {
                        do {
                            try await service.run()
                        } catch {
                            logger.error(
                                "a part of the leading server has ended",
                                metadata: ["part": "\(type(of: service))", "error": "\(error)"]
                            )
                        }
                    }
                }
                group.addTask { await watch(claim) }
                // Whichever ends first has lost the turn, or the server is being stopped.
                await group.next()
                group.cancelAll()
            }
        }
        part.leads = false
        logger.notice("this server does not lead any more")
    }

    /// Returns when another server leads.
    private func watch(_ claim: PostgresClaim) async {
        while !Task.isCancelled {
            // Nobody can take the lead in a database that cannot be reached.
            if let isHeld = try? await claim.isHeld(), !isHeld { return }
            try? await Task.sleep(for: Self.look)
        }
    }
}
