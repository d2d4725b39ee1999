import Foundation
import Hummingbird
import Ingestion
import Model
import NoroshiWire
import Ports
import Synchronization
import Testing

@Suite("When the writer is slow")
struct BackPressureTests {
    /// A store whose commits wait until it is told to go on, as on a disk that is busy.
    private final class SlowStore: IngestStore {
        private let store: any IngestStore
        private let disk: Disk

        init(_ store: any IngestStore, _ disk: Disk) {
            self.store = store
            self.disk = disk
        }

        func ingest(
            _ requests: [IngestRequest],
            now: Date
        ) async throws -> [[IngestOutcome]] {
            while disk.isBusy.withLock({ $0 }) { try await Task.sleep(for: .milliseconds(5)) }
            return try await store.ingest(requests, now: now)
        }
    }

    private final class Disk: Sendable {
        let isBusy = Mutex(true)

        func recover() { isBusy.withLock { $0 = false } }
    }

    @Test("requests are refused with a time to come back, and none is dropped silently")
    func refusals() async throws {
        var limits = IngestionService.Limits()
        limits.waitingItems = 300
        limits.itemsPerCommit = 150
        let disk = Disk()
        try await APIClient.run(
            ingestionLimits: limits,
            ingestStore: { SlowStore($0, disk) }
        ) { client in
            let (acknowledged, refusals) = try await withThrowingTaskGroup(of: (Int, Int).self) {
                group in
                for sender in 0..<60 {
                    group.addTask { try await Self.send(30, sender, client, disk) }
                }
                return try await group.reduce((0, 0)) { ($0.0 + $1.0, $0.1 + $1.1) }
            }
            #expect(refusals > 0)
            #expect(acknowledged == 60 * 30)
            let events = try await client.store.exportEvents(
                in: client.workspace,
                after: 0,
                limit: 10_000
            )
            #expect(events.count == acknowledged)
        }
    }

    @Test("a request that is larger than what may wait at all is refused, not kept")
    func bytes() async throws {
        var limits = IngestionService.Limits()
        limits.waitingBytes = 1_000
        try await APIClient.run(ingestionLimits: limits) { client in
            let small = try await client.post("/users/track", Self.body(1, 0))
            #expect(small.status == .created)
            let large = try await client.post("/users/track", Self.body(60, 0))
            #expect(large.status == .tooManyRequests)
            #expect(large.headers[.retryAfter] != nil)
        }
    }

    /// Posts events until they are taken; returns how many, and how often they were refused. The
    /// first refusal is when the disk recovers: more is sent than may wait, so one there is.
    private static func send(
        _ events: Int,
        _ sender: Int,
        _ client: APIClient,
        _ disk: Disk
    ) async throws -> (Int, Int) {
        var refusals = 0
        while true {
            let answer = try await client.post("/users/track", body(events, sender))
            switch answer.status {
            case .created:
                let stored = answer.body["events_processed"]?.integerValue ?? 0
                return (Int(stored), refusals)
            case .tooManyRequests:
                let wait = try #require(answer.headers[.retryAfter].flatMap { Int($0) })
                #expect(wait >= 1)
                refusals += 1
                disk.recover()
                try await Task.sleep(for: .milliseconds(40))
            default:
                Issue.record("\(answer.status): \(answer.body)")
                return (0, refusals)
            }
        }
    }

    private static func body(_ events: Int, _ sender: Int) -> JSONValue {
        [
            "events": .array(
                (0..<events).map { _ in
                    [
                        "external_id": .string("user-\(sender)"), "name": "done",
                        "time": "2026-01-01T00:00:00Z",
                    ]
                }
            )
        ]
    }
}
