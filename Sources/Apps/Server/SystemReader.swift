import Audience
import Console
import Foundation
import Model
import Ports

/// Reports the state of the server to the console.
struct SystemReader {
    let store: any Store
    let audience: SegmentationService

    @Sendable func state() async throws -> SystemState {
        let hold = try await store.sendingHold()
        let unreadable = store.unreadableRows()
        return SystemState(
            version: BuildInfo.version,
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
}
