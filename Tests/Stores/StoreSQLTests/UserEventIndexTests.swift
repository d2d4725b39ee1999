import Foundation
import Model
import Relational
import StoreConformance
import StoreTesting
import Testing

@testable import StoreSQL

@Suite("The index of events by user")
struct UserEventIndexTests {
    /// A store with ten events of Ada and ten of Ben.
    private func withStore(_ body: (SQLStore, WorkspaceID) async throws -> Void) async throws {
        let path = FileManager.default.temporaryDirectory
            .appending(path: "noroshi-\(UUID().uuidString).sqlite").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let store = try SQLStore.testing(at: path, on: .chosen)
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
        try await body(store, workspace)
        try await store.close()
    }

    private func expect(
        _ counts: [String: Int],
        in store: SQLStore,
        _ workspace: WorkspaceID
    ) async throws {
        for (name, count) in counts {
            let user = try #require(try await store.profile(.external(name), in: workspace))
            #expect(try await store.events(of: user.id, limit: 100).count == count, "\(name)")
        }
    }

    @Test("passes over a row whose user cannot be one, and finds those beside it")
    func strange() async throws {
        try await withStore { store, workspace in
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
            try await expect(["ada": 8, "ben": 9], in: store, workspace)
            #expect(try await DatabaseDoctor(store).examine().faults == [])
        }
    }

    @Test("whose last block is of rows that there cannot be goes on behind the one before")
    func impossible() async throws {
        for damage in ["last = -9223372036854775807", "first = -9223372036854775807"] {
            try await withStore { store, workspace in
                for _ in 0..<2 { #expect(try await store.indexEvents(10)) }
                try await store.write {
                    try $0.execute(sql: "UPDATE user_event_blocks SET \(damage) WHERE block = 2")
                }
                try await expect(["ada": 10, "ben": 10], in: store, workspace)
                #expect(try await store.indexEvents(10))
                try await expect(["ada": 10, "ben": 10], in: store, workspace)
                #expect(try await DatabaseDoctor(store).examine().faults == [])
            }
        }
    }

    @Test("an event whose time cannot be goes with its user")
    func deleted() async throws {
        try await withStore { store, workspace in
            for (row, time) in [(1, Int64.min), (3, .max), (5, -1)] {
                try await store.write { database in
                    try database.execute(
                        sql: "UPDATE events SET time = ? WHERE id = ?",
                        arguments: [time, row]
                    )
                }
            }
            let ada = try #require(try await store.profile(.external("ada"), in: workspace))
            let deleted = try await store.deleteUsers(
                [ada.id],
                in: workspace,
                noting: nil,
                now: Date(timeIntervalSince1970: 1_790_000_000)
            )
            #expect(deleted == 1)
            try await expect(["ben": 10], in: store, workspace)
            let left = try await store.read {
                try Int.fetchOnly($0, sql: "SELECT count(*) FROM events")
            }
            #expect(left == 10)
        }
    }

    @Test(
        "that lacks events is found by the doctor, who has it made anew",
        arguments: [
            "UPDATE user_event_places SET places = x'' WHERE block = 1",
            "UPDATE user_event_places SET places = x'8101ff' WHERE block = 2",
            "DELETE FROM user_event_places WHERE block = 2",
            "DELETE FROM user_event_blocks WHERE block = 1",
            "UPDATE user_event_blocks SET first = first + 1 WHERE block = 1",
            "UPDATE user_event_blocks SET last = last - 1 WHERE block = 1",
            "UPDATE user_event_blocks SET last = 9223372036854775807 WHERE block = 2",
            "UPDATE user_event_blocks SET first = -9223372036854775807 WHERE block = 1",
        ]
    )
    func lacking(damage: String) async throws {
        try await withStore { store, workspace in
            for _ in 0..<2 { #expect(try await store.indexEvents(10)) }
            let doctor = DatabaseDoctor(store)
            #expect(try await doctor.examine().faults == [])
            try await store.write { try $0.execute(sql: damage) }
            #expect(try await doctor.examine().faults.map(\.remedy) == [.indexed])
            _ = try await doctor.mend(now: Date(timeIntervalSince1970: 1_790_000_000))
            #expect(try await doctor.examine().faults == [])
            try await expect(["ada": 10, "ben": 10], in: store, workspace)
            for _ in 0..<2 { #expect(try await store.indexEvents(10)) }
            #expect(try await doctor.examine().faults == [])
            try await expect(["ada": 10, "ben": 10], in: store, workspace)
        }
    }
}
