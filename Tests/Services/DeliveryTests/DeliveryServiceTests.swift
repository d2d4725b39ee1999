import Campaigns
import Delivery
import Foundation
import Liquid
import Logging
import Model
import Ports
import StoreConformance
import StoreSQL
import Synchronization
import Testing

@Suite("Delivery")
struct DeliveryServiceTests {
    @Test("every user gets the message once, and the send ends")
    func everybody() async throws {
        try await DeliveryBench.run(users: 40) { bench in
            let send = try await bench.send(
                PushMessage(title: "{{ ${user_id} }}", body: "for you")
            )
            let counts = try await bench.finish(send)
            #expect(counts.states == [.accepted: 40])
            let sent = bench.transport.sent
            #expect(sent.count == 40)
            #expect(Set(sent.map(\.dispatch)).count == 40)
            #expect(Set(sent.map(\.message.title)) == Set((0..<40).map { "user-\($0)" }))
        }
    }

    @Test("a message that ends itself is counted by its reason")
    func aborted() async throws {
        try await DeliveryBench.run(users: 3) { bench in
            let send = try await bench.send(
                PushMessage(
                    body: """
                        {% if {{${user_id}}} == 'user-1' %}{% abort_message('not you') %}{% endif %}Hi
                        """
                )
            )
            let counts = try await bench.finish(send)
            #expect(counts.states == [.accepted: 2, .skipped: 1])
            let reasons = try await bench.store.failureReasons(of: send.id)
            #expect(reasons.map(\.reason) == ["Aborted: not you"])
        }
    }

    @Test("where signed tokens are required, devices that have proved nothing get nothing")
    func unproved() async throws {
        try await DeliveryBench.run(users: 3) { bench in
            try await bench.store.setAuthentication(
                SDKAuthenticationPolicy(mode: .required),
                of: bench.fixture.app
            )
            try await bench.prove("user-1")
            let send = try await bench.send(PushMessage(body: "for {{${user_id}}}"))
            let counts = try await bench.finish(send)
            #expect(counts.states == [.accepted: 1, .skipped: 2])
            let reasons = try await bench.store.failureReasons(of: send.id)
            #expect(reasons.map(\.reason) == ["UnprovedDevice"])
            #expect(bench.transport.sent.map(\.message.body) == ["for user-1"])
        }
    }

    @Test("a message that asks for too much work is given up, user after user, and others go on")
    func tooLarge() async throws {
        var settings = MessageRenderer.Settings()
        settings.limits.steps = 50_000
        let renderer = MessageRenderer(settings: settings)
        try await DeliveryBench.run(users: 30, renderer: renderer) { bench in
            let hostile = try await bench.send(
                PushMessage(
                    body: "{% for i in (1..1000000) %}{% capture x %}{{ x }}aaaaaaaaaaaaaaaa"
                        + "{% endcapture %}{% endfor %}{{ x }}"
                )
            )
            let good = try await bench.send(PushMessage(body: "Hello"))
            #expect(try await bench.finish(good).states == [.accepted: 30])
            #expect(try await bench.finish(hostile).states == [.skipped: 30])
            let reasons = try await bench.store.failureReasons(of: hostile.id).map(\.reason)
            #expect(reasons.count == 2)
            #expect(reasons.contains { $0.contains("Render step limit exceeded") })
            #expect(reasons.contains { $0.contains("Not rendered any more") })
        }
    }

    @Test("an expired message is skipped, and so is one whose next attempt would come too late")
    func expired() async throws {
        let transport = ScriptedTransport { _, _ in
            .retry(reason: "ServiceUnavailable", after: .seconds(900))
        }
        try await DeliveryBench.run(users: 1, transport: transport) { bench in
            let past = try await bench.send(
                options: DeliveryOptions(expiration: Date().addingTimeInterval(-1))
            )
            #expect(try await bench.finish(past).states == [.skipped: 1])
            #expect(bench.transport.sent.isEmpty)
            let soon = try await bench.send(
                options: DeliveryOptions(expiration: Date().addingTimeInterval(600))
            )
            #expect(try await bench.finish(soon).states == [.skipped: 1])
            let reasons = try await bench.store.failureReasons(of: soon.id)
            #expect(reasons.map(\.reason) == ["Expired"])
            #expect(bench.transport.sent.count == 1)
        }
    }

