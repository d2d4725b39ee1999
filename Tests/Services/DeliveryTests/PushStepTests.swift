import Campaigns
import ContentTesting
import Foundation
import Model
import NoroshiWire
import Ports
import StoreConformance
import StoreSQL
import StoreTesting
import Testing

@testable import Delivery

/// What becomes of a row before any provider is asked.
@Suite("The first step of a push")
struct PushStepTests {
    private static let now = Date(timeIntervalSince1970: 1_790_000_000)

    private struct World {
        var send: Send
        var claimed: ClaimedDispatch
        var content: RendererCache.Content
        var store: any Store
        var transports: [PushProvider: any PushTransport] = [.apns: ScriptedTransport()]

        /// The reason why nothing is sent; `nil` when it is.
        func reason() async throws -> String? {
            switch try await step() {
            case .send: nil
            case .record(.skipped(let reason)): reason
            case .record(.rejected(let reason, _)): "rejected: \(reason)"
            case .record(let change): "\(change)"
            }
        }

        func step() async throws -> DispatchProcessor.Step {
            try await DispatchProcessor(
                transports: transports,
                settings: DeliveryService.Settings(),
                now: { now },
                jitter: { 1 }
            ).step(for: claimed, try await SendRenderer(send, content: content))
        }
    }

    private func withWorld(_ body: (World) async throws -> Void) async throws {
        let path = FileManager.default.temporaryDirectory
            .appending(path: "noroshi-steps-\(UUID().uuidString).sqlite").path
        defer {
            for suffix in ["", "-wal", "-shm"] {
                try? FileManager.default.removeItem(atPath: path + suffix)
            }
        }
        let store = try SQLStore.testing(at: path)
        let conformance = StoreConformance(store)
        let fixture = try await conformance.fixture()
        _ = try await conformance.register("ada", token: "aa", in: fixture)
        let send = try await conformance.plannedSend(to: .everyone, in: fixture)
        try await body(
            World(
                send: send,
                claimed: try #require(try await conformance.claim(1).first),
                content: RendererCache.Content(
                    store: store,
                    catalogs: CatalogReader(store: store, now: { Self.now }, random: { 0.5 }),
                    fetcher: NoContent(),
                    renderer: MessageRenderer()
                ),
                store: store
            )
        )
    }

    @Test("a push carries its dispatch, its send, the device's address and the deadline")
    func push() async throws {
        try await withWorld { (world) async throws in
            guard case .send(let push, _) = try await world.step() else {
                Issue.record("nothing is sent")
                return
            }
            #expect(push.dispatch == world.claimed.dispatch)
            #expect(push.sendID == world.send.id)
            #expect(push.deadline == .seconds(30))
            guard case .apns(let token, let topic, _) = push.address else {
                Issue.record("\(push.address)")
                return
            }
            #expect(token == "aa" && topic == world.claimed.app.bundleID)
        }
    }

    @Test("a message that ends now has ended; one that ends a moment later is sent")
    func expiration() async throws {
        try await withWorld { (world) async throws in
            for (seconds, reason) in [(-1, "Expired"), (0, "Expired"), (0.001, nil), (60, nil)]
                as [(TimeInterval, String?)]
            {
                var world = world
                world.send.content.options.expiration = Self.now.addingTimeInterval(seconds)
                #expect(try await world.reason() == reason, "\(seconds)")
            }
        }
    }

    @Test(
        "a message may wait for answers where its text asks, or a block that it includes",
        arguments: [
            ("Hi", false), (question, true), ("{{content_blocks.${greeting}}}", false),
            ("{{content_blocks.${weather}}}", true),
            ("{{content_blocks.${greeting}}}" + question, true),
        ]
    )
    func questions(body: String, asks: Bool) async throws {
        try await withWorld { (world) async throws in
            for (name, text) in [("weather", Self.question), ("greeting", "Hello")] {
                let block = ContentBlock(
                    id: UUID(),
                    workspace: world.send.workspace,
                    name: name,
                    description: "",
                    content: text,
                    tags: [],
                    createdAt: Self.now,
                    updatedAt: Self.now
                )
                try await world.store.createContentBlock(block, noting: nil)
            }
            // A send keeps the blocks with which it began: each text is one of its own.
            var send = world.send
            send.content.message.body = body
            let renderer = try await SendRenderer(send, content: world.content)
            #expect(renderer.asksQuestions == asks)
        }
    }

