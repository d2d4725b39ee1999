import Foundation
import Model
import NoroshiWire
import Ports
import Relational
import Segments
import StoreConformance
import StoreTesting
import Synchronization
import Testing

@testable import StoreSQL

/// What earlier versions stored and a damaged file may hold: rows that no reader of today takes.
@Suite("Rows that cannot be read")
struct DamagedRowTests {
    private struct Site {
        let store: SQLStore
        let workspace: WorkspaceID
        let path: String
        let days = LocalDays(.gmt)

        /// Changes rows behind the store's back.
        func damage(_ sql: String, _ arguments: StatementArguments = []) async throws {
            try await store.pool.write { try $0.execute(sql: sql, arguments: arguments) }
        }

        func count(_ sql: String) async throws -> Int {
            try await store.pool.read { try Int.fetchOne($0, sql: sql) ?? -1 }
        }

        func track(_ user: String, _ content: IngestItem.Content) async throws {
            let item = IngestItem(
                recordID: nil,
                user: .external(user),
                time: DamagedRowTests.now,
                content: content
            )
            _ = try await store.ingest(
                [IngestRequest(workspace: workspace, source: .api, items: [item])],
                now: DamagedRowTests.now
            )
        }
    }

    private static let now = Date(timeIntervalSince1970: 1_790_000_000)

    private func withSite(_ body: (Site) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "noroshi-damage-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appending(path: "test.sqlite").path
        let store = try SQLStore.testing(at: path)
        let workspace = try await store.createWorkspace(
            name: "tea",
            timeZone: "UTC",
            now: Self.now
        )
        let site = Site(store: store, workspace: workspace, path: path)
        for user in ["ada", "ben", "eve"] {
            try await site.track(user, .attributes(AttributeChanges(["plan": "pro"])))
            try await site.track(user, .event(name: "viewed", properties: [:]))
            try await site.track(
                user,
                .purchase(
                    product: "tea",
                    currency: "EUR",
                    price: 2.5,
                    quantity: 2,
                    properties: [:]
                )
            )
        }
        try await body(site)
    }

    /// A time below all years, at the edge of its type, above all years.
    private static let badTimes = [
        "-9223372036854775808", "-9223372036854775807", "-62135596800001", "253402300800000",
        "9223372036854775807",
    ]

    private static let damages =
        badTimes.map { "UPDATE events SET time = \($0) WHERE profile_id = 2" }
        + [
            "UPDATE events SET properties = '{\"price\":1e308,\"quantity\":100}' WHERE id = 4",
            "UPDATE events SET properties = '{\"price\":' WHERE id IN (3, 4)",
            "UPDATE profiles SET custom = '{\"a\":' WHERE id = 2",
            "UPDATE profiles SET standard = 'x' WHERE id = 2",
            "UPDATE profiles SET created_at = 9223372036854775807 WHERE id = 2",
        ]

    @Test("cost their own line: the audience, counts, lists and exports go on", arguments: damages)
    func goOn(damage: String) async throws {
        try await withSite { site in
            try await site.damage(damage)
            let view = try await site.store.audienceView(readers: 1)
            let rows = try await view.rows(of: site.workspace)
            var users: Set<Int64> = []
            try await rows.scanBatches(skipping: []) { users.formUnion($0.rowIDs) }
            #expect(users.isSuperset(of: [1, 3]))
            var profiles: Set<Int64> = []
            try await rows.scanProfiles { profiles.formUnion($0.map(\.rowID)) }
            #expect(profiles == users)
            try await rows.scanOccurrences { _ in }
            var sums: [Int64: Int64] = [:]
            let query = AudienceEventQuery(
                subject: .purchase(products: []),
                needsProperties: true
            )
            try await rows.scanEvents(query) { events in
                for event in events { sums[event.profile, default: 0] += event.priceInMicros }
            }
            #expect(sums[1] == 2_500_000 && sums[3] == 2_500_000)

            try await site.store.refreshDailyCounts(in: site.workspace, days: site.days)
            let revenue = try await site.store.dailyCounts(
                of: .revenue(product: nil, currency: "EUR"),
                in: site.workspace,
                between: [
                    site.days.start(of: Self.now), site.days.start(of: Self.now, adding: 1),
                ]
            )
            #expect([10, 15].contains(revenue[0]))

            let exported = try await site.store.exportUsers(in: site.workspace, after: 0, limit: 2)
            #expect(exported.count == 2)
            let events = try await site.store.exportEvents(in: site.workspace, after: 0, limit: 4)
            #expect(events.count == 4)
            for user in 1...3 {
                _ = try await site.store.events(of: ProfileID(Int64(user)), limit: 10)
            }
            #expect(site.store.unreadableRows().total > 0)
        }
    }

