import Audience
import Console
import Foundation
import Model
import NoroshiWire
import Ports
import StoreSQL

/// Reports the state of the server to the console.
struct SystemReader {
    let store: any Store
    let audience: SegmentationService
    let claim: ServerClaim

    @Sendable func state() async throws -> SystemState {
        let hold = try await store.sendingHold()
        let unreadable = store.unreadableRows()
        return SystemState(
            version: BuildInfo.version,
            servers: try await servers(),
            audience: audience.status,
            databaseBytes: try await store.storedBytes(),
            freeBytes: try await store.freeBytes(),
            setAside: unreadable.rows.map {
                .init(table: $0.table, number: $0.id, reason: $0.reason)
            },
            setAsideTotal: unreadable.total,
            heldSince: hold.flatMap { $0.isActive ? $0.since : nil }
        )
    }

    private func servers() async throws -> [SystemState.Server] {
        switch claim {
        case .file(let claim): [SystemState.Server(claim.holder)]
        case .postgres: try await store.servers().map(SystemState.Server.init)
        }
    }
}

extension SystemState.Server {
    /// The only one of a file.
    fileprivate init(_ holder: DatabaseClaim.Holder) {
        self.init(
            isWorking: true,
            host: holder.host,
            process: holder.process,
            port: Self.port(holder.address),
            version: NoroshiVersion.current,
            since: holder.since
        )
    }

    fileprivate init(_ server: WorkingServer) {
        self.init(
            isWorking: true,
            host: server.host,
            process: server.process,
            port: Self.port(server.address),
            version: server.version,
            since: server.startedAt
        )
    }

    /// Of an address such as `[::1]:8080`.
    private static func port(_ address: String?) -> Int? {
        address?.split(separator: ":").last.flatMap { Int($0) }
    }
}
