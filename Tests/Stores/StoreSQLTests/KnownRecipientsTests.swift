import Foundation
import Model
import NoroshiWire
import Ports
import Relational
import StoreConformance
import Testing

@testable import StoreSQL

@Suite("Recipients that a store which is thrown away knows")
struct KnownRecipientsTests {
    private struct World {
        let store: SQLStore
        let fixture: StoreConformance.Fixture
        let shared: StoreConformance

        init(_ folder: URL) async throws {
            let path = folder.appending(path: "test.sqlite").path
            store = try SQLStore(path: path, isThrownAway: true)
            shared = StoreConformance(store)
            fixture = try await shared.fixture()
            try await shared.register("ada", token: "00", in: fixture)
            try await shared.register("bob", token: "01", in: fixture)
        }

        /// Who gets the next message to everybody, as they are read for it.
        func recipients() async throws -> [ClaimedDispatch] {
            _ = try await shared.plannedSend(to: .everyone, in: fixture)
            let claimed = try await shared.claim(10)
            try await store.record(
                claimed.map {
                    DispatchUpdate(
                        send: $0.send,
                        device: $0.device.id,
                        change: .accepted(providerID: nil)
                    )
                },
                now: shared.now
            )
            return claimed.sorted { $0.device.id < $1.device.id }
        }

        func name(_ user: String, _ name: String) async throws {
            let item = IngestItem(
                recordID: nil,
                user: .external(user),
                time: shared.now,
                content: .attributes(AttributeChanges(["first_name": .string(name)]))
            )
            _ = try await shared.ingest([item], in: fixture.workspace)
        }
    }

    private static func withWorld(_ body: (World) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "noroshi-recipients-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try await body(try await World(folder))
    }

    @Test("are those of the rows, also after the rows of a user, a device or an app have changed")
    func current() async throws {
        try await Self.withWorld { world in
            try await world.name("ada", "Ada")
            let first = try await world.recipients()
            #expect(first.map(\.profile.externalID) == ["ada", "bob"])
            let again = try await world.recipients()
            #expect(again.map(\.profile) == first.map(\.profile))
            #expect(again.map(\.device) == first.map(\.device))
            #expect(again.map(\.app) == first.map(\.app))

            try await world.name("ada", "Augusta")
            var found = try await world.recipients()
            let names = found.map { $0.profile.standard[.firstName]?.stringValue }
            #expect(names == ["Augusta", nil])

            try await world.store.write { database in
                try database.execute(
                    sql: "UPDATE devices SET push_token = '0a' WHERE push_token = '01'"
                )
                try database.execute(sql: "UPDATE apps SET bundle_id = 'example.coffee'")
            }
            found = try await world.recipients()
            #expect(found.map(\.device.push?.token) == ["00", "0a"])
            #expect(found.allSatisfy { $0.app.bundleID == "example.coffee" })
        }
    }

    @Test("are gone with their rows, whoever removes them")
    func removed() async throws {
        try await Self.withWorld { world in
            #expect(try await world.recipients().count == 2)
            _ = try await world.shared.plannedSend(to: .everyone, in: world.fixture)
            try await world.store.write { database in
                try database.execute(sql: "DELETE FROM profiles WHERE external_id = 'bob'")
            }
            #expect(try await world.shared.claim(10).map(\.profile.externalID) == ["ada"])
        }
    }

    @Test("are not those of a change that was undone")
    func undone() async throws {
        struct Failure: Error {}
        try await Self.withWorld { world in
            let first = try await world.recipients()
            let taken = first.map {
                DispatchClaimer.Taken(
                    send: $0.send.rawValue,
                    device: $0.device.id.rawValue,
                    recipient: $0.recipient.rawValue,
                    attempts: 0,
                    variant: nil
                )
            }
            let (unreadable, recipients) = (world.store.unreadable, world.store.recipients)
            await #expect(throws: Failure.self) {
                try await world.store.write { database in
                    try database.execute(sql: "UPDATE devices SET model = 'Kettle'")
                    let rows = try ClaimedRows(taken, database, unreadable, known: recipients)
                        .read().rows
                    #expect(rows.allSatisfy { $0.device.model == "Kettle" })
                    throw Failure()
                }
            }
            #expect(try await world.recipients().map(\.device) == first.map(\.device))
        }
    }
}
