import Audience
import Foundation
import Logging
import Model
import NoroshiWire
import Ports
import Segments
import StoreSQL
import StoreTesting
import Testing

@Suite("The audience over a database")
struct ServiceTests {
    static let now: Int64 = 1_782_777_600

    struct Fixture {
        var store: SQLStore
        var service: SegmentationService
        var workspace: WorkspaceID
        var app: App

        func users(_ text: String) async throws -> Int {
            try await count(text).users
        }

        func count(_ text: String) async throws -> AudienceCount {
            let rule = try SegmentParser.parse(text).rule
            let json = String(decoding: try SegmentJSON.encode(rule), as: UTF8.self)
            return try await service.count(in: workspace, matching: SegmentQuery(filter: json))
        }

        func track(_ items: [IngestItem]) async throws {
            _ = try await store.ingest(
                [IngestRequest(workspace: workspace, source: .api, items: items)],
                now: Date()
            )
        }

        func track(_ user: String, _ attributes: [String: JSONValue]) async throws {
            try await track([
                IngestItem(
                    recordID: nil,
                    user: .external(user),
                    time: Date(),
                    content: .attributes(AttributeChanges(attributes))
                )
            ])
        }
    }

    static func workspace(_ store: SQLStore, _ name: String) async throws -> (WorkspaceID, App) {
        let workspace = try await store.createWorkspace(
            name: name,
            timeZone: "Asia/Tokyo",
            now: Date()
        )
        let app = try await store.createApp(
            AppDraft(name: name, platform: "ios", bundleID: "org.\(name)", sdkKey: name),
            in: workspace,
            noting: nil,
            now: Date()
        )
        return (workspace, app)
    }

    static func service(
        _ store: SQLStore,
        now: Int64 = now,
        policy: ColumnPolicy = ColumnPolicy()
    ) -> SegmentationService {
        var settings = SegmentationService.Settings()
        settings.policy = policy
        return SegmentationService(
            store: store,
            settings: settings,
            now: { Date(timeIntervalSince1970: TimeInterval(now)) },
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        )
    }

    static func withFixture(_ body: (Fixture) async throws -> Void) async throws {
        try await Self.withStore { store in
            let (workspace, app) = try await Self.workspace(store, "tea")
            try await body(
                Fixture(
                    store: store,
                    service: Self.service(store),
                    workspace: workspace,
                    app: app
                )
            )
        }
    }

