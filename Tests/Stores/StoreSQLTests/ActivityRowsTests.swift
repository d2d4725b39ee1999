import Foundation
import Model
import NoroshiWire
import Ports
import Relational
import StoreConformance
import StoreTesting
import Testing

@testable import StoreSQL

/// What a user did is found by a reader before the transaction that takes it away or hands it on:
/// what others do in between must neither stay behind nor go along.
@Suite("The rows of a user, while others are deleted and merged")
struct ActivityRowsTests {
    private static let now = Date(timeIntervalSince1970: 1_790_000_000)

    private struct World {
        var store: SQLStore
        var workspace: WorkspaceID

        func visit(_ user: String, times: Int) async throws {
            let item = IngestItem(
                recordID: nil,
                user: .external(user),
                time: ActivityRowsTests.now,
                content: .event(name: "visited", properties: [:])
            )
            _ = try await store.ingest(
                [
                    IngestRequest(
                        workspace: workspace,
                        source: .api,
                        items: Array(repeating: item, count: times)
                    )
                ],
                now: ActivityRowsTests.now
            )
        }

        func user(_ name: String) async throws -> ProfileID {
            try #require(try await store.profile(.external(name), in: workspace)).id
        }

        func owners() async throws -> [ProfileID: Int] {
            try await store.read { database in
                let rows = try Row.fetchAll(
                    database,
                    sql: "SELECT profile_id, count(*) FROM events GROUP BY 1"
                )
                return Dictionary(uniqueKeysWithValues: rows.map { (ProfileID($0[0]), $0[1]) })
            }
        }

        /// Does with the rows of a user as they were before something else was done.
        func change(
            _ user: ProfileID,
            after meanwhile: () async throws -> Void,
            _ change: @escaping @Sendable (inout IdentityTransaction) throws -> Void
        ) async throws {
            let workspace = workspace
            let activity = try await store.read { database in
                try ActivityRows(of: [user], in: workspace, database)
            }
            try await meanwhile()
            try await store.write { database in
                var transaction = IdentityTransaction(
                    database,
                    in: workspace,
                    activity: try activity.current(database),
                    now: ActivityRowsTests.now
                )
                try change(&transaction)
            }
        }

        func replaceBob() async throws {
            _ = try await store.deleteUsers(
                [user("bob")],
                in: workspace,
                noting: nil,
                now: ActivityRowsTests.now
            )
            // These get the numbers of Bob's.
            try await visit("ada", times: 2)
            try await visit("eve", times: 2)
        }

        /// Bob's rows, which were there at the first look, are Ada's now.
        func mergeBob() async throws {
            _ = try await store.apply(
                [.merge(.external("bob"), into: .external("ada"))],
                in: workspace,
                now: ActivityRowsTests.now
            )
        }

        /// As the columns in memory do once they have read what happened.
        func forgetNotes() async throws {
            let position = try await store.audienceView().position
            try await store.forgetAudienceChanges(before: position)
        }
    }

    private func withWorld(_ body: (World) async throws -> Void) async throws {
        let path = FileManager.default.temporaryDirectory
            .appending(path: "noroshi-activity-\(UUID().uuidString).sqlite").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let store = try SQLStore.testing(at: path)
        let world = World(
            store: store,
            workspace: try await StoreConformance(store).fixture().workspace
        )
        try await world.visit("eve", times: 1)
        try await world.visit("ada", times: 3)
        try await world.visit("bob", times: 4)
        try await body(world)
    }

    @Test("a deleted user leaves nothing of what they did last")
    func deletion() async throws {
        try await withWorld { world in
            let (ada, eve) = (try await world.user("ada"), try await world.user("eve"))
            try await world.change(ada, after: world.replaceBob) { _ = try $0.delete(ada) }
            #expect(try await world.owners() == [eve: 3])
        }
    }

    @Test("a deleted user who was not known before leaves nothing, from the first row on")
    func unknownUser() async throws {
        try await withWorld { world in
            let (ada, eve) = (try await world.user("ada"), try await world.user("eve"))
            let bob = try await world.user("bob")
            try await world.change(ada) {
            } _: {
                _ = try $0.delete(eve)
            }
            #expect(try await world.owners() == [ada: 3, bob: 4])
        }
    }

    @Test("a merged user takes along what they did last")
    func merge() async throws {
        try await withWorld { world in
            let (ada, eve) = (try await world.user("ada"), try await world.user("eve"))
            try await world.change(ada, after: world.replaceBob) {
                _ = try $0.apply(.merge(.external("ada"), into: .external("eve")))
            }
            #expect(try await world.owners() == [eve: 8])
        }
    }

    @Test(
        "a deleted user leaves nothing of what another one left them",
        arguments: [false, true]
    )
    func deletionAfterMerge(forgotten: Bool) async throws {
        try await withWorld { world in
            let (ada, eve) = (try await world.user("ada"), try await world.user("eve"))
            try await world.change(ada) {
                try await world.mergeBob()
                if forgotten { try await world.forgetNotes() }
            } _: {
                _ = try $0.delete(ada)
            }
            #expect(try await world.owners() == [eve: 1])
        }
    }

    @Test("a merged user takes along what another one left them", arguments: [false, true])
    func mergeAfterMerge(forgotten: Bool) async throws {
        try await withWorld { world in
            let (ada, eve) = (try await world.user("ada"), try await world.user("eve"))
            try await world.change(ada) {
                try await world.mergeBob()
                if forgotten { try await world.forgetNotes() }
            } _: {
                _ = try $0.apply(.merge(.external("ada"), into: .external("eve")))
            }
            #expect(try await world.owners() == [eve: 8])
        }
    }
}
