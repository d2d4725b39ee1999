import Audience
import Crypto
import Foundation
import Liquid
import Logging
import Model
import NoroshiWire
import Ports
import Reasons
import StoreSQL
import StoreTesting
import Synchronization
import Testing

/// An address that answers as it is told to, and keeps what it was sent.
private final class Receiver: ContentFetcher {
    private let state = Mutex((answers: [Int](), requests: [ConnectedContentRequest]()))

    var requests: [ConnectedContentRequest] { state.withLock(\.requests) }

    func answer(_ statuses: [Int]) { state.withLock { $0.answers = statuses } }

    func fetch(
        _ request: ConnectedContentRequest,
        for workspace: WorkspaceID
    ) async throws -> ConnectedContentResponse {
        let status = state.withLock { state in
            state.requests.append(request)
            return state.answers.isEmpty ? 204 : state.answers.removeFirst()
        }
        if status < 0 { throw ContentFetchError.refused(.noCallInReview) }
        return ConnectedContentResponse(status: status, body: [])
    }
}

@Suite("Weekly reports")
struct ReportWebhookTests {
    private struct World {
        let store: SQLStore
        let saved: SavedReportService
        let webhooks: ReportWebhooks
        let receiver: Receiver
        let signer: ReportWebhookSigner
        let workspace: WorkspaceID
        let clock: Clock

        func report(_ id: UUID) async throws -> SavedReport {
            try #require(try await saved.report(id, in: workspace))
        }
    }

    private final class Clock: Sendable {
        private let time: Mutex<Date>

        init(_ time: Date) { self.time = Mutex(time) }

        var now: Date { time.withLock { $0 } }

        func set(_ date: Date) { time.withLock { $0 = date } }
    }

    /// Monday, 5 October 2026, noon in Berlin.
    private static let start = "2026-10-05T10:00:00Z"

