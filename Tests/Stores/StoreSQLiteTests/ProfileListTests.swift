import Foundation
import Model
import NoroshiWire
import Ports
import StoreConformance
import StoreSQLite
import Testing

@Suite("Users and what came to them, as they are listed")
struct ProfileListTests {
    private struct World {
        let store: SQLiteStore
        let conformance: StoreConformance
        let fixture: StoreConformance.Fixture

        var now: Date { conformance.now }

        func user(
            _ id: String,
            _ attributes: [String: JSONValue] = [:],
            after seconds: TimeInterval = 0
        ) async throws {
            _ = try await store.ingest(
                [
                    IngestRequest(
                        workspace: fixture.workspace,
                        source: .api,
                        items: [
                            IngestItem(
                                recordID: nil,
                                user: .external(id),
                                time: now,
                                content: .attributes(AttributeChanges(attributes))
                            )
                        ]
                    )
                ],
                now: now.addingTimeInterval(seconds)
            )
        }

        func profile(_ id: String) async throws -> Profile {
            try #require(try await store.profile(.external(id), in: fixture.workspace))
        }

        func found(_ text: String, limit: Int = 10, offset: Int = 0) async throws -> [String] {
            try await store.profiles(
                matching: text,
                in: fixture.workspace,
                limit: limit,
                offset: offset
            ).compactMap(\.externalID)
        }

        func identified(by text: String, limit: Int = 10) async throws -> [String] {
            try await store.profiles(identifiedBy: text, in: fixture.workspace, limit: limit)
                .compactMap(\.externalID)
        }
    }

    private func withWorld(_ body: (World) async throws -> Void) async throws {
        let path = FileManager.default.temporaryDirectory
            .appending(path: "noroshi-lists-\(UUID().uuidString).sqlite").path
        defer {
            for suffix in ["", "-wal", "-shm"] {
                try? FileManager.default.removeItem(atPath: path + suffix)
            }
        }
        let store = try SQLiteStore(path: path, synchronous: .normal)
        let conformance = StoreConformance(store)
        let fixture = try await conformance.fixture()
        try await body(World(store: store, conformance: conformance, fixture: fixture))
    }

    @Test("are found by what a name begins with: the whole of it, and not what comes before it")
    func search() async throws {
        try await withWorld { world in
            let fields: [(field: String, values: [String])] = [
                ("first_name", ["Ad", "Ada", "Adb"]), ("last_name", ["Ka", "Kai", "Kaj"]),
                ("email", ["m@example.org", "ma@example.org", "mb@example.org"]),
                ("phone", ["+4911", "+49112", "+49113"]),
            ]
            for (field, values) in fields {
                for value in values {
                    try await world.user("\(field) \(value)", [field: .string(value)])
                }
            }
            for (text, expected) in [
                ("Ad", 3), ("ada", 1), ("ADB", 1), ("Adc", 0), ("Ka", 3), ("KAI", 1),
                ("m", 3), ("MA@example.org", 1), ("+491", 3), ("+49112", 1), ("+4912", 0),
                ("first_name A", 3), ("first_name Ad", 3), ("first_name ad", 0),
                ("last_name Kaj", 1),
            ] {
                #expect(try await world.found(text).count == expected, "\(text)")
            }
        }
    }

