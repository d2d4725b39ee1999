import Foundation
import Logging
import Model
import Ports
import Reasons
import StoreSQL

/// The database of a server, which no other server works on meanwhile.
struct ServerDatabase: Sendable {
    let store: SQLStore
    let claim: ServerClaim

    /// Opens a file.
    ///
    /// - Throws: `StoreError` with code `taken` while another server uses the file.
    init(file settings: Settings, now: Date, _ logger: Logger) throws {
        guard let path = settings.database.path else {
            throw StoreError(.unsupported, .noFile, ["path": .text(settings.database.name)])
        }
        claim = .file(try DatabaseClaim.take(path: path, for: .current(.server, since: now)))
        store = try SQLStore(settings, logger)
    }

    /// Opens a database of PostgreSQL when no other server has it.
    ///
    /// - Parameters:
    ///   - address: Where it is.
    ///   - standby: What the server is until then.
    /// - Throws: `StoreError` if the database cannot be reached at the start. A server that waits goes on
    ///   waiting then: the one that has the database may come back, or be gone together with it.
    init(
        postgres address: String,
        _ settings: Settings,
        standby: Standby,
        now: @escaping @Sendable () -> Date,
        _ logger: Logger
    ) async throws {
        let claim = try await Self.claim(address, settings, standby, now, logger)
        store = try SQLStore(settings, logger)
        claim.fence(store)
        self.claim = .postgres(claim)
    }

    private static func claim(
        _ address: String,
        _ settings: Settings,
        _ standby: Standby,
        _ now: @escaping @Sendable () -> Date,
        _ logger: Logger
    ) async throws -> PostgresClaim {
        while true {
            do {
                return try await PostgresClaim.take(
                    address,
                    for: .current(.server, since: now()),
                    standby: StandbyServer(settings, since: now()),
                    pause: { try await standby.pause() },
                    onWaiting: { try standby.note($0) }
                )
            } catch let error as StoreError where error.code == .unavailable && standby.hasBegun {
                standby.note(trouble: "\(error)")
                try await standby.pause()
            }
        }
    }
}
