import Analytics
import Foundation
import Model
import NoroshiWire
import Ports
import StoreConformance
import StoreSQL
import StoreTesting
import Testing
import Users

@Suite("Users")
struct UserServiceTests {
    private struct Bench {
        var conformance: StoreConformance
        var store: SQLStore
        var users: UserService
        var directory: UserDirectory
        var fixture: StoreConformance.Fixture

        var workspace: WorkspaceID { fixture.workspace }

        func member(_ role: Member.Role) -> Actor {
            .member(
                Member(
                    id: MemberID(1),
                    workspace: workspace,
                    name: "Mio",
                    email: "mio@example.org",
                    role: role
                )
            )
        }

        func track(_ user: String, _ content: IngestItem.Content, after: TimeInterval = 0)
            async throws
        {
            let item = IngestItem(
                recordID: nil,
                user: .external(user),
                time: conformance.now.addingTimeInterval(after),
                content: content
            )
            _ = try await conformance.ingest([item], in: workspace)
        }

        func id(_ user: String) async throws -> ProfileID {
            try #require(try await store.profile(.external(user), in: workspace)).id
        }
    }

    private func withBench(_ body: (Bench) async throws -> Void) async throws {
        let path = FileManager.default.temporaryDirectory
            .appending(path: "noroshi-users-\(UUID().uuidString).sqlite").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let store = try SQLStore.testing(at: path)
        let conformance = StoreConformance(store)
        try await body(
            Bench(
                conformance: conformance,
                store: store,
                users: UserService(store: store, now: { conformance.now }),
                directory: UserDirectory(store: store, figures: ReportCache(feed: ChangeFeed())),
                fixture: try await conformance.fixture()
            )
        )
    }

    @Test("are deleted by administrators, and the log says how many they were and not who")
    func deletion() async throws {
        try await withBench { bench in
            for user in ["ada", "ben"] {
                try await bench.track(user, .event(name: "viewed", properties: [:]))
            }
            let ids = [try await bench.id("ada"), try await bench.id("ben")]
            await #expect(throws: NotAllowedError.self) {
                try await bench.users.delete(ids, by: bench.member(.marketer))
            }
            let administrator = bench.member(.administrator)
            #expect(try await bench.users.delete(ids, by: administrator) == 2)
            #expect(try await bench.users.delete(ids, by: administrator) == 0)
            let log = try await bench.store.audit(in: bench.workspace, matching: AuditQuery())
            #expect(log.records.map(\.action) == ["users.delete"])
            #expect(log.records.map(\.subject) == ["2"])
            #expect(log.records.map(\.author) == ["Mio"])
        }
    }

    @Test("a page of them says whether there is a next one; whom an identifier names comes first")
    func list() async throws {
        try await withBench { bench in
            for user in ["ada", "ada2", "ada3"] {
                try await bench.track(user, .event(name: "viewed", properties: [:]))
            }
            let page = ListPage(size: 2)
            let all = try await bench.directory.users(matching: "", page, in: bench.workspace)
            #expect(all.users.count == 2 && all.hasMore && all.total == 3)
            let found = try await bench.directory.users(
                matching: "ada",
                page,
                in: bench.workspace
            )
            #expect(found.users.first?.profile.externalID == "ada")
            #expect(found.total == nil)
            let other = try await bench.conformance.fixture().workspace
            let none = try await bench.directory.users(matching: "", page, in: other)
            #expect(none.users.isEmpty && !none.hasMore)
        }
    }

    @Test("a workspace sees its own users only, with their devices and whether pushes reach them")
    func detail() async throws {
        try await withBench { bench in
            try await bench.conformance.register("ada", token: "01", in: bench.fixture)
            let ada = try await bench.id("ada")
            let user = try #require(try await bench.directory.user(ada, in: bench.workspace))
            #expect(user.summary.devices.map(\.pushReach) == [.reachable])
            #expect(user.summary.reachableDevices == 1)
            #expect(user.apps[bench.fixture.app.id]?.name == bench.fixture.app.name)
            let other = try await bench.conformance.fixture().workspace
            #expect(try await bench.directory.user(ada, in: other) == nil)
            let timeline = try await bench.directory.timeline(
                of: ada,
                before: nil,
                limit: 10,
                in: other
            )
            #expect(timeline.isEmpty)
        }
    }

    @Test("a timeline tells the end of a session from its beginning")
    func sessions() async throws {
        try await withBench { bench in
            try await bench.track("ada", .sessionStarted, after: 0)
            try await bench.track("ada", .sessionEnded(duration: 47.7), after: 48)
            let timeline = try await bench.directory.timeline(
                of: try await bench.id("ada"),
                before: nil,
                limit: 10,
                in: bench.workspace
            )
            #expect(timeline.map(\.kind) == [.sessionEnd, .session])
            #expect(timeline.first?.properties == ["duration_seconds": .number(47.7)])
        }
    }

    @Test("a timeline goes on where the last part of it ended")
    func timeline() async throws {
        try await withBench { bench in
            for (index, name) in ["first", "second", "third"].enumerated() {
                try await bench.track(
                    "ada",
                    .event(name: name, properties: ["n": .integer(Int64(index))]),
                    after: TimeInterval(index)
                )
            }
            let ada = try await bench.id("ada")
            func names(before: Date?) async throws -> [String] {
                try await bench.directory.timeline(
                    of: ada,
                    before: before,
                    limit: 2,
                    in: bench.workspace
                ).map(\.name)
            }
            #expect(try await names(before: nil) == ["third", "second"])
            let end = bench.conformance.now.addingTimeInterval(1)
            #expect(try await names(before: end) == ["first"])
        }
    }
}
