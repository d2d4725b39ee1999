import Credentials
import Crypto
import Facts
import Foundation
import JSON
import Liquid
import Logging
import Model
import NoroshiWire
import Ports
import Reasons
import StoreConformance
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

@Suite("Webhooks of facts")
struct FactWebhookTests {
    private final class Clock: Sendable {
        private let time = Mutex(Date(timeIntervalSince1970: 1_790_000_000))

        var now: Date { time.withLock { $0 } }

        func pass(_ seconds: TimeInterval) { time.withLock { $0 += seconds } }
    }

    private struct World {
        let history: FactHistory
        let service: FactWebhookService
        let sender: FactWebhookSender
        let receiver: Receiver
        let clock: Clock

        var store: any Store { history.store }
        var actor: Actor { .commandLine(account: "mio", history.fixture.workspace) }

        func create(
            _ name: String = "warehouse",
            kinds: Set<Fact.Kind> = Set(Fact.Kind.allCases),
            from start: FactWebhookService.Start = .beginning
        ) async throws -> (webhook: FactWebhook, secret: String) {
            try await service.create(
                name: name,
                address: "https://example.org/facts",
                kinds: kinds,
                from: start,
                by: actor
            )
        }

        func status() async throws -> FactWebhookService.Status {
            try #require(try await service.webhooks(in: history.fixture.workspace).first)
        }

