import Audience
import Delivery
import Foundation
import Model
import Ports
import Servers
import StoreSQL

extension NoroshiServer {
    /// What the server says of itself.
    var report: @Sendable () -> ServerReport {
        { [part, audience, delivery, keepsColumns = settings.roles.keepsColumns] in
            ServerReport(
                leads: part.leads,
                isReady: !keepsColumns || audience.status.isReady,
                audienceLag: keepsColumns ? audience.lag : 0,
                users: audience.status.users,
                pushesInFlight: delivery.load.claimed,
                followed: audience.position
            )
        }
    }

    /// Does something before `run` that may last for longer than a server may be silent.
    func keepingPlace<Value: Sendable>(
        _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        guard case .postgres(let presence, _) = claim else { return try await body() }
        return try await withThrowingTaskGroup(of: Value?.self) { group in
            group.addTask { [report] in
                while !Task.isCancelled {
                    // What is to be done notices by itself that the database cannot be reached.
                    _ = try? await presence.beat(report(), address: nil)
                    try? await Task.sleep(for: .seconds(2))
                }
                return nil
            }
            group.addTask { try await body() }
            defer { group.cancelAll() }
            for try await value in group {
                if let value { return value }
            }
            throw CancellationError()
        }
    }

    /// How many servers worked on the database at the last sign of life; `nil` for a file, which has one.
    var serverCount: (@Sendable () -> Int)? {
        guard claim.isShared else { return nil }
        return { [share] in share.servers }
    }

    /// Tells the other servers of the database what happens here, and hears what happens there.
    ///
    /// - Parameter server: Which of them this one is.
    func changeExchange(of server: UUID) -> ChangeExchange {
        ChangeExchange(
            store: store,
            server: server,
            feed: feed,
            share: share,
            now: dependencies.now,
            wake: wake.signal,
            logger: logger
        )
    }
}
