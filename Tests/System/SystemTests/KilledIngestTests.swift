import Foundation
import ServerTesting
import Synchronization
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The promise of ingestion: what was acknowledged is there exactly once, whatever happens to the
/// server, and however often a client sends it again.
///
/// `./noroshi torture ingest` runs this larger, by the variables `NOROSHI_TORTURE_KILLS` and
/// `NOROSHI_TORTURE_CLIENTS`.
@Suite("Ingestion on a server that is killed")
struct KilledIngestTests {
    private static func number(_ name: String, _ standard: Int) -> Int {
        ProcessInfo.processInfo.environment[name].flatMap { Int($0) } ?? standard
    }

    @Test("ten times in the middle of its work stores every acknowledged event exactly once")
    func killedUnderLoad() async throws {
        let kills = Self.number("NOROSHI_TORTURE_KILLS", 10)
        let clients = Self.number("NOROSHI_TORTURE_CLIENTS", 6)
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "noroshi-kill-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let database = try TestDatabase(at: folder.appending(path: "noroshi.sqlite").path)
        let options = database.options
        let apiKey = try ServerProcess.run(
            ["apikey", "create", "--name", "test", "--permissions", "users.track"] + options
        )
        let sdkKey = try ServerProcess.run(
            ["app", "create", "--name", "Test", "--bundle-id", "dev.noroshi.test"] + options
        )
        var server = try ServerProcess(
            arguments: options + ["--listen", "127.0.0.1:0", "--log-level", "error"]
        )
        defer { server.kill() }
        let port = try #require(server.address.split(separator: ":").last.map(String.init))
        let address = server.address
        let end = End()
        let acknowledged = try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 0..<clients {
                let client = IngestClient(
                    number: number,
                    kind: IngestClient.Kind.allCases[number % IngestClient.Kind.allCases.count],
                    address: address,
                    key: number % 3 == 2 ? sdkKey : apiKey
                )
                group.addTask { try await client.run(until: end) }
            }
            for kill in 0..<kills {
                try await Task.sleep(for: .milliseconds(150 + kill * 37 % 100))
                server.kill()
                server = try ServerProcess(
                    arguments: options + ["--listen", "127.0.0.1:\(port)", "--log-level", "error"]
                )
            }
            try await Task.sleep(for: .milliseconds(100))
            end.isOver.store(true, ordering: .relaxed)
            return try await group.reduce(0, +)
        }
        // Every event carries a number of its own, and all that were sent were acknowledged.
        let ledger = Ledger(database)
        let stored = try await ledger.number("SELECT count(*) FROM events")
        let distinct = try await ledger.number(
            "SELECT count(DISTINCT \(ledger.value("number", of: "properties"))) FROM events"
        )
        #expect(acknowledged > kills * clients)
        #expect(stored == acknowledged)
        #expect(distinct == acknowledged)
        let users = try await ledger.number(
            "SELECT count(DISTINCT profile_id) FROM events"
        )
        #expect(users == clients)
    }
}

/// Tells the clients when to stop.
private final class End: Sendable {
    let isOver = Atomic(false)
}

/// Sends numbered events, each request until it is acknowledged.
private struct IngestClient: Sendable {
    enum Kind: CaseIterable {
        /// Events that have ids of their own.
        case identified
        /// Requests that have an Idempotency-Key.
        case keyed
        /// Batches of an SDK.
        case device
    }

    static let eventsOfRequest = 20

    let number: Int
    let kind: Kind
    let address: String
    let key: String

    /// Returns how many events were acknowledged.
    func run(until end: End) async throws -> Int {
        var requests = 0
        while !end.isOver.load(ordering: .relaxed) {
            let request = try request(requests)
            while try await !isAcknowledged(request) {
                try await Task.sleep(for: .milliseconds(10))
            }
            requests += 1
        }
        return requests * Self.eventsOfRequest
    }

    private func request(_ index: Int) throws -> URLRequest {
        let path = kind == .device ? "/sdk/v1/batch" : "/users/track"
        let url = try #require(URL(string: address + path))
        var request = URLRequest(url: url)
        request.httpMethod = "POST"
        request.timeoutInterval = 20
        request.setValue("Bearer \(key)", forHTTPHeaderField: "Authorization")
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        if kind == .keyed {
            request.setValue("client-\(number)-\(index)", forHTTPHeaderField: "Idempotency-Key")
        }
        let numbers = (0..<Self.eventsOfRequest).map {
            (number * 1_000_000 + index) * Self.eventsOfRequest + $0
        }
        request.httpBody = Data((kind == .device ? batch(numbers) : track(numbers)).utf8)
        return request
    }

    private func track(_ numbers: [Int]) -> String {
        let events = numbers.map { event in
            let id = kind == .identified ? "\"id\": \"\(UUID())\", " : ""
            return """
                {\(id)"external_id": "user-\(number)", "name": "done",
                 "time": "2026-01-01T00:00:00Z", "properties": {"number": \(event)}}
                """
        }
        return "{\"events\": [\(events.joined(separator: ","))]}"
    }

    private func batch(_ numbers: [Int]) -> String {
        let records = numbers.map { event in
            """
            {"id": "\(UUID())", "seq": \(event), "time_ms": 1767225600000, "type": "event",
             "user": {"external_id": "user-\(number)"}, "name": "done",
             "properties": {"number": \(event)}}
            """
        }
        let id = "00000000-0000-4000-8000-00000000000\(number % 10)"
        return """
            {"device": {"id": "\(id)", "platform": "ios"},
             "records": [\(records.joined(separator: ","))]}
            """
    }

    /// False when nobody answered or the answer was to come again.
    private func isAcknowledged(_ request: URLRequest) async throws -> Bool {
        let answer: (Data, URLResponse)
        do {
            answer = try await URLSession.shared.data(for: request)
        } catch {
            return false
        }
        let status = (answer.1 as? HTTPURLResponse)?.statusCode ?? 0
        if status == 429 || status == 503 { return false }
        let text = String(decoding: answer.0, as: UTF8.self)
        try #require(status == 200 || status == 201, "\(status): \(text)")
        try #require(!text.contains("errors") && !text.contains("\"message\":\"'"), "\(text)")
        return true
    }
}
