import APNs
import Foundation
import Gateways
import Model
import Ports
import PushHTTP
import PushTesting
import Testing

@Suite("Each answer of Apple's has its consequence")
struct APNsErrorReplyTests {
    private static let registered = Date(timeIntervalSince1970: 1_700_000_000)

    private func outcome(_ status: Int, _ reason: String, goneAt: Date? = nil) -> PushOutcome {
        APNsReason.outcome(
            status: status,
            reason: reason,
            goneAt: goneAt,
            registeredAt: Self.registered
        )
    }

    @Test(
        "a refusal says what has to be put right",
        arguments: [
            (400, "BadDeviceToken", PushRejection.Consequence.keepToken),
            (400, "DeviceTokenNotForTopic", .fixApp), (400, "TopicDisallowed", .fixApp),
            (400, "BadTopic", .fixApp), (400, "MissingTopic", .fixApp),
            (400, "MissingDeviceToken", .fixApp), (404, "BadPath", .fixApp),
            (405, "MethodNotAllowed", .fixApp),
            (400, "BadCollapseId", .fixMessage), (400, "BadExpirationDate", .fixMessage),
            (400, "BadMessageId", .fixMessage), (400, "BadPriority", .fixMessage),
            (400, "DuplicateHeaders", .fixMessage), (400, "InvalidPushType", .fixMessage),
            (400, "PayloadEmpty", .fixMessage), (413, "PayloadTooLarge", .fixMessage),
            (403, "BadCertificate", .fixCredentials),
            (403, "BadCertificateEnvironment", .fixCredentials),
            (403, "ExpiredProviderToken", .fixCredentials), (403, "Forbidden", .fixCredentials),
            (403, "InvalidProviderToken", .fixCredentials),
            (403, "MissingProviderToken", .fixCredentials),
            (403, "UnrelatedKeyIdInToken", .fixCredentials),
            (403, "BadEnvironmentKeyIdInToken", .fixCredentials),
            (403, "BadEnvironmentKeyInToken", .fixCredentials),
            (410, "ExpiredToken", .retireToken), (410, "Unregistered", .retireToken),
            (400, "SomethingNew", .fixMessage), (403, "SomethingNew", .fixCredentials),
        ]
    )
    func refusals(
        status: Int,
        reason: String,
        consequence: PushRejection.Consequence
    ) throws {
        let rejection = try #require(outcome(status, reason).rejection)
        #expect(rejection.reason == reason)
        #expect(rejection.consequence == consequence)
        #expect(!rejection.advice.isEmpty)
    }

    @Test(
        "what may pass is tried again after a while",
        arguments: [
            (429, "TooManyRequests", 60), (429, "TooManyProviderTokenUpdates", 1200),
            (500, "InternalServerError", 900), (503, "ServiceUnavailable", 900),
            (503, "Shutdown", 1), (400, "IdleTimeout", 1), (503, "SomethingNew", 900),
            (429, "SomethingNew", 60),
        ]
    )
    func waits(status: Int, reason: String, seconds: Int) {
        #expect(outcome(status, reason) == .retry(reason: reason, after: .seconds(seconds)))
    }

    @Test("a token that was registered after Apple saw it die is kept")
    func registeredAgain() throws {
        let before = outcome(410, "Unregistered", goneAt: Self.registered - 1)
        #expect(before.rejection?.consequence == .keepToken)
        let after = outcome(410, "Unregistered", goneAt: Self.registered + 1)
        #expect(after.rejection?.consequence == .retireToken)
    }

    @Test("an unknown token, a foreign one and a dead one get Apple's answers on the wire")
    func deviceTokens() async throws {
        try await APNsTestBench.run { bench in
            let unknown = String(repeating: "ab", count: 32)
            let foreign = bench.simulator.registerDevice(
                bundleID: "com.other",
                environment: .production
            )
            let dead = bench.device()
            bench.simulator.unregisterDevice(token: dead)
            let expired = bench.device()
            bench.simulator.unregisterDevice(token: expired, reason: "ExpiredToken")

            for (token, reason) in [
                (unknown, "BadDeviceToken"), (foreign, "DeviceTokenNotForTopic"),
                (dead, "Unregistered"), (expired, "ExpiredToken"),
            ] {
                let outcome = await bench.transport.send(bench.push(to: token))
                #expect(outcome.rejection?.reason == reason)
            }
        }
    }

    @Test("the wire's 410 carries the time, to be compared with the registration")
    func goneTimestamp() async throws {
        try await APNsTestBench.run { bench in
            let token = bench.device()
            bench.simulator.unregisterDevice(token: token, at: Self.registered)
            let older = await bench.transport.send(
                bench.push(to: token, registeredAt: Self.registered - 10)
            )
            #expect(older.rejection?.consequence == .retireToken)
            let newer = await bench.transport.send(
                bench.push(to: token, registeredAt: Self.registered + 10)
            )
            #expect(newer.rejection?.consequence == .keepToken)
        }
    }

    @Test("a payload over 4,096 bytes is refused before it is sent, with its size")
    func oversized() async throws {
        try await APNsTestBench.run { bench in
            let push = bench.push(to: bench.device()) { message in
                message.body = String(repeating: "火", count: 1400)
            }
            let rejection = try #require(await bench.transport.send(push).rejection)
            #expect(rejection.reason == "PayloadTooLarge")
            #expect(rejection.consequence == .fixMessage)
            #expect(rejection.advice.contains("\(APNsPayload.encode(push).count)"))
            #expect(await bench.transport.statistics().connectionsOpened == 0)
        }
    }

    @Test("a collapse id of 65 bytes, a token that is not hex: refused before they are sent")
    func localChecks() async throws {
        try await APNsTestBench.run { bench in
            let collapse = DeliveryOptions(collapseID: String(repeating: "c", count: 65))
            let first = await bench.transport.send(
                bench.push(to: bench.device(), options: collapse)
            )
            #expect(first.rejection?.reason == "BadCollapseId")
            let second = await bench.transport.send(bench.push(to: "../../x"))
            #expect(second.rejection?.reason == "BadDeviceToken")
        }
    }

    @Test("a background push goes out with priority 5 although the send says at once")
    func backgroundPriority() async throws {
        try await APNsTestBench.run { bench in
            let push = bench.push(to: bench.device()) { $0.isSilent = true }
            #expect(await bench.transport.send(push).isAccepted)
            #expect(bench.simulator.accepted.last?.priority == 5)
            #expect(bench.simulator.accepted.last?.pushType == "background")
        }
    }
}