    @Test("a provider that asks to wait is asked again no sooner")
    func retryAfter() async throws {
        let transport = ScriptedTransport { _, count in
            count == 0
                ? .retry(reason: "TooManyRequests", after: .seconds(2))
                : .accepted(providerID: "p")
        }
        try await DeliveryBench.run(users: 1, transport: transport) { bench in
            let start = ContinuousClock.now
            let send = try await bench.send()
            #expect(try await bench.finish(send).states == [.accepted: 1])
            #expect(ContinuousClock.now - start > .seconds(2))
            let row = try await bench.store.ledger(of: send.id, after: nil, limit: 1).first
            #expect(row?.attempts == 2)
        }
    }

    @Test("an outage costs no attempts, is shown, and ends by itself")
    func outage() async throws {
        let transport = ScriptedTransport()
        try await DeliveryBench.run(users: 5, transport: transport) { bench in
            let before = try await bench.send()
            #expect(try await bench.finish(before).states == [.accepted: 5])
            transport.change { _, _ in Self.refusal }
            let send = try await bench.send()
            try await bench.eventually("the lane is closed") {
                try await !bench.store.trippedLanes().isEmpty
            }
            let closed = try #require(try await bench.store.trippedLanes().first)
            #expect(closed.lane == DeliveryLane(app: bench.fixture.app.id, provider: .apns))
            #expect(closed.reason == "InvalidProviderToken")
            let waiting = try await bench.store.failureReasons(of: send.id)
            #expect(waiting.map(\.reason) == ["InvalidProviderToken"])
            #expect(waiting.map(\.state) == [.queued])
            transport.change { _, _ in .accepted(providerID: "p") }
            #expect(try await bench.finish(send).states == [.accepted: 5])
            let rows = try await bench.store.ledger(of: send.id, after: nil, limit: 10)
            // Only the attempt that was accepted.
            #expect(rows.map(\.attempts) == Array(repeating: 1, count: 5))
            try await bench.eventually("the lane is open") {
                try await bench.store.trippedLanes().isEmpty
            }
        }
    }

    private static let refusal = PushOutcome.rejected(
        PushRejection(reason: "InvalidProviderToken", consequence: .fixCredentials, advice: "")
    )

    @Test("credentials that have never worked are told at once")
    func wrongFromTheStart() async throws {
        let transport = ScriptedTransport { _, _ in Self.refusal }
        try await DeliveryBench.run(users: 1, transport: transport) { bench in
            let counts = try await bench.finish(try await bench.send())
            #expect(counts.states == [.rejected: 1])
        }
    }

    @Test("a push to one user overtakes a campaign that runs")
    func fairness() async throws {
        var settings = DeliveryService.Settings()
        settings.inFlight = 20
        settings.inFlightPerLane = 20
        settings.chunk = 50
        // Twenty at a time, each for a tenth of a second: nothing makes the campaign faster than that,
        // and a busy machine makes both slower.
        let transport = ScriptedTransport(delay: .milliseconds(100))
        try await DeliveryBench.run(
            users: 2_000,
            transport: transport,
            settings: settings
        ) { bench in
            let campaign = try await bench.send()
            try await bench.eventually("the campaign runs") { transport.sent.count > 100 }
            let one = try await bench.profile("user-7")
            let small = try await bench.send(to: .profiles([one.id]))
            #expect(try await bench.finish(small).states == [.accepted: 1])
            #expect(try await bench.counts(of: campaign)[.accepted] < 2_000)
        }
    }

