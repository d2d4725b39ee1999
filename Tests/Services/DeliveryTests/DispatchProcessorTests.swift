import Campaigns
import ContentTesting
import Foundation
import Model
import Ports
import Scheduling
import StoreConformance
import StoreSQL
import StoreTesting
import Testing

@testable import Delivery

/// What the ledger keeps of each answer of a provider, whose lane is open or closed.
@Suite("What a provider's answer becomes in the ledger")
struct DispatchProcessorTests {
    typealias Change = DispatchUpdate.Change

    private static let now = Date(timeIntervalSince1970: 1_790_000_000)
    private static let suspendedUntil = now.addingTimeInterval(20)
    /// All consequences but the one that says something of the provider's credentials.
    private static let aboutOnePush: [PushRejection.Consequence] = [
        .retireToken, .keepToken, .fixMessage, .fixApp,
    ]

    private struct World {
        var delivery: DispatchProcessor
        var send: Send
        var claimed: ClaimedDispatch
        var content: RendererCache.Content

        func change(
            _ outcome: PushOutcome,
            suspendedUntil: Date? = nil,
            isProven: Bool = false,
            attempts: Int = 0,
            startedAt: Date = now,
            expiration: Date? = nil
        ) async throws -> Change {
            var send = send
            send.startedAt = startedAt
            send.content.options.expiration = expiration
            var claimed = claimed
            claimed.attempts = attempts
            return delivery.change(
                outcome,
                for: claimed,
                try await SendRenderer(send, content: content),
                CircuitBreakers.Standing(suspendedUntil: suspendedUntil, isProven: isProven)
            )
        }
    }

    private func withWorld(_ body: (World) async throws -> Void) async throws {
        let path = FileManager.default.temporaryDirectory
            .appending(path: "noroshi-answers-\(UUID().uuidString).sqlite").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let store = try SQLStore.testing(at: path)
        let conformance = StoreConformance(store)
        let fixture = try await conformance.fixture()
        _ = try await conformance.register("ada", token: "aa", in: fixture)
        let send = try await conformance.plannedSend(to: .everyone, in: fixture)
        let now = Self.now
        try await body(
            World(
                delivery: DispatchProcessor(
                    transports: [:],
                    settings: DeliveryService.Settings(),
                    now: { now },
                    jitter: { 0.5 }
                ),
                send: send,
                claimed: try #require(try await conformance.claim(1).first),
                content: RendererCache.Content(
                    store: store,
                    catalogs: CatalogReader(store: store, now: { now }, random: { 0.5 }),
                    fetcher: NoContent(),
                    renderer: MessageRenderer()
                )
            )
        )
    }

    private static func rejection(
        _ reason: String,
        _ consequence: PushRejection.Consequence
    ) -> PushOutcome {
        .rejected(PushRejection(reason: reason, consequence: consequence, advice: ""))
    }

    private static func later(_ reason: String, after seconds: Double = 20) -> Change {
        .postponed(reason: reason, at: now.addingTimeInterval(seconds + 3))
    }