    private func run(_ work: (World) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "noroshi-webhooks-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = try SQLStore.testing(at: folder.appending(path: "test.sqlite").path)
        let clock = Clock(try #require(Timestamp.parse(Self.start)))
        let now: @Sendable () -> Date = { clock.now }
        let workspace = try await store.createWorkspace(
            name: "Tea House",
            timeZone: "Europe/Berlin",
            now: clock.now
        )
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let audience = SegmentationService(store: store, now: now, logger: logger)
        try await audience.rebuild()
        let reports = ReportService(audience: audience, now: now)
        let signer = ReportWebhookSigner(key: SymmetricKey(data: Data(repeating: 1, count: 32)))
        let saved = SavedReportService(
            store: store,
            reports: reports,
            reader: ReportQuestionReader(
                reports: reports,
                segments: SegmentService(store: store, now: now),
                audience: audience,
                now: now
            ),
            webhooks: signer,
            now: now,
            makeID: { UUID() }
        )
        let receiver = Receiver()
        let webhooks = ReportWebhooks(
            store: store,
            reports: saved,
            signer: signer,
            fetcher: receiver,
            now: now,
            logger: logger
        )
        try await work(
            World(
                store: store,
                saved: saved,
                webhooks: webhooks,
                receiver: receiver,
                signer: signer,
                workspace: workspace,
                clock: clock
            )
        )
    }

    private func save(_ world: World) async throws -> UUID {
        var content = SavedReport.Content(
            name: "Sessions",
            kind: "series",
            question: ["length": 7, "series": ["session": true]]
        )
        content.schedule = SavedReport.Schedule(
            address: "https://example.com/hook",
            weekday: 1,
            time: try #require(TimeOfDay("08:00"))
        )
        let actor = Actor.commandLine(account: "mio", world.workspace)
        return try #require(try await world.saved.save(content, by: actor)).id
    }

    @Test("a report is sent once at its time each week, on the workspace's clock, and signed")
    func weekly() async throws {
        try await run { world in
            let id = try await save(world)
            let first = try #require(Timestamp.parse("2026-10-12T06:00:00Z"))
            #expect(try await world.report(id).delivery?.dueAt == first)
            #expect(try await world.webhooks.step() == 0)
            world.clock.set(first)
            #expect(try await world.webhooks.step() == 1)
            #expect(try await world.webhooks.step() == 0)
            let delivery = try #require(try await world.report(id).delivery)
            #expect(delivery.sentAt == first)
            #expect(delivery.problem == nil)
            #expect(delivery.dueAt == Timestamp.parse("2026-10-19T06:00:00Z"))
            let request = try #require(world.receiver.requests.first)
            #expect(request.url == "https://example.com/hook")
            #expect(request.method == "POST")
            let body = try #require(request.body)
            let sent = try JSONDecoder().decode(JSONValue.self, from: Data(body.utf8))
            #expect(sent["report"]?["name"] == "Sessions")
            #expect(sent["columns"]?.arrayValue?.first == "group_kind")
            #expect(sent["rows"]?.arrayValue?.count == 7)
            // As a receiver would check it.
            let seconds = Int(first.timeIntervalSince1970)
            let code = HMAC<Crypto.SHA256>.authenticationCode(
                for: Data("\(seconds).\(body)".utf8),
                using: SymmetricKey(data: Data(world.signer.secret(of: id).utf8))
            )
            let hex = code.map { String(format: "%02x", $0) }.joined()
            #expect(request.headers["Noroshi-Signature"] == "t=\(seconds),v1=\(hex)")
            // In winter time, an hour later.
            world.clock.set(try #require(Timestamp.parse("2026-10-20T06:00:00Z")))
            #expect(try await world.webhooks.step() == 1)
            #expect(
                try await world.report(id).delivery?.dueAt
                    == Timestamp.parse("2026-10-26T07:00:00Z")
            )
        }
    }

    @Test(
        "what fails is tried again with growing pauses, by the same name, and then left for a week"
    )
    func retries() async throws {
        try await run { world in
            let id = try await save(world)
            var time = try #require(Timestamp.parse("2026-10-12T06:00:00Z"))
            world.receiver.answer([500, 0, 404, 500, -1, 503])
            for (number, pause) in ReportWebhooks.pauses.enumerated() {
                world.clock.set(time)
                #expect(try await world.webhooks.step() == 1)
                let delivery = try #require(try await world.report(id).delivery)
                #expect(delivery.attempts == number + 1)
                #expect(delivery.problem != nil)
                time += pause
                #expect(delivery.dueAt == time)
                world.clock.set(time.addingTimeInterval(-1))
                #expect(try await world.webhooks.step() == 0)
            }
            world.clock.set(time)
            #expect(try await world.webhooks.step() == 1)
            let delivery = try #require(try await world.report(id).delivery)
            #expect(delivery.attempts == 0)
            #expect(delivery.problem?.description == "answered 503")
            #expect(delivery.sentAt == nil)
            #expect(delivery.dueAt == Timestamp.parse("2026-10-19T06:00:00Z"))
            let names = Set(world.receiver.requests.map { $0.headers["Idempotency-Key"] })
            #expect(world.receiver.requests.count == 6)
            #expect(names.count == 1)
        }
    }

    @Test("a process that stops while it sends leaves the report to the next one")
    func lease() async throws {
        try await run { world in
            let id = try await save(world)
            let time = try #require(Timestamp.parse("2026-10-12T06:00:00Z"))
            let taken = try await world.store.claimDueReports(
                limit: 10,
                now: time,
                leaseEnd: time.addingTimeInterval(900)
            )
            #expect(taken.map(\.id) == [id])
            world.clock.set(time.addingTimeInterval(899))
            #expect(try await world.webhooks.step() == 0)
            world.clock.set(time.addingTimeInterval(900))
            #expect(try await world.webhooks.step() == 1)
            #expect(world.receiver.requests.count == 1)
        }
    }

    @Test("a restored server sends no report until it is released")
    func held() async throws {
        try await run { world in
            _ = try await save(world)
            world.clock.set(try #require(Timestamp.parse("2026-10-12T06:00:00Z")))
            try await world.store.holdSending(since: world.clock.now)
            #expect(try await world.webhooks.step() == 0)
            _ = try await world.store.releaseSending(
                skippingMissed: false,
                noting: [:],
                now: world.clock.now
            )
            #expect(try await world.webhooks.step() == 1)
        }
    }

    @Test("a report that is changed while it is sent keeps what it was changed to")
    func changed() async throws {
        try await run { world in
            let id = try await save(world)
            let time = try #require(Timestamp.parse("2026-10-12T06:00:00Z"))
            let taken = try #require(
                try await world.store.claimDueReports(
                    limit: 1,
                    now: time,
                    leaseEnd: time.addingTimeInterval(900)
                ).first
            )
            world.clock.set(time)
            var content = taken.content
            content.schedule?.weekday = 3
            let actor = Actor.commandLine(account: "mio", world.workspace)
            _ = try await world.saved.save(content, as: id, by: actor)
            var delivery = try #require(taken.delivery)
            delivery.problem = Reason(ContentCallReason.noAnswer)
            try await world.store.recordDelivery(delivery, of: taken)
            let kept = try #require(try await world.report(id).delivery)
            #expect(kept.problem == nil)
            #expect(kept.dueAt == Timestamp.parse("2026-10-14T06:00:00Z"))
        }
    }
}