    @Test("come page by page, whoever changed last first, with and without a text")
    func order() async throws {
        try await withWorld { world in
            for (id, seconds) in [("u1", 1.0), ("u2", 3), ("u3", 0), ("u4", 2)] {
                try await world.user(
                    id,
                    ["phone": "+4911", "email": "a@example.org"],
                    after: seconds
                )
            }
            let expected = ["u2", "u4", "u1", "u3"]
            for text in ["", "u", "+49"] {
                #expect(try await world.found(text) == expected)
                #expect(try await world.found(text, limit: 2) == Array(expected.prefix(2)))
                #expect(
                    try await world.found(text, limit: 2, offset: 1) == Array(expected[1...2])
                )
                #expect(try await world.found(text, limit: 2, offset: 4).isEmpty)
            }
            #expect(try await world.identified(by: "+4911") == expected)
            #expect(try await world.identified(by: "A@example.org", limit: 3).count == 3)
        }
    }

    @Test("a push token and an installation find the user who has them, not others")
    func devices() async throws {
        try await withWorld { world in
            let first = try await world.conformance.register("ada", token: "t1", in: world.fixture)
            let second = try await world.conformance.register("bo", token: "t2", in: world.fixture)
            #expect(try await world.identified(by: "t1") == ["ada"])
            #expect(try await world.identified(by: "t2") == ["bo"])
            #expect(try await world.identified(by: first.uuidString) == ["ada"])
            #expect(try await world.identified(by: second.uuidString) == ["bo"])
            #expect(try await world.identified(by: "t3").isEmpty)
            #expect(try await world.identified(by: UUID().uuidString).isEmpty)
        }
    }

    @Test("are counted, and those whom a push can reach, with their devices")
    func counts() async throws {
        try await withWorld { world in
            for (id, token, authorization) in [
                ("a", "t1", .authorized), ("a", "t2", .provisional), ("b", "t3", .denied),
                ("c", "t4", .ephemeral), ("d", "t5", .notDetermined),
            ] as [(String, String, PushAuthorization)] {
                try await world.conformance.register(
                    id,
                    token: token,
                    in: world.fixture,
                    authorization: authorization
                )
            }
            try await world.user("e")
            func counts() async throws -> [Int] {
                let counts = try await world.store.userCounts(in: world.fixture.workspace)
                return [counts.users, counts.reachableUsers, counts.reachableDevices]
            }
            #expect(try await counts() == [5, 2, 3])
            try await world.user("a", ["push_subscribe": "unsubscribed"])
            #expect(try await counts() == [5, 1, 1])
        }
    }

    @Test("what came to one user is told with nobody else's, newest first, as much as is asked")
    func contacts() async throws {
        try await withWorld { world in
            for id in ["ada", "bo"] {
                try await world.conformance.register(id, token: "t-\(id)", in: world.fixture)
            }
            var sends: [Send] = []
            for round in 0..<3 {
                let send = try await world.conformance.plannedSend(
                    to: .everyone,
                    in: world.fixture
                )
                sends.append(send)
                let rows = try await world.conformance.claim(10)
                try await world.store.record(
                    rows.map { row in
                        let isRefused = round == 1 && row.profile.externalID == "ada"
                        return DispatchResult(
                            send: send.id,
                            device: row.device.id,
                            change: isRefused
                                ? .rejected(reason: "BadPayload", retiresToken: false)
                                : .accepted(providerID: nil)
                        )
                    },
                    now: world.now.addingTimeInterval(TimeInterval(round * 10))
                )
            }
            func contacts(
                _ id: String,
                before seconds: TimeInterval? = nil,
                limit: Int = 10
            ) async throws -> [StoredContact] {
                try await world.store.contacts(
                    of: try await world.profile(id).id,
                    before: seconds.map { world.now.addingTimeInterval($0) },
                    limit: limit
                )
            }
            let ada = try await contacts("ada")
            #expect(ada.map(\.send) == sends.reversed().map(\.id))
            #expect(ada.map(\.kind) == [.accepted, .failed(reason: "BadPayload"), .accepted])
            #expect(
                ada.map { $0.time.timeIntervalSince(world.now) } == [20, 10, 0]
            )
            #expect(try await contacts("bo").map(\.kind) == [.accepted, .accepted, .accepted])
            #expect(try await contacts("ada", limit: 2).map(\.send) == ada.prefix(2).map(\.send))
            // The end of the period does not belong to it.
            for (seconds, count) in [(20.001, 3), (20, 2), (10, 1), (0, 0)] {
                #expect(try await contacts("ada", before: seconds).count == count, "\(seconds)")
            }
        }
    }

    @Test("events of one user come newest first, of equal times the later one, as many as asked")
    func events() async throws {
        try await withWorld { world in
            for (user, name, seconds) in [
                ("ada", "a", 2.0), ("ada", "b", 1), ("bo", "x", 9), ("ada", "c", 2),
                ("ada", "d", 3),
            ] {
                _ = try await world.conformance.ingest(
                    [
                        IngestItem(
                            recordID: nil,
                            user: .external(user),
                            time: world.now.addingTimeInterval(seconds - 10),
                            content: .event(name: name, properties: [:])
                        )
                    ],
                    in: world.fixture.workspace
                )
            }
            let ada = try await world.profile("ada").id
            let names = try await world.store.events(of: ada, limit: 10).map(\.name)
            #expect(names == ["d", "c", "a", "b"])
            #expect(try await world.store.events(of: ada, limit: 3).map(\.name) == ["d", "c", "a"])
        }
    }
}
