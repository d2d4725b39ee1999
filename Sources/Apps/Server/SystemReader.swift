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
    /// What the server's operator calls it.
    let name: String
    /// What the server says of itself.
    let report: @Sendable () -> ServerReport

    @Sendable func state() async throws -> SystemState {
        let hold = try await store.sendingHold()
        let unreadable = store.unreadableRows()
        return SystemState(
            version: BuildInfo.version,
            servers: try await servers(),
            isShared: claim.isShared,
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
        case .file(let claim): [SystemState.Server(WorkingServer(claim.holder, name, report()))]
        case .postgres: try await store.servers().map(SystemState.Server.init)
        }
    }
}

extension WorkingServer {
    /// The only one of a file, whose clock is the database's.
    fileprivate init(_ holder: DatabaseClaim.Holder, _ name: String, _ report: ServerReport) {
        self.init(
            id: UUID(),
            name: name,
            host: holder.host,
            process: holder.process,
            address: holder.address,
            version: NoroshiVersion.current,
            startedAt: holder.since,
            seenAt: holder.since,
            clockOffset: 0,
            report: report
        )
    }
}

extension SystemState.Server {
    fileprivate init(_ server: WorkingServer) {
        self.init(
            name: server.name,
            host: server.host,
            process: server.process,
            // Of an address such as `[::1]:8080`.
            port: server.address?.split(separator: ":").last.flatMap { Int($0) },
            version: server.version,
            roles: server.roles,
            since: server.startedAt,
            leads: server.report.leads,
            isReady: server.report.isReady,
            silence: server.silence,
            isSilent: server.isSilent,
            clockOffset: server.clockOffset,
            isClockOff: server.isClockOff,
            audienceLag: server.report.audienceLag,
            users: server.report.users,
            pushesInFlight: server.report.pushesInFlight
        )
    }
}
