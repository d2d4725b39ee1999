import Foundation
import Model
import NoroshiWire
import Ports
import Relational
import Segments
import StoreConformance
import StoreTesting
import Testing

@testable import StoreSQL

@Suite("An audience that is read page by page")
struct AudiencePagesTests {
    private struct World {
        var store: SQLStore
        var conformance: StoreConformance
        var fixture: StoreConformance.Fixture
        var send: SendID
        var ada: ProfileID

        /// Adds rows of Ada's, a second apart.
        func add(_ count: Int, _ columns: String, _ values: String) async throws {
            try await store.write { database in
                try database.execute(
                    sql: """
                        WITH RECURSIVE numbers (n) AS (
                            SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < \(count))
                        INSERT INTO \(columns) SELECT \(values) FROM numbers
                        """
                )
            }
        }

        func addEvents(_ count: Int) async throws {
            try await add(
                count,
                "events (name_id, time, profile_id, app_id)",
                """
                (SELECT id FROM event_names WHERE name = 'viewed'), n * 1000, \(ada.rawValue), 0
                """
            )
        }

        func addOpens(_ count: Int) async throws {
            try await add(
                count,
                "push_interactions (send_id, device_id, profile_id, kind, time)",
                "\(send.rawValue), 1, \(ada.rawValue), 'opened', n * 1000"
            )
        }
    }

    private func withWorld(_ body: (World) async throws -> Void) async throws {
        let path = FileManager.default.temporaryDirectory
            .appending(path: "noroshi-pages-\(UUID().uuidString).sqlite").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let store = try SQLStore.testing(at: path)
        let conformance = StoreConformance(store)
        let fixture = try await conformance.fixture()
        try await conformance.register("ada", token: "01", in: fixture)
        let visit = IngestItem(
            recordID: nil,
            user: .external("ada"),
            time: conformance.now,
            content: .event(name: "viewed", properties: [:])
        )
        _ = try await conformance.ingest([visit], in: fixture.workspace)
        let ada = try #require(try await store.profile(.external("ada"), in: fixture.workspace))
        let send = try await store.createSend(
            SendContent(message: PushMessage(body: "Tea?"), audience: .everyone),
            in: fixture.workspace,
            scheduledAt: conformance.now,
            now: conformance.now
        )
        try await body(
            World(
                store: store,
                conformance: conformance,
                fixture: fixture,
                send: send.id,
                ada: ada.id
            )
        )
    }

    @Test("has what happened in the very second from which it is asked for")
    func beginning() async throws {
        try await withWorld { world in
            let rows = try await world.store.audienceView(readers: 1)
                .rows(of: world.fixture.workspace)
            let second = Int64(world.conformance.now.timeIntervalSince1970)
            for (from, expected) in [(second, 1), (second + 1, 0)] {
                var count = 0
                let query = AudienceEventQuery(subject: .event("viewed"), from: from)
                try await rows.scanEvents(query) { count += $0.count }
                #expect(count == expected)
            }
        }
    }

    @Test("has every occurrence once, though no page and no change holds them all")
    func pages() async throws {
        try await withWorld { world in
            let workspace = world.fixture.workspace
            var position = try await world.store.audienceView(readers: 1).position
            func changes() async throws -> [Int] {
                var counts: [Int] = []
                while let delta = try await world.store.audienceDelta(after: position) {
                    counts.append(delta.changes[workspace]?.events.count ?? 0)
                    position = delta.position
                    if delta.isComplete { break }
                }
                return counts
            }
            try await world.addEvents(66_000)
            #expect(try await changes() == [50_000, 16_000])
            try await world.addOpens(66_000)
            #expect(try await changes() == [50_000, 16_000])

            let rows = try await world.store.audienceView(readers: 2).rows(of: workspace)
            var counts: [Activity: Int] = [:]
            try await rows.scanOccurrences { counts[$0.activity, default: 0] += $0.times.count }
            #expect(Set(counts.values) == [66_001, 66_000] && counts[.event("viewed")] == 66_001)
            var times: Set<Int64> = []
            let query = AudienceEventQuery(subject: .event("viewed"), needsProperties: false)
            try await rows.scanEvents(query) { events in
                for event in events { times.insert(event.time) }
            }
            #expect(times.count == 66_001)
        }
    }

    @Test("moves what a user did to whom they are merged into, though it is told pages later")
    func mergedLater() async throws {
        try await withWorld { world in
            let (store, workspace) = (world.store, world.fixture.workspace)
            let bob = UserReference.external("bob")
            let visit = IngestItem(
                recordID: nil,
                user: bob,
                time: world.conformance.now,
                content: .event(name: "viewed", properties: [:])
            )
            _ = try await world.conformance.ingest([visit], in: workspace)
            let source = try #require(try await store.profile(bob, in: workspace))
            var position = try await store.audienceView(readers: 1).position
            // Bob is written, then so many others that his merge is on another page.
            try await store.write { database in
                let wrote = "UPDATE profiles SET external_id = external_id WHERE id = ?"
                try database.execute(sql: wrote, arguments: [source.id.rawValue])
                for _ in 0..<6_000 {
                    try database.execute(sql: wrote, arguments: [world.ada.rawValue])
                }
            }
            _ = try await store.apply(
                [.merge(bob, into: .external("ada"))],
                in: workspace,
                now: world.conformance.now
            )
            var removed: [Int64] = []
            var merged: [[Int64]] = []
            var pages = 0
            while let delta = try await store.audienceDelta(after: position) {
                pages += 1
                let change = delta.changes[workspace]
                merged += change?.merged.map { [$0.from, $0.into] } ?? []
                if merged.isEmpty { removed += change?.removed ?? [] }
                position = delta.position
                if delta.isComplete { break }
            }
            #expect(pages > 1)
            #expect(merged == [[source.id.rawValue, world.ada.rawValue]])
            #expect(removed == [])
        }
    }