    private static let question = "{% connected_content https://example.test/weather %}"

    @Test("nobody else gets a message that was written for one user")
    func anotherUser() async throws {
        try await withWorld { (world) async throws in
            var world = world
            world.claimed.device.profile = ProfileID(world.claimed.recipient.rawValue + 1)
            #expect(try await world.reason() == "AnotherUser")
        }
    }

    @Test("where signed tokens are required a named user's device has to have proved it")
    func proof() async throws {
        try await withWorld { (world) async throws in
            for mode in [SDKAuthenticationPolicy.Mode.disabled, .optional, .required] {
                for isProved in [true, false] {
                    for name in ["ada", nil] {
                        var world = world
                        world.claimed.app.authentication.mode = mode
                        world.claimed.profile.externalID = name
                        world.claimed.device.provedFor =
                            isProved ? world.claimed.profile.id : ProfileID(999)
                        let isKept = mode == .required && !isProved && name != nil
                        #expect(
                            try await world.reason() == (isKept ? "UnprovedDevice" : nil),
                            "\(mode) \(isProved) \(name ?? "nameless")"
                        )
                    }
                }
            }
        }
    }

    @Test("a user's word on pushes is kept, as the send asks for it")
    func subscription() async throws {
        try await withWorld { (world) async throws in
            for (recipients, said, reason) in [
                (nil, nil, nil), (nil, "subscribed", nil), (nil, "opted_in", nil),
                (nil, "unsubscribed", "Unsubscribed"),
                (.subscribed, "unsubscribed", "Unsubscribed"), (.subscribed, "opted_in", nil),
                (.optedIn, nil, "NotOptedIn"), (.optedIn, "subscribed", "NotOptedIn"),
                (.optedIn, "unsubscribed", "NotOptedIn"), (.optedIn, "opted_in", nil),
                (.all, "unsubscribed", nil),
            ] as [(SubscriptionFilter?, String?, String?)] {
                var world = world
                world.send.content.recipients = recipients
                world.claimed.profile.standard[.pushSubscription] = said.map { .string($0) }
                #expect(
                    try await world.reason() == reason,
                    "\(String(describing: recipients)) \(said ?? "-")"
                )
            }
        }
    }

    @Test("a device without a whole address gets nothing")
    func addresses() async throws {
        try await withWorld { (world) async throws in
            var registration = try #require(world.claimed.device.push)
            func reason(_ registration: PushRegistration?) async throws -> String? {
                var world = world
                world.claimed.device.push = registration
                let transport = ScriptedTransport()
                world.transports = [.apns: transport, .fcm: transport, .webPush: transport]
                return try await world.reason()
            }
            #expect(try await reason(nil) == "NoPushToken")
            registration.environment = nil
            #expect(try await reason(registration) == "NoPushToken")
            registration.provider = .fcm
            #expect(try await reason(registration) == nil)
            registration.provider = .webPush
            for (key, secret, isWhole) in [
                (nil, nil, false), ("k", nil, false), (nil, "s", false), ("k", "s", true),
            ] as [(String?, String?, Bool)] {
                registration.publicKey = key
                registration.authenticationSecret = secret
                #expect(try await reason(registration) == (isWhole ? nil : "NoPushToken"))
            }
        }
    }

    @Test("a provider that is not set up is named")
    func noProvider() async throws {
        try await withWorld { (world) async throws in
            var world = world
            world.transports = [.fcm: ScriptedTransport()]
            #expect(try await world.reason() == "rejected: ProviderNotConfigured: apns")
        }
    }

    @Test("a row that could not be worked on is tried again as after any failure, twelve times")
    func failed() async throws {
        try await withWorld { (world) async throws in
            let delivery = DispatchProcessor(
                transports: [:],
                settings: DeliveryService.Settings(),
                now: { Self.now },
                jitter: { 1 }
            )
            for (attempts, pause) in [(0, 1), (1, 2), (3, 8), (10, 900)] as [(Int, Double)] {
                var claimed = world.claimed
                claimed.attempts = attempts
                #expect(
                    delivery.change(failed: "StoreError: full", for: claimed)
                        == .retry(
                            reason: "StoreError: full",
                            at: Self.now.addingTimeInterval(pause)
                        )
                )
            }
            var last = world.claimed
            last.attempts = 11
            #expect(
                delivery.change(failed: "StoreError: full", for: last)
                    == .rejected(reason: "StoreError: full", retiresToken: false)
            )
        }
    }
}
