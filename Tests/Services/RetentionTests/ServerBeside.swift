import Audience
import Foundation
import Logging
import Model
import Ports
import StoreSQL
import StoreTesting

/// A server on the PostgreSQL database of another one, with a store and columns of its own, which follow at
/// their own pace.
final class ServerBeside {
    private let store: SQLStore
    private let presence: ServerPresence
    private let now: @Sendable () -> Date
    var audience: SegmentationService

    /// - Parameter path: The file that stands for the database.
    init(path: String, now: @escaping @Sendable () -> Date) async throws {
        store = try SQLStore.testing(at: path, on: .postgres)
        presence = try await ServerPresence.take(
            String(contentsOfFile: path, encoding: .utf8),
            as: WorkingServer(
                id: UUID(),
                name: "beside",
                host: "tea",
                process: 1,
                version: "0.2.0",
                startedAt: now(),
                seenAt: now(),
                clockOffset: 0,
                report: ServerReport()
            ),
            now: now,
            pause: {},
            onWaiting: { _ in }
        )
        self.now = now
        audience = Self.audience(store, now)
    }

    var id: String { presence.server.id.uuidString }

    private static func audience(
        _ store: SQLStore,
        _ now: @escaping @Sendable () -> Date
    ) -> SegmentationService {
        SegmentationService(store: store, now: now, logger: Logger(label: "test"))
    }

    /// Says up to where its columns have read.
    func giveSign() async throws {
        _ = try await presence.beat(ServerReport(followed: audience.position), address: nil)
    }

    /// Follows, or says where it is, or neither; now and then it is started anew.
    func passTime(_ random: inout SeededGenerator) async throws {
        switch Int.random(in: 0..<12, using: &random) {
        case 0..<3: try await follow()
        case 3..<6: try await giveSign()
        case 6:
            audience = Self.audience(store, now)
            try await giveSign()
        default: break
        }
    }

    /// Reads what there is, and forgets the notes that all have read.
    func follow() async throws {
        if audience.position == nil { try await audience.rebuild() }
        try await audience.catchUp()
        guard let position = audience.position else { return }
        try await store.forgetAudienceChanges(before: position)
    }

    func end() async throws {
        await presence.leave()
        try await store.close()
    }
}