    @Test("an acceptance is kept, whatever the lane does")
    func acceptance() async throws {
        try await withWorld { (world) async throws in
            for until in [nil, Self.suspendedUntil] {
                #expect(
                    try await world.change(.accepted(providerID: "p"), suspendedUntil: until)
                        == .accepted(providerID: "p")
                )
            }
        }
    }

    @Test("a refused token is retired; a refused message, app or device is not")
    func refusals() async throws {
        try await withWorld { (world) async throws in
            for consequence in Self.aboutOnePush {
                for until in [nil, Self.suspendedUntil] {
                    #expect(
                        try await world.change(
                            Self.rejection("No", consequence),
                            suspendedUntil: until,
                            isProven: true
                        ) == .rejected(reason: "No", retiresToken: consequence == .retireToken)
                    )
                }
            }
        }
    }

    @Test("credentials that never worked are seen at once; those that did are waited for")
    func credentials() async throws {
        try await withWorld { (world) async throws in
            let refusal = Self.rejection("BadKey", .fixCredentials)
            let end = Change.rejected(reason: "BadKey", retiresToken: false)
            #expect(try await world.change(refusal) == end)
            #expect(
                try await world.change(refusal, isProven: true) == Self.later("BadKey", after: 0)
            )
            #expect(
                try await world.change(refusal, suspendedUntil: Self.suspendedUntil)
                    == Self.later("BadKey")
            )
            // What was never set up is not waited for.
            let missing = Self.rejection("MissingCredentials", .fixCredentials)
            #expect(
                try await world.change(missing, suspendedUntil: Self.suspendedUntil, isProven: true)
                    == .rejected(reason: "MissingCredentials", retiresToken: false)
            )
        }
    }

    @Test("a failure of the provider is no attempt while its lane is closed")
    func failures() async throws {
        try await withWorld { (world) async throws in
            for outcome in [
                PushOutcome.retry(reason: "503", after: nil), .unknown(reason: "503"),
            ] {
                #expect(
                    try await world.change(
                        outcome,
                        suspendedUntil: Self.suspendedUntil,
                        attempts: 11
                    )
                        == Self.later("503")
                )
                // The first pause is a second, here three quarters of it.
                #expect(
                    try await world.change(outcome)
                        == .retry(reason: "503", at: Self.now.addingTimeInterval(0.75))
                )
            }
            // It is the device that gets too many, not the provider that fails.
            #expect(
                try await world.change(
                    .retry(reason: "TooManyRequests", after: .seconds(9)),
                    suspendedUntil: Self.suspendedUntil
                ) == .retry(reason: "TooManyRequests", at: Self.now.addingTimeInterval(9))
            )
        }
    }

    @Test("the twelfth attempt is the last")
    func attempts() async throws {
        try await withWorld { (world) async throws in
            let failed = PushOutcome.retry(reason: "500", after: nil)
            #expect(
                try await world.change(failed, attempts: 10)
                    == .retry(reason: "500", at: Self.now.addingTimeInterval(675))
            )
            #expect(
                try await world.change(failed, attempts: 11)
                    == .rejected(reason: "500", retiresToken: false)
            )
            #expect(
                try await world.change(.unknown(reason: "cut"), attempts: 11)
                    == .unknown(reason: "cut")
            )
        }
    }

    @Test("nobody waits for a provider longer than a day, nor beyond the message's end")
    func patience() async throws {
        try await withWorld { (world) async throws in
            let failed = PushOutcome.unknown(reason: "503")
            let day = DeliveryService.Settings().outagePatience
            // The next look would be 23 seconds from now.
            for (age, waits) in [(day - 23.001, true), (day - 23, false)] {
                let change = try await world.change(
                    failed,
                    suspendedUntil: Self.suspendedUntil,
                    startedAt: Self.now.addingTimeInterval(-age)
                )
                #expect(
                    change
                        == (waits
                            ? Self.later("503")
                            : .retry(reason: "503", at: Self.now.addingTimeInterval(0.75)))
                )
            }
            for (end, isOver) in [(23.0, true), (23.001, false)] {
                let change = try await world.change(
                    failed,
                    suspendedUntil: Self.suspendedUntil,
                    expiration: Self.now.addingTimeInterval(end)
                )
                #expect(change == (isOver ? .skipped(reason: "Expired") : Self.later("503")))
            }
            for (end, isOver) in [(0.75, true), (0.751, false)] {
                let change = try await world.change(
                    failed,
                    expiration: Self.now.addingTimeInterval(end)
                )
                #expect(
                    change
                        == (isOver
                            ? .skipped(reason: "Expired")
                            : .retry(reason: "503", at: Self.now.addingTimeInterval(0.75)))
                )
            }
            // A lane whose time to be tried has passed is tried soon, not in the past.
            #expect(
                try await world.change(failed, suspendedUntil: Self.now.addingTimeInterval(-60))
                    == Self.later("503", after: 0)
            )
        }
    }

    @Test("an answer says of its lane that it works, fails or refuses; some say nothing")
    func reports() {
        #expect(DispatchProcessor.signal(of: .accepted(providerID: nil)) == .accepted)
        for consequence in Self.aboutOnePush {
            #expect(DispatchProcessor.signal(of: Self.rejection("No", consequence)) == .responded)
        }
        #expect(
            DispatchProcessor.signal(of: Self.rejection("BadKey", .fixCredentials))
                == .credentialsRejected(reason: "BadKey")
        )
        #expect(
            DispatchProcessor.signal(of: Self.rejection("MissingCredentials", .fixCredentials))
                == nil
        )
        #expect(
            DispatchProcessor.signal(of: .retry(reason: "503", after: nil))
                == .failed(reason: "503")
        )
        #expect(DispatchProcessor.signal(of: .retry(reason: "TooManyRequests", after: nil)) == nil)
        #expect(DispatchProcessor.signal(of: .unknown(reason: "cut")) == .failed(reason: "cut"))
    }
}