    @Test("counts an event whose properties cannot be read, as one without properties")
    func brokenProperties() async throws {
        try await withWorld { world in
            let workspace = world.fixture.workspace
            let position = try await world.store.audienceView(readers: 1).position
            try await world.addEvents(2)
            try await world.store.write { database in
                try database.execute(
                    sql: "UPDATE events SET properties = '{\"price\":' WHERE time = 1000"
                )
            }
            let viewed = Activity.event("viewed")
            let delta = try await world.store.audienceDelta(
                after: position,
                detailing: [workspace: [viewed]]
            )
            let events = try #require(delta?.changes[workspace]?.events)
            #expect(events.map(\.time) == [1, 2] && events.allSatisfy(\.properties.isEmpty))
            var read: [Int64] = []
            let rows = try await world.store.audienceView(readers: 1).rows(of: workspace)
            let query = AudienceEventQuery(subject: .event("viewed"), needsProperties: true)
            try await rows.scanEvents(query) { read += $0.map(\.time) }
            #expect(Set(read).isSuperset(of: [1, 2]) && read.count == 3)
        }
    }

    @Test("has an occurrence once for a user, however many filters ask for it")
    func subjects() async throws {
        try await withWorld { world in
            try await world.addOpens(2)
            try await world.add(
                3,
                "push_interactions (send_id, device_id, profile_id, kind, time)",
                "\(world.send.rawValue), 1, \(world.ada.rawValue), 'received', n * 1000"
            )
            let push = "push \(world.send.rawValue)"
            let view = try await world.store.audienceView(readers: 1)
            let opens = try await view.events(
                of: world.ada,
                [.message(.opened, campaigns: []), .message(.opened, campaigns: [push])]
            )
            let opened = Activity.message(.opened, campaign: push)
            #expect(opens.map(\.activity) == [opened, opened])
            let all = try await view.events(
                of: world.ada,
                [
                    .message(.received, campaigns: []), .message(.received, campaigns: [push]),
                    .event("viewed"),
                ]
            )
            #expect(all.count == 4 && all.count { $0.activity == .event("viewed") } == 1)
        }
    }

    @Test("has a receipt for somebody who was deleted as one of whoever has the phone")
    func forgotten() async throws {
        try await withWorld { world in
            let (store, fixture) = (world.store, world.fixture)
            let phone = try await world.conformance.register("zoe", token: "02", in: fixture)
            let zoe = try #require(try await store.profile(.external("zoe"), in: fixture.workspace))
            let (send, rows) = try await world.conformance.deliveredSend(
                to: .profiles([zoe.id]),
                in: fixture
            )
            let dispatch = try #require(rows.first?.dispatch)
            let bob = UserReference.external("bob")
            let visit = IngestItem.Content.event(name: "viewed", properties: [:])
            try await world.conformance.batch([(bob, visit)], from: phone, in: fixture)
            _ = try await store.deleteUsers(
                [zoe.id],
                in: fixture.workspace,
                noting: nil,
                now: world.conformance.now
            )
            let receipt = IngestItem.Content.pushInteraction(
                .init(kind: .received, dispatch: dispatch.uuid, pushNumber: send.id.rawValue)
            )
            try await world.conformance.batch([(bob, receipt)], from: phone, in: fixture)
            let reporter = try #require(try await store.profile(bob, in: fixture.workspace))
            let events = try await store.audienceView(readers: 1).events(
                of: reporter.id,
                [.message(.received, campaigns: [])]
            )
            #expect(events.count == 1)
        }
    }

    @Test("leaves the devices of other workspaces out, wherever they stand")
    func workspaces() async throws {
        try await withWorld { world in
            let other = try await world.conformance.fixture()
            try await world.conformance.register("bob", token: "02", in: other)
            try await world.conformance.register("eve", token: "03", in: world.fixture)
            try await world.conformance.register("kim", token: "04", in: other)
            let view = try await world.store.audienceView(readers: 1)
            for workspace in [world.fixture.workspace, other.workspace] {
                var devices: [Int] = []
                try await view.rows(of: workspace).scanProfiles { profiles in
                    devices += profiles.map(\.devices.count)
                }
                #expect(devices == [1, 1])
            }
        }
    }

    @Test("has devices whatever the length of their facts")
    func longFacts() async throws {
        try await withWorld { world in
            for length in 480...520 {
                let model = String(repeating: "x", count: length)
                try await world.store.write { database in
                    try database.execute(sql: "UPDATE devices SET model = ?", arguments: [model])
                }
                var found: [String?] = []
                let rows = try await world.store.audienceView(readers: 1)
                    .rows(of: world.fixture.workspace)
                try await rows.scanBatches(skipping: []) { batch in
                    found += batch.devices.distinctKinds.map(\.model)
                }
                #expect(found == [model])
            }
        }
    }
}
