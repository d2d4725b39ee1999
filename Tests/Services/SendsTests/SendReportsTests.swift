import Analytics
import Audience
import Foundation
import Model
import Ports
import Sends
import StoreConformance
import StoreSQL
import StoreTesting
import Testing

@Suite("What became of sends")
struct SendReportsTests {
    private static let now = Date(timeIntervalSince1970: 1_789_999_200)

    private struct World {
        var store: SQLStore
        var conformance: StoreConformance
        var fixture: StoreConformance.Fixture
        var feed: ChangeFeed
        var reports: SendReports

        var workspace: WorkspaceID { fixture.workspace }

        func send(
            _ body: String,
            to audience: Audience = .everyone,
            at time: Date = now,
            in workspace: WorkspaceID? = nil
        ) async throws -> Send {
            try await store.createSend(
                SendContent(message: PushMessage(body: body), audience: audience),
                in: workspace ?? self.workspace,
                scheduledAt: time,
                now: now
            )
        }

        /// Plans a send and writes down that the provider took all but `refused` of its rows.
        func deliver(_ send: Send, refused: Int) async throws {
            _ = try await store.startPlanningDueSends(now: now)
            while try await !store.planNextBatch(of: send.id, limit: 100, now: now).isComplete {}
            let rows = try await store.claimDispatches(
                ClaimRequest(
                    limit: 100,
                    owner: "test",
                    leaseEnd: now.addingTimeInterval(60),
                    now: now
                )
            ).rows
            try await store.record(
                rows.enumerated().map { index, row in
                    DispatchUpdate(
                        send: row.send,
                        device: row.device.id,
                        change: index < refused
                            ? .rejected(reason: "PayloadTooLarge", retiresToken: false)
                            : .accepted(providerID: nil)
                    )
                },
                now: now
            )
            _ = try await store.markFinishedSends(now: now)
        }
    }

    private func withWorld(_ body: (World) async throws -> Void) async throws {
        let path = FileManager.default.temporaryDirectory
            .appending(path: "noroshi-reports-\(UUID().uuidString).sqlite").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let store = try SQLStore.testing(at: path)
        let conformance = StoreConformance(store)
        let feed = ChangeFeed()
        try await body(
            World(
                store: store,
                conformance: conformance,
                fixture: try await conformance.fixture(),
                feed: feed,
                reports: SendReports(
                    store: store,
                    choices: AudienceChoiceService(store: store, now: { Self.now }),
                    figures: ReportCache(feed: feed),
                    feed: feed,
                    now: { Self.now }
                )
            )
        )
    }