    @Test("a send waits until its users are read, has no total until then, and holds up none")
    func audience() async throws {
        // Nobody reads the users here.
        try await DeliveryBench.run(users: 1) { bench in
            let waiting = try await bench.store.createSend(
                SendContent(
                    message: PushMessage(body: "Hi"),
                    audience: .matching(
                        SegmentQuery(filter: #"{"custom":"plan","test":"exists"}"#)
                    )
                ),
                in: bench.fixture.workspace,
                scheduledAt: Date(),
                now: Date()
            )
            let other = try await bench.send()
            #expect(try await bench.finish(other).total == 1)
            let state = try await bench.store.send(waiting.id)?.state
            #expect(state == .scheduled || state == .planning)
            #expect(
                try await DeliveryProgress.read(waiting.id, from: bench.store)?.isTotalFinal
                    == false
            )
            #expect(
                try await DeliveryProgress.read(other.id, from: bench.store)?.isTotalFinal == true
            )
        }
    }

    @Test("one worker alone delivers all")
    func oneWorker() async throws {
        var settings = DeliveryService.Settings()
        settings.workers = 1
        try await DeliveryBench.run(users: 3, settings: settings) { bench in
            let counts = try await bench.finish(try await bench.send())
            #expect(counts.states == [.accepted: 3])
        }
    }

    @Test("pushes that wait for their answer hold up no others")
    func stalled() async throws {
        let transport = StallingTransport { $0.dispatch.uuid.uuid.0 % 4 == 0 }
        var settings = DeliveryService.Settings()
        settings.chunk = 10
        try await DeliveryBench.run(users: 80, stalling: transport, settings: settings) { bench in
            let send = try await bench.send()
            try await bench.eventually("the others are recorded") {
                let counts = try await bench.counts(of: send)
                return counts[.accepted] + counts[.sending] == 80 && counts[.accepted] > 30
            }
            transport.release()
            #expect(try await bench.finish(send).states == [.accepted: 80])
        }
    }

    @Test("nobody waits for the next look: what can go on is announced, what is due is known")
    func announced() async throws {
        var settings = DeliveryService.Settings()
        settings.idlePause = .seconds(3_600)
        settings.planChunk = 2
        let transport = ScriptedTransport { _, count in
            count < 3
                ? .retry(reason: "ServiceUnavailable", after: .milliseconds(50))
                : .accepted(providerID: "p")
        }
        try await DeliveryBench.run(
            users: 5,
            transport: transport,
            settings: settings
        ) { bench in
            for _ in 0..<2 {
                let send = try await bench.send()
                #expect(try await bench.finish(send).states == [.accepted: 5])
            }
            // A send that reaches nobody ends as soon as that is known.
            let nobody = try await bench.send(to: .profiles([ProfileID(999)]))
            #expect(try await bench.finish(nobody).total == 0)
        }
    }

    @Test(
        "what was on its way at a stop is told and sent again; where nothing was, nothing is told"
    )
    func released() async throws {
        for (count, isTold) in [(0, false), (1, true), (2, true)] {
            let log = KeptLog()
            var settings = DeliveryService.Settings()
            // Who holds the rows that the test has taken.
            settings.owner = "worker"
            try await DeliveryBench.run(
                users: 2,
                settings: settings,
                logger: Logger(label: "test") { _ in log },
                before: { conformance, fixture in
                    _ = try await conformance.plannedSend(to: .everyone, in: fixture)
                    guard count > 0 else { return }
                    #expect(try await conformance.claim(count).count == count)
                }
            ) { bench in
                try await bench.eventually("all are sent") { bench.transport.sent.count == 2 }
            }
            let told = log.lines.filter { $0.hasPrefix("pushes that were on their way") }
            #expect(told.count == (isTold ? 1 : 0))
            #expect(told.allSatisfy { $0.hasSuffix("[\"delivery.count\": \(count)]") }, "\(told)")
        }
    }

    /// Keeps what is logged.
    private final class KeptLog: LogHandler {
        private let kept = Mutex<[String]>([])

        var lines: [String] { kept.withLock { $0 } }
        var metadata: Logger.Metadata {
            get { [:] }
            set {}
        }
        var logLevel: Logger.Level {
            get { .trace }
            set {}
        }

        subscript(metadataKey _: String) -> Logger.Metadata.Value? {
            get { nil }
            set {}
        }

        func log(event: LogEvent) {
            kept.withLock { $0.append("\(event.message) \(event.metadata ?? [:])") }
        }
    }
}
