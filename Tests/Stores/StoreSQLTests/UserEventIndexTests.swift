import Foundation
import Model
import Relational
import StoreConformance
import StoreTesting
import Testing

@testable import StoreSQL

@Suite("The index of events by user")
struct UserEventIndexTests {
    @Test("passes over a row whose user cannot be one, and finds those beside it")
    func damaged() async throws {
        let path = FileManager.default.temporaryDirectory
            .appending(path: "noroshi-\(UUID().uuidString).sqlite").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let store = try SQLStore.testing(at: path)
        let conformance = StoreConformance(store)
        let workspace = try await conformance.fixture().workspace
        let items = (0..<20).map { number in
            IngestItem(
                recordID: nil,
                user: .external(number % 2 == 0 ? "ada" : "ben"),
                time: conformance.now,
                content: .event(name: "viewed", properties: [:])
            )
        }
        _ = try await conformance.ingest(items, in: workspace)
        for (row, user) in [(1, Int64.min), (2, -1), (3, Int64.max)] {
            try await store.write { database in
                try database.execute(
                    sql: "UPDATE events SET profile_id = ? WHERE id = ?",
                    arguments: [user, row]
                )
            }
        }
        #expect(try await store.indexEvents(10))
        #expect(try await store.indexEvents(10))
        for (name, count) in [("ada", 8), ("ben", 9)] {
            let user = try #require(try await store.profile(.external(name), in: workspace))
            #expect(try await store.events(of: user.id, limit: 100).count == count)
        }
    }
}