    static func withStore(_ body: (SQLStore) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "noroshi-audience-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try await body(
            SQLStore.testing(at: folder.appending(path: "test.sqlite").path)
        )
    }

    @Test("shows every commit to the next count, and keeps workspaces apart")
    func commits() async throws {
        try await Self.withFixture { fixture in
            try await fixture.track("ada", ["country": "DE", "plan": "pro"])
            await #expect(throws: AudienceError.self) { try await fixture.users("everyone") }
            try await fixture.service.rebuild()
            #expect(try await fixture.users(#"country = "DE""#) == 1)
            try await fixture.track("ben", ["country": "DE"])
            #expect(try await fixture.users(#"country = "DE""#) == 2)
            try await fixture.track("ben", ["country": "FR"])
            #expect(try await fixture.users(#"country = "DE" and plan = "pro""#) == 1)
            let (other, _) = try await Self.workspace(fixture.store, "coffee")
            let count = try await fixture.service.count(in: other, matching: SegmentQuery())
            #expect(count.users == 0)
            #expect(try await fixture.users("everyone") == 2)
        }
    }

    @Test("counts whom a push can reach, and lists users in order after any of them")
    func reach() async throws {
        try await Self.withFixture { fixture in
            try await fixture.service.rebuild()
            for number in 1...5 {
                try await fixture.track("user\(number)", ["plan": "pro"])
                let content = IngestItem.Content.pushRegistered(
                    PushRegistration(
                        provider: .apns,
                        token: "t\(number)",
                        authorization: number == 5 ? .denied : .authorized,
                        registeredAt: Date()
                    )
                )
                let item = IngestItem(
                    recordID: nil,
                    user: .external("user\(number)"),
                    time: Date(),
                    content: content
                )
                _ = try await fixture.store.ingest(
                    [
                        IngestRequest(
                            workspace: fixture.workspace,
                            source: .device(
                                SDKDevice(id: UUID(), platform: number == 1 ? "android" : "ios"),
                                app: fixture.app.id
                            ),
                            items: [item]
                        )
                    ],
                    now: Date()
                )
            }
            try await fixture.track("user2", ["push_subscribe": "unsubscribed"])
            let count = try await fixture.count(#"plan = "pro""#)
            #expect(count.users == 5 && count.reachable == 3)
            #expect(count.devices == ["android": 1, "ios": 2])
            let reach = try await fixture.store.userCounts(in: fixture.workspace)
            #expect(reach.reachableUsers == count.reachable)
            var listed: [ProfileID] = []
            while true {
                let page = try await fixture.service.profiles(
                    in: fixture.workspace,
                    matching: SegmentQuery(),
                    after: listed.last,
                    limit: 2
                )
                listed += page
                if page.count < 2 { break }
            }
            #expect(listed == listed.sorted() && Set(listed).count == 5)
        }
    }

    @Test("answers filters on segments, lists and messages by name")
    func references() async throws {
        try await Self.withFixture { fixture in
            try await fixture.track("ada", ["country": "DE"])
            try await fixture.track("ben", ["country": "FR"])
            try await fixture.service.rebuild()
            let segments = SegmentService(store: fixture.store, now: { Date() })
            func draft(_ name: String, _ text: String) -> SegmentService.Draft {
                SegmentService.Draft(name: name, definition: .text(text))
            }
            let ada = Actor.commandLine(account: "ada", fixture.workspace)
            let german = try await segments.create(
                draft("German", #"country = "DE""#),
                by: ada
            )
            let others = try await segments.create(
                draft("Others", #"not in segment "german""#),
                by: ada
            )
            func users(_ segment: StoredSegment) async throws -> Int {
                try await fixture.service.count(
                    in: fixture.workspace,
                    matching: SegmentQuery(segments: [segment.id])
                ).users
            }
            #expect(try await users(others) == 1)
            // A new name breaks no reference.
            let isRenamed = try await segments.update(
                german.id,
                to: draft("Germans", #"country in ("DE", "AT")"#),
                by: ada
            )
            #expect(isRenamed)
            #expect(try await users(others) == 1)
            let stored = try #require(
                try await segments.segment(others.id, in: fixture.workspace)
            )
            let book = try await segments.book(of: fixture.workspace)
            #expect(try segments.text(of: stored, book: book) == #"not in segment "Germans""#)
            await #expect(throws: RefusalError.self) {
                _ = try await segments.archive(german.id, by: ada)
            }
            await #expect(throws: ValidationError.self) {
                _ = try await segments.create(
                    draft("Germans", "everyone"),
                    by: ada
                )
            }
            await #expect(throws: ValidationError.self) {
                _ = try await segments.update(
                    german.id,
                    to: draft("Germans", #"in segment "others""#),
                    by: ada
                )
            }
            let ben = try #require(
                try await fixture.store.profile(.external("ben"), in: fixture.workspace)
            )
            _ = try await fixture.store.saveUserList(
                named: "Summer",
                profiles: [ben.id],
                author: "Ada",
                in: fixture.workspace,
                noting: nil,
                now: Date()
            )
            #expect(try await fixture.users(#"in list "summer""#) == 1)
            let explained = try #require(
                try await fixture.service.explain(
                    book.resolved(SegmentParser.parse(#"in segment "Germans""#).rule),
                    for: ben.id,
                    in: fixture.workspace
                )
            )
            #expect(!explained.holds && explained.obstacles.count == 1)
        }
    }

    @Test("each change of a segment or a list is in the log with who made it; viewers change none")
    func log() async throws {
        try await Self.withFixture { fixture in
            try await fixture.track("ada", ["country": "DE"])
            func member(_ role: Member.Role) -> Actor {
                .member(
                    Member(
                        id: MemberID(1),
                        workspace: fixture.workspace,
                        name: "Mio",
                        email: "mio@example.org",
                        role: role
                    )
                )
            }
            let segments = SegmentService(store: fixture.store, now: { Date() })
            let lists = UserListService(store: fixture.store, now: { Date() })
            let draft = SegmentService.Draft(name: "All", definition: .text("everyone"))
            let file = Array("ada\nnobody\n".utf8)
            await #expect(throws: NotAllowedError.self) {
                try await segments.create(draft, by: member(.viewer))
            }
            await #expect(throws: NotAllowedError.self) {
                try await lists.upload(file, as: "Summer", by: member(.viewer))
            }
            let mio = member(.marketer)
            let segment = try await segments.create(draft, by: mio)
            #expect(segment.content.author == "Mio")
            #expect(try await segments.update(segment.id, to: draft, by: mio))
            #expect(try await segments.archive(segment.id, by: mio))
            #expect(try await !segments.archive(segment.id, by: mio))
            let upload = try await lists.upload(file, as: "Summer", by: mio)
            #expect(upload.unknown == ["nobody"])
            #expect(try await lists.rename(upload.list.id, to: "Winter", by: mio))
            #expect(try await lists.delete(upload.list.id, by: mio))
            #expect(try await !lists.delete(upload.list.id, by: mio))
            let log = try await fixture.store.audit(
                in: fixture.workspace,
                matching: AuditQuery()
            )
            #expect(
                log.records.reversed().map { "\($0.author) \($0.action) \($0.subject)" } == [
                    "Mio segment_saved All", "Mio segment_saved All", "Mio segment_deleted All",
                    "Mio list_saved Summer", "Mio list_saved Winter", "Mio list_deleted Winter",
                ]
            )
        }
    }

    /// Counts and clean-ups go on while two workspaces are written to; in the end, columns and
    /// rows have to be the same in everything.
    @Test(
        "columns and rows agree after random commits of every kind, with counts in between",
        arguments: [1, 2, 3, 4] as [UInt64]
    )
    func traffic(seed: UInt64) async throws {
        try await Self.withStore { store in
            let (tea, teaApp) = try await Self.workspace(store, "tea")
            let (coffee, coffeeApp) = try await Self.workspace(store, "coffee")
            var early = RowTraffic(store: store, workspace: tea, app: teaApp.id, seed: seed)
            for _ in 0..<20 { try await early.step() }
            let service = Self.service(store)
            try await service.rebuild()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (index, owner) in [(tea, teaApp.id), (tea, teaApp.id), (coffee, coffeeApp.id)]
                    .enumerated()
                {
                    group.addTask {
                        var traffic = RowTraffic(
                            store: store,
                            workspace: owner.0,
                            app: owner.1,
                            seed: seed * 100 + UInt64(index)
                        )
                        for _ in 0..<120 { try await traffic.step() }
                    }
                }
                group.addTask {
                    var random = RandomAudience(seed: seed + 7)
                    for round in 0..<60 {
                        _ = try await service.columns(of: tea).count
                        if round % 20 == 10 { try await service.rebuild() }
                        if round % 7 == 0 {
                            let rule = random.rule()
                            let book = WorkspaceSegmentResolver(segments: [], lists: [])
                            _ = try await service.select(rule, book: book, in: tea).count()
                        }
                    }
                }
                try await group.waitForAll()
            }
            var random = RandomAudience(seed: seed + 70)
            for workspace in [tea, coffee] {
                let columns = try await service.columns(of: workspace)
                let rows = try await store.audienceView().rows(of: workspace)
                let differences = try await columns.differences(from: rows)
                #expect(differences.isEmpty, "seed \(seed): \(differences.prefix(3))")
                for _ in 0..<40 {
                    let rule = random.rule()
                    let found = try await columns.verify(
                        rule,
                        at: EvaluationTime(now: Self.now),
                        source: rows
                    )
                    #expect(found.isEmpty, "seed \(seed): \(SegmentWriter.text(rule))")
                }
            }
        }
    }

    @Test("a difference between columns and rows is found and named")
    func differences() async throws {
        try await Self.withFixture { fixture in
            try await fixture.track("ada", ["plan": "pro"])
            try await fixture.track("ben", ["plan": "pro"])
            try await fixture.service.rebuild()
            var columns = try await fixture.service.columns(of: fixture.workspace)
            let view = try await fixture.store.audienceView()
            let rows = try await view.rows(of: fixture.workspace)
            #expect(try await columns.differences(from: rows).isEmpty)
            columns.append(AudienceEvent(profile: 1, activity: .session, time: Self.now))
            columns.remove(2)
            let found = try await columns.differences(from: rows)
            #expect(found.map(\.profile).sorted() == [1, 2], "\(found)")
        }
    }

    @Test(
        "some users are asked for as all are, whether columns answer or rows do",
        arguments: [
            "country = \"DE\"", "external_id = \"user-3\"", "not external_id = \"user-3\"",
            "country = \"DE\" and external_id = \"user-4\"", "event view with (sku = \"a\") done",
            "not event view with (sku = \"a\") done", "event view count >= 2",
        ]
    )
    func members(text: String) async throws {
        try await Self.withFixture { fixture in
            for number in 0..<12 {
                try await fixture.track(
                    "user-\(number)",
                    ["country": .string(number % 2 == 0 ? "DE" : "FR")]
                )
                try await fixture.track(
                    (0..<number % 3).map { count in
                        IngestItem(
                            recordID: nil,
                            user: .external("user-\(number)"),
                            time: Date(timeIntervalSince1970: Double(Self.now) - 60),
                            content: .event(
                                name: "view",
                                properties: EventProperties(
                                    ["sku": .string(count == 0 ? "a" : "b")]
                                )
                            )
                        )
                    }
                )
            }
            try await fixture.service.rebuild()
            let rule = try SegmentParser.parse(text).rule
            let query = SegmentQuery(
                filter: String(decoding: try SegmentJSON.encode(rule), as: UTF8.self)
            )
            let everybody = try await fixture.service.profiles(
                in: fixture.workspace,
                matching: SegmentQuery(),
                after: nil,
                limit: 100
            )
            #expect(everybody.count == 12)
            let all = try await fixture.service.profiles(
                in: fixture.workspace,
                matching: query,
                after: nil,
                limit: 100
            )
            let nobody = ProfileID(999_999)
            for users in [
                everybody + [nobody], Array(repeating: everybody, count: 10).flatMap(\.self),
            ] {
                let members = try await fixture.service.members(
                    of: users,
                    matching: query,
                    in: fixture.workspace
                )
                #expect(members == users.filter(all.contains))
            }
        }
    }
}
