import Foundation
import Model
import Ports
import Relational
import StoreConformance
import StoreTesting
import Testing

@testable import StoreSQL

@Suite("Active users of days that were counted")
struct KeptActiveUsersTests {
    @Test("are read, and not counted again")
    func kept() async throws {
        let path = FileManager.default.temporaryDirectory
            .appending(path: "noroshi-active-\(UUID().uuidString).sqlite").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let store = try SQLStore.testing(at: path)
        let conformance = StoreConformance(store)
        let fixture = try await conformance.fixture()
        let session = IngestItem(
            recordID: nil,
            user: .external("ada"),
            time: conformance.now,
            content: .sessionStarted
        )
        _ = try await conformance.ingest([session], in: fixture.workspace)
        let days = LocalDays(.gmt)
        try await store.refreshDailyCounts(in: fixture.workspace, days: days)
        func users() async throws -> [Int] {
            try await store.activeUsers(
                in: fixture.workspace,
                days: days.days(2, endingAt: conformance.now),
                window: 1,
                calendar: days
            )
        }
        #expect(try await users() == [0, 1])
        // What nobody could count shows where a figure comes from.
        try await store.write {
            try $0.execute(sql: "UPDATE daily_active_users SET users = users + 70")
        }
        #expect(try await users() == [70, 71])
    }
}
