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
            servers: [Self.working(claim.holder)]
                + (try await store.standbyServers()).map(Self.waiting),
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

    private static func working(_ holder: DatabaseClaim.Holder) -> SystemState.Server {
        SystemState.Server(
            isWorking: true,
            host: holder.host,
            process: holder.process,
            // Of an address such as `[::1]:8080`.
            port: holder.address?.split(separator: ":").last.flatMap { Int($0) },
            version: NoroshiVersion.current,
            since: holder.since
        )
    }

    private static func waiting(_ server: StandbyServer) -> SystemState.Server {
        SystemState.Server(
            isWorking: false,
            host: server.host,
            process: server.process,
            port: server.port,
            version: server.version,
            since: server.since
        )
    }
}