        /// The numbers of each call.
        func numbers() throws -> [[Int64]] {
            try receiver.requests.map { request in
                let body = try JSONReader.read((request.body ?? "").utf8)
                #expect(body["type"] == "facts")
                return try #require(body["data"]?.arrayValue).compactMap {
                    $0["number"]?.integerValue
                }
            }
        }
    }

    private func run(seed: UInt64 = 3, _ work: (World) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "noroshi-facts-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = try SQLStore.testing(at: folder.appending(path: "test.sqlite").path)
        let clock = Clock()
        let vault = FactWebhookVault(key: SymmetricKey(data: Data(repeating: 1, count: 32)))
        let receiver = Receiver()
        try await work(
            World(
                history: try await FactHistory(store, seed: seed),
                service: FactWebhookService(
                    store: store,
                    vault: vault,
                    now: { clock.now },
                    random: { count in (0..<count).map { UInt8(truncatingIfNeeded: $0 * 7) } },
                    makeID: { UUID() }
                ),
                sender: FactWebhookSender(
                    store: store,
                    facts: FactService(store: store, pause: {}),
                    vault: vault,
                    fetcher: receiver,
                    now: { clock.now },
                    logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
                ),
                receiver: receiver,
                clock: clock
            )
        )
    }

    @Test("every fact arrives once and in order, in signed calls")
    func arrives() async throws {
        try await run { world in
            let made = try await world.create()
            for _ in 0..<5 {
                for _ in 0..<60 { try await world.history.step() }
                try await world.sender.step()
                world.clock.pass(2)
            }
            let numbers = try world.numbers()
            #expect(numbers.allSatisfy { (1...FactWebhookSender.batch).contains($0.count) })
            let all = numbers.flatMap { $0 }
            #expect(all == Array(Set(all)).sorted())
            #expect(all.count > 200)
            let status = try await world.status()
            #expect(status.lag == 0)
            #expect(status.webhook.deliveredAt != nil)
            // The secret, as a receiver's library reads it.
            let text = try #require(made.secret.split(separator: "_").last)
            let key = SymmetricKey(data: try #require(Data(base64Encoded: String(text))))
            for request in world.receiver.requests {
                let id = try #require(request.headers["webhook-id"])
                let time = try #require(request.headers["webhook-timestamp"])
                let code = HMAC<SHA256>.authenticationCode(
                    for: Data("\(id).\(time).\(request.body ?? "")".utf8),
                    using: key
                )
                #expect(
                    request.headers["webhook-signature"]
                        == "v1,\(Data(code).base64EncodedString())"
                )
                #expect(request.method == "POST" && request.contentType == "application/json")
            }
            let ids = world.receiver.requests.compactMap { $0.headers["webhook-id"] }
            #expect(Set(ids).count == ids.count)
        }
    }

    @Test("the signature is that of a calculation by hand")
    func signature() throws {
        // printf '%s' 'msg_1.1700000000.{}' | openssl dgst -sha256 -hmac noroshi -binary | base64
        let headers = FactSignature(secret: Data("noroshi".utf8)).headers(
            id: "msg_1",
            body: "{}",
            at: Date(timeIntervalSince1970: 1_700_000_000)
        )
        #expect(headers["webhook-signature"] == "v1,edHOoxJhpK3KBeEaIkNXGNIu6bQgusmScggfmC8DF4s=")
    }

    @Test("what fails comes again with growing pauses, and is given up after a day")
    func fails() async throws {
        try await run { world in
            for _ in 0..<20 { try await world.history.step() }
            _ = try await world.create()
            world.receiver.answer(Array(repeating: 503, count: 1_000))
            var calls = 0
            var pauses: [TimeInterval] = []
            while try await world.status().webhook.state == .active {
                try await world.sender.step()
                calls += 1
                #expect(world.receiver.requests.count == calls)
                let webhook = try await world.status().webhook
                #expect(webhook.problem?.description == "answered 503" && webhook.position == 0)
                let pause = webhook.dueAt.timeIntervalSince(world.clock.now)
                pauses.append(pause)
                world.clock.pass(pause - 1)
                try await world.sender.step()
                #expect(world.receiver.requests.count == calls)
                world.clock.pass(1)
            }
            #expect(pauses.prefix(6) == [5, 30, 120, 600, 1_800, 3_600])
            #expect(pauses.reduce(0, +) >= FactWebhookSender.patience)
            try await world.sender.step()
            #expect(world.receiver.requests.count == calls)
            // All attempts have brought the same facts.
            #expect(Set(try world.numbers()).count == 1)
            #expect(Set(world.receiver.requests.map { $0.headers["webhook-id"] }).count == 1)

            world.receiver.answer([])
            let id = try await world.status().webhook.id
            _ = try await world.service.set(id, isActive: true, by: world.actor)
            try await world.sender.step()
            let status = try await world.status()
            #expect(status.webhook.state == .active && status.webhook.failures == 0)
            #expect(status.webhook.problem == nil && status.lag == 0)
        }
    }

    @Test("an address that is gone is given up at once; a paused one waits")
    func gone() async throws {
        try await run { world in
            for _ in 0..<20 { try await world.history.step() }
            let made = try await world.create()
            world.receiver.answer([410])
            try await world.sender.step()
            #expect(try await world.status().webhook.state == .dead)
            _ = try await world.service.set(made.webhook.id, isActive: true, by: world.actor)
            _ = try await world.service.set(made.webhook.id, isActive: false, by: world.actor)
            let calls = world.receiver.requests.count
            world.clock.pass(100)
            try await world.sender.step()
            #expect(world.receiver.requests.count == calls)
            #expect(try await world.status().lag > 0)
        }
    }

    @Test("one may begin with what happens from now on, and with some kinds alone")
    func begins() async throws {
        try await run { world in
            for _ in 0..<60 { try await world.history.step() }
            _ = try await world.create(kinds: [.session, .event], from: .now)
            try await world.sender.step()
            #expect(world.receiver.requests.isEmpty)
            for _ in 0..<60 { try await world.history.step() }
            try await world.sender.step()
            #expect(!world.receiver.requests.isEmpty)
            for request in world.receiver.requests {
                let body = try JSONReader.read((request.body ?? "").utf8)
                for fact in body["data"]?.arrayValue ?? [] {
                    #expect(["session", "event"].contains(fact["kind"]?.stringValue ?? ""))
                }
            }
            #expect(try await world.status().webhook.position > 0)
        }
    }

    @Test("a restored server sends nothing until it is released")
    func held() async throws {
        try await run { world in
            for _ in 0..<10 { try await world.history.step() }
            _ = try await world.create()
            try await world.store.holdSending(since: world.clock.now)
            try await world.sender.step()
            #expect(world.receiver.requests.isEmpty)
        }
    }

    @Test("names, addresses and rights are looked at, and the secret is stored sealed")
    func rules() async throws {
        try await run { world in
            let made = try await world.create()
            await #expect(throws: ValidationError.self) { _ = try await world.create() }
            for address in ["ftp://example.org", "example.org", "https://"] {
                await #expect(throws: ValidationError.self, "\(address)") {
                    _ = try await world.service.change(
                        made.webhook.id,
                        address: address,
                        by: world.actor
                    )
                }
            }
            let other = Actor.commandLine(account: "mio", world.history.other.workspace)
            #expect(try await world.service.change(made.webhook.id, name: "b", by: other) == nil)
            #expect(try await !world.service.delete(made.webhook.id, by: other))
            #expect(try await world.service.secret(of: made.webhook.id, by: other) == nil)
            #expect(
                try await world.service.secret(of: made.webhook.id, by: world.actor) == made.secret
            )
            let box = try #require(try await world.store.factWebhookSecret(made.webhook.id))
            let plain = Data((0..<32).map { UInt8(truncatingIfNeeded: $0 * 7) })
            #expect(box.range(of: plain) == nil)
            #expect(box.range(of: plain.base64EncodedData()) == nil)
            #expect(try await world.service.delete(made.webhook.id, by: world.actor))
            #expect(try await world.service.webhooks(in: world.history.fixture.workspace).isEmpty)
        }
    }
}