    @Test("is listed by phase and page, the newest first, with the audience in words")
    func history() async throws {
        try await withWorld { world in
            try await world.conformance.register("ada", token: "a", in: world.fixture)
            let ada = try await world.store.profile(.external("ada"), in: world.workspace)
            let other = try await world.store.createWorkspace(
                name: "coffee",
                timeZone: "Asia/Tokyo",
                now: Self.now
            )
            _ = try await world.send("Elsewhere", in: other)
            let later = Self.now.addingTimeInterval(3600)
            let first = try await world.send("First", at: later)
            let second = try await world.send(
                "Second",
                to: .profiles([#require(ada).id]),
                at: later
            )
            let page = ListPage(size: 1)
            let found = try await world.reports.history(of: world.workspace, page: page)
            #expect(found.total == 2)
            #expect(found.reports.map(\.send.id) == [second.id])
            #expect(found.reports.first?.audience == .user(externalID: "ada"))
            let rest = try await world.reports.history(of: world.workspace, page: page.next)
            #expect(rest.reports.map(\.send.id) == [first.id])
            #expect(rest.reports.first?.deliverAt == later)
            let named = try await world.reports.history(
                of: world.workspace,
                matching: SendQuery(text: "irst", phase: .scheduled),
                page: page
            )
            #expect(named.reports.map(\.message) == ["First"])
            let over = try await world.reports.history(
                of: world.workspace,
                matching: SendQuery(phase: .done),
                page: page
            )
            #expect(over.total == 0)
            for (start, end, found) in [
                (later, later.addingTimeInterval(1), 2), (later.addingTimeInterval(1), nil, 0),
                (nil, later, 0),
            ] as [(Date?, Date?, Int)] {
                var span = SendQuery()
                (span.start, span.end) = (start, end)
                let sends = try await world.reports.history(
                    of: world.workspace,
                    matching: span,
                    page: page
                )
                #expect(sends.total == found)
            }
        }
    }

    @Test("in figures of the workspace and lists without them if it was sent as a test")
    func tests() async throws {
        try await withWorld { world in
            try await world.conformance.register("ada", token: "a", in: world.fixture)
            let meant = try await world.send("Meant")
            var looked = SendContent(message: PushMessage(body: "Looked at"), audience: .everyone)
            looked.isTest = true
            let test = try await world.store.createSend(
                looked,
                in: world.workspace,
                scheduledAt: Self.now,
                now: Self.now
            )
            for send in [meant, test] {
                try await world.deliver(send, refused: 0)
                #expect(try await world.store.counts(of: [send.id])[send.id]?[.accepted] == 1)
            }
            let day = [Self.now.addingTimeInterval(-60), Self.now.addingTimeInterval(60)]
            let figures = try await world.store.figures(in: world.workspace, between: day)
            #expect(figures.map(\.delivered) == [1])
            for (includesTests, found) in [(true, [test.id, meant.id]), (false, [meant.id])] {
                var query = SendQuery()
                query.includesTests = includesTests
                let sends = try await world.reports.history(
                    of: world.workspace,
                    matching: query,
                    page: ListPage(size: 5)
                )
                #expect(sends.reports.map(\.send.id) == found)
            }
        }
    }

    @Test("is told with its counts, why some were refused, and the newest rows")
    func ledger() async throws {
        try await withWorld { world in
            for name in ["ada", "bo", "cy"] {
                try await world.conformance.register(name, token: name, in: world.fixture)
            }
            let send = try await world.send("Tea")
            try await world.deliver(send, refused: 1)
            let found = try await world.reports.report(send.id, in: world.workspace)
            let report = try #require(found)
            #expect(report.phase == .partlyFailed)
            #expect(report.counts[.accepted] == 2 && report.counts[.rejected] == 1)
            let ledger = try await world.reports.ledger(of: report.send)
            #expect(
                ledger.failures == [
                    FailureReason(state: .rejected, reason: "PayloadTooLarge", count: 1)
                ]
            )
            #expect(ledger.latest.count == 3)
            let funnels = MessageFunnels(store: world.store, now: { Self.now })
            #expect(try await funnels.funnel(of: send.id).steps.map(\.users) == [3, 2, 0, 0])
            let first = try await world.reports.dispatches(
                of: send.id,
                matching: .state(.accepted),
                after: nil,
                limit: 1
            )
            let second = try await world.reports.dispatches(
                of: send.id,
                matching: .state(.accepted),
                after: first.last?.device,
                limit: 5
            )
            #expect(first.count == 1 && second.count == 1)
            #expect(first.first?.device != second.first?.device)
        }
    }

    @Test("is nothing to another workspace")
    func strangers() async throws {
        try await withWorld { world in
            let send = try await world.send("Tea")
            let other = WorkspaceID(world.workspace.rawValue + 1)
            #expect(try await world.reports.report(send.id, in: other) == nil)
            #expect(try await world.reports.send(send.id, in: other) == nil)
        }
    }

    @Test("is told as it changes, to those of its workspace", .timeLimit(.minutes(20)))
    func changes() async throws {
        try await withWorld { world in
            let other = try await world.store.createWorkspace(
                name: "coffee",
                timeZone: "Asia/Tokyo",
                now: Self.now
            )
            let theirs = try await world.send("Elsewhere", in: other)
            let ours = try await world.send("Tea")
            let changes = world.reports.changes(in: world.workspace)
            world.feed.publish(.send(theirs.id, other))
            world.feed.publish(.send(ours.id, world.workspace))
            var told = changes.makeAsyncIterator()
            #expect(await told.next()?.send.id == ours.id)
        }
    }
}