    @Test("are told once each, the first thousand by name and the others by number")
    func many() throws {
        let told = Mutex<[Int64]>([])
        let unreadable = UnreadableRows { row in told.withLock { $0.append(row.id) } }
        for _ in 0..<2 {
            for id in 1...1_000 as ClosedRange<Int64> {
                let value: Int? = try unreadable.value("events", id) {
                    throw StoreError(.unreadable, .variantWithoutID)
                }
                #expect(value == nil)
            }
        }
        #expect(unreadable.all.total == 1_000)
        for id in 1_001...1_003 as ClosedRange<Int64> {
            let _: Int? = try unreadable.value("events", id) {
                throw StoreError(.unreadable, .variantWithoutID)
            }
        }
        #expect(unreadable.all.rows.map(\.id) == Array(1...1_000))
        #expect(unreadable.all.total == 1_003)
        #expect(told.withLock { $0 } == Array(1...1_000))
        // What is no matter of the row is not set aside.
        #expect(throws: StoreError.self) {
            let _: Int? = try unreadable.value("events", 1) {
                throw StoreError(.unavailable, .noMemory)
            }
        }
    }

    @Test("are found by the doctor, who leaves a file without any", arguments: damages)
    func doctor(damage: String) async throws {
        try await withSite { site in
            try await site.damage(damage)
            let doctor = DatabaseDoctor(site.store)
            let found = try await doctor.examine()
            #expect(!found.isHealthy)
            let mended = try await doctor.mend(now: Self.now)
            #expect(mended.faults == found.faults)
            #expect(try await doctor.examine().faults == [])
            #expect(try await site.count("SELECT count(*) FROM profiles") == 3)
        }
    }

    @Test("a healthy file has no faults, and mending it changes nothing")
    func healthy() async throws {
        try await withSite { site in
            try await site.store.refreshDailyCounts(in: site.workspace, days: site.days)
            #expect(try await DatabaseDoctor(site.store).examine().faults == [])
            #expect(try await DatabaseDoctor(site.store).mend(now: Self.now).faults == [])
            #expect(try await site.count("SELECT count(*) FROM events") == 6)
        }
    }

    /// Rows without an identifier, which columns added later allow, and with one that is no UUID.
    private static let identifiers = [
        """
        INSERT INTO news (workspace_id, title, text, content, is_draft, author, created_at,
            updated_at, public_id)
        SELECT workspace_id, title, text, content, is_draft, author, created_at, updated_at, NULL
        FROM news
        """,
        """
        INSERT INTO news (workspace_id, title, text, content, is_draft, author, created_at,
            updated_at, public_id)
        SELECT workspace_id, title, text, content, is_draft, author, created_at, updated_at, x'0102'
        FROM news
        """,
        """
        INSERT INTO segments (workspace_id, api_id, name, description, definition, author,
            created_at, updated_at)
        SELECT workspace_id, x'01', 'Other', description, definition, author, created_at, updated_at
        FROM segments
        """,
        """
        INSERT INTO subscription_groups (public_id, workspace_id, name, channel, created_at)
        SELECT x'01', workspace_id, 'Other', channel, created_at FROM subscription_groups
        """,
        """
        INSERT INTO content_blocks (id, workspace_id, name, description, content, state, tags,
            created_at, updated_at)
        SELECT x'01', workspace_id, 'other', description, content, state, tags, created_at,
            updated_at FROM content_blocks
        """,
    ]

    @Test(
        "that have no identifier cost their own line, and the doctor names them",
        arguments: identifiers
    )
    func identifier(damage: String) async throws {
        try await withSite { site in
            let store = site.store
            let content = NewsContent(title: "Open", text: "From Monday on")
            let item = try await store.createNews(
                content,
                author: "Ada",
                in: site.workspace,
                now: Self.now
            )
            let segment = try await store.createSegment(
                SegmentContent(name: "Vip", description: "", definition: "{}", author: "Ada"),
                in: site.workspace,
                now: Self.now
            )
            let group = SubscriptionGroup(
                id: UUID(),
                workspace: site.workspace,
                name: "Weekly",
                channel: .email
            )
            try await store.createSubscriptionGroup(group, noting: nil, now: Self.now)
            try await site.damage(
                """
                INSERT INTO content_blocks (id, workspace_id, name, description, content, state,
                    tags, created_at, updated_at)
                VALUES (x'000102030405060708090a0b0c0d0e0f', \(site.workspace.rawValue), 'hours', '', '8', 'active', '[]', 0, 0)
                """
            )
            try await site.damage(damage)
            let query = NewsQuery(now: Self.now, limit: 10)
            let news = try await store.news(in: site.workspace, matching: query).items
            #expect(news.map(\.id) == [item.id])
            #expect(try await store.segments(in: site.workspace).map(\.id) == [segment.id])
            let groups = try await store.subscriptionGroups(in: site.workspace)
            #expect(groups.map(\.id) == [group.id])
            let blocks = try await store.contentBlocks(
                in: site.workspace,
                matching: ContentBlockQuery(limit: 10)
            )
            #expect(blocks.map(\.name) == ["hours"])
            #expect(store.unreadableRows().total == 1)
            #expect(try await DatabaseDoctor(store).examine().faults.count == 1)
        }
    }

    @Test("a message whose schedule cannot be read is cancelled, and its text is kept")
    func unreadableSchedule() async throws {
        try await withSite { site in
            let content = SendContent(message: PushMessage(body: "Later"), audience: .everyone)
            var sends: [Send] = []
            for _ in 0..<2 {
                sends.append(
                    try await site.store.createSend(
                        content,
                        in: site.workspace,
                        scheduledAt: Self.now,
                        now: Self.now
                    )
                )
            }
            let bad = sends[1].id
            try await site.damage(
                """
                UPDATE sends SET content = json_set(content, '$.localMoment', 'soon')
                WHERE id = \(bad.rawValue)
                """
            )
            _ = try await DatabaseDoctor(site.store).mend(now: Self.now)
            #expect(try await site.store.send(bad)?.state == .cancelled)
            #expect(try await site.store.send(bad)?.content.message.body == "Later")
            #expect(try await site.store.send(sends[0].id)?.state == .scheduled)
            let kept = try await site.count(
                """
                SELECT count(*) FROM set_aside_rows WHERE table_name = 'sends'
                    AND row_id = \(bad.rawValue) AND content ->> '$.localMoment' = 'soon'
                """
            )
            #expect(kept == 1)
        }
    }

    @Test("interactions are told by their own number")
    func interaction() async throws {
        try await withSite { site in
            let content = SendContent(message: PushMessage(body: "Tea?"), audience: .everyone)
            let send = try await site.store.createSend(
                content,
                in: site.workspace,
                scheduledAt: Self.now,
                now: Self.now
            )
            try await site.damage(
                """
                INSERT INTO push_interactions (id, send_id, device_id, profile_id, kind, time)
                VALUES (71, \(send.id.rawValue), 1, 2, 'opened', 253402300800000)
                """
            )
            let view = try await site.store.audienceView(readers: 1)
            try await view.rows(of: site.workspace).scanOccurrences { _ in }
            let rows = site.store.unreadableRows().rows
            #expect(rows.map(\.table) == ["push_interactions"] && rows.map(\.id) == [71])
        }
    }

    @Test("a purchase of a day that is counted again is told by its own number")
    func recounted() async throws {
        try await withSite { site in
            try await site.store.refreshDailyCounts(in: site.workspace, days: site.days)
            try await site.damage(
                "UPDATE events SET properties = '{\"price\":1e308,\"quantity\":100}' WHERE id = 4"
            )
            _ = try await site.store.deleteUsers(
                [ProfileID(1)],
                in: site.workspace,
                noting: nil,
                now: Self.now
            )
            try await site.store.refreshDailyCounts(in: site.workspace, days: site.days)
            let quantity = try await site.store.dailyCounts(
                of: .quantity(product: nil),
                in: site.workspace,
                between: [
                    site.days.start(of: Self.now), site.days.start(of: Self.now, adding: 1),
                ]
            )
            #expect(quantity == [2])
            let rows = site.store.unreadableRows().rows
            #expect(rows.map(\.table) == ["events"] && rows.map(\.id) == [4])
        }
    }

    @Test("a hundred pieces at the highest price are read, and one piece without a price")
    func extremePurchases() async throws {
        try await withSite { site in
            try await site.damage(
                """
                UPDATE events SET properties = '{"product_id":"gold","currency":"EUR","price":1e12,
                    "quantity":100}' WHERE id = 2;
                UPDATE events SET properties = '{"product_id":"gift","currency":"EUR"}' WHERE id = 4;
                """
            )
            #expect(try await DatabaseDoctor(site.store).examine().faults == [])
            try await site.store.refreshDailyCounts(in: site.workspace, days: site.days)
            let day = [site.days.start(of: Self.now), site.days.start(of: Self.now, adding: 1)]
            func count(_ series: CountSeries) async throws -> [Double] {
                try await site.store.dailyCounts(of: series, in: site.workspace, between: day)
            }
            #expect(try await count(.quantity(product: "gold")) == [100])
            #expect(try await count(.revenue(product: "gold", currency: "EUR")) == [1e14])
            #expect(try await count(.quantity(product: "gift")) == [1])
            #expect(try await count(.revenue(product: "gift", currency: "EUR")) == [0])
            #expect(site.store.unreadableRows().total == 0)
            try await site.damage("UPDATE events SET properties = '{\"price\":2e12}' WHERE id = 4")
            #expect(try await DatabaseDoctor(site.store).examine().faults.count == 1)
        }
    }

    @Test("a token that does not say since when it is there has always been there")
    func ageOfAToken() async throws {
        try await withSite { site in
            let conformance = StoreConformance(site.store)
            let fixture = try await conformance.fixture()
            try await conformance.register("zoe", token: "01", in: fixture)
            _ = try await conformance.plannedSend(to: .everyone, in: fixture)
            try await site.damage("UPDATE devices SET push_registered_at = NULL")
            let row = try #require(try await conformance.claim(1).first)
            #expect(row.device.push?.registeredAt == Date(timeIntervalSince1970: 0))
        }
    }

    @Test("counts of a send that differ from its rows are told, and made again from them")
    func mismatches() async throws {
        try await withSite { site in
            let conformance = StoreConformance(site.store)
            let fixture = try await conformance.fixture()
            try await conformance.register("zoe", token: "01", in: fixture)
            let send = try await conformance.plannedSend(to: .everyone, in: fixture).id
            #expect(try await site.store.countMismatches(of: send) == [])
            try await site.damage(
                "UPDATE send_counts SET rows = 7 WHERE send_id = \(send.rawValue)"
            )
            let found = try await site.store.countMismatches(of: send)
            #expect(found.map(\.kept) == [7] && found.map(\.counted) == [1])
            #expect(found.first?.name.hasPrefix("state \(DispatchState.queued.rawValue)") == true)
            try await site.store.recount(send)
            #expect(try await site.store.countMismatches(of: send) == [])
        }
    }

    @Test("what is set aside is kept as it was")
    func setAside() async throws {
        try await withSite { site in
            try await site.damage("UPDATE events SET time = -9223372036854775808 WHERE id = 3")
            _ = try await DatabaseDoctor(site.store).mend(now: Self.now)
            #expect(try await site.count("SELECT count(*) FROM events WHERE id = 3") == 0)
            let kept = try await site.count(
                """
                SELECT count(*) FROM set_aside_rows WHERE table_name = 'events' AND row_id = 3
                    AND CAST(content ->> '$.time' AS TEXT) = '-9223372036854775808'
                """
            )
            #expect(kept == 1)
        }
    }

    @Test("texts with U+0000, as a character and in JSON, lose it", .aboutFiles)
    func nulls() async throws {
        try await withSite { site in
            try await site.damage(
                """
                UPDATE profiles SET external_id = 'a' || char(0) || 'b',
                    custom = '{"k\\u0000":"v\\u0000\\\\u0000"}' WHERE id = 1
                """
            )
            _ = try await DatabaseDoctor(site.store).mend(now: Self.now)
            let mended = try await site.count(
                """
                SELECT count(*) FROM profiles WHERE id = 1 AND external_id = 'ab'
                    AND custom = '{"k":"v\\\\u0000"}'
                """
            )
            #expect(mended == 1)
            #expect(try await DatabaseDoctor(site.store).examine().faults == [])
        }
    }

    @Test("infinite daily counts are made again from the rows")
    func counts() async throws {
        try await withSite { site in
            try await site.store.refreshDailyCounts(in: site.workspace, days: site.days)
            try await site.damage(
                "UPDATE daily_counts SET amount = ? WHERE item = 'tea'",
                [Double.infinity]
            )
            _ = try await DatabaseDoctor(site.store).mend(now: Self.now)
            try await site.store.refreshDailyCounts(in: site.workspace, days: site.days)
            #expect(try await site.count("SELECT sum(amount) FROM daily_counts") == 15_000_000)
            // A day that no calendar has, with amounts as they should be.
            try await site.damage("UPDATE daily_counts SET day = 1e18 WHERE item = 'tea'")
            #expect(try await !DatabaseDoctor(site.store).examine().isHealthy)
        }
    }

    @Test("a page of the file that is lost is told, and nothing is changed", .aboutFiles)
    func damagedFile() async throws {
        try await withSite { site in
            for number in 0..<200 {
                try await site.track("user\(number)", .event(name: "viewed", properties: [:]))
            }
            let page = try await site.count(
                "SELECT rootpage FROM sqlite_master WHERE name = 'profiles'"
            )
            let size = try await site.count("PRAGMA page_size")
            try await site.store.close()
            let handle = try FileHandle(forWritingTo: URL(filePath: site.path))
            try handle.seek(toOffset: UInt64((page - 1) * size))
            try handle.write(contentsOf: Data(repeating: 0x5A, count: size))
            try handle.close()
            let report = try await DatabaseDoctor(
                SQLStore.testing(at: site.path)
            ).mend(now: Self.now)
            #expect(report.isFileDamaged)
        }
    }
}
