import Foundation
import Gateways
import Logging
import Model
import NIOPosix
import PushHTTP
import Testing

@Suite("The APNs simulator refuses what Apple refuses, with Apple's words")
struct APNsRuleTests {
    private static let topic = "jp.example.fires"
    private static let body = #"{"aps":{"alert":"Hello"}}"#

    private struct Body: Decodable {
        var reason: String
    }

    /// A good request with one thing changed; nil takes the header away.
    private func rule(
        _ name: String,
        _ token: String,
        path: String? = nil,
        changing changes: [(String, String?)] = [],
        added: [(name: String, value: String)] = [],
        body: String = body,
        _ status: Int,
        _ reason: String
    ) -> RuleCase {
        var headers = ["authorization": "bearer x", "apns-topic": Self.topic]
        for (name, value) in changes { headers[name] = value }
        return RuleCase(
            name: name,
            path: path ?? "/3/device/\(token)",
            headers: headers.map { (name: $0.key, value: $0.value) } + added,
            body: body,
            status: status,
            reason: reason
        )
    }

    private func rules(_ token: String) -> [RuleCase] {
        let long = { (size: Int) in #"{"aps":"\#(String(repeating: "x", count: size - 10))"}"# }
        let voip = [("apns-push-type", "voip"), ("apns-topic", "\(Self.topic).voip")]
        return [
            rule("a good one", token, 200, ""),
            rule("no device token", token, path: "/3/device/", 400, "MissingDeviceToken"),
            rule("another path", token, path: "/2/device/\(token)", 404, "BadPath"),
            rule("more path", token, path: "/3/device/\(token)/x", 404, "BadPath"),
            rule(
                "no token",
                token,
                changing: [("authorization", nil)],
                403,
                "MissingProviderToken"
            ),
            rule(
                "a header twice",
                token,
                added: [(name: "apns-topic", value: Self.topic)],
                400,
                "DuplicateHeaders"
            ),
            rule("an id that is no UUID", token, changing: [("apns-id", "1")], 400, "BadMessageId"),
            rule("no topic", token, changing: [("apns-topic", nil)], 400, "MissingTopic"),
            rule("an empty topic", token, changing: [("apns-topic", "")], 400, "MissingTopic"),
            rule(
                "another app's topic",
                token,
                changing: [("apns-topic", "com.other")],
                400,
                "DeviceTokenNotForTopic"
            ),
            rule(
                "a type by nobody",
                token,
                changing: [("apns-push-type", "x")],
                400,
                "InvalidPushType"
            ),
            rule(
                "a type without its suffix",
                token,
                changing: [("apns-push-type", "voip")],
                400,
                "BadTopic"
            ),
            rule("priority 7", token, changing: [("apns-priority", "7")], 400, "BadPriority"),
            rule(
                "a background push of priority 10",
                token,
                changing: [("apns-push-type", "background"), ("apns-priority", "10")],
                400,
                "BadPriority"
            ),
            rule(
                "a date in words",
                token,
                changing: [("apns-expiration", "soon")],
                400,
                "BadExpirationDate"
            ),
            rule(
                "a collapse id of 65 bytes",
                token,
                changing: [("apns-collapse-id", String(repeating: "c", count: 65))],
                400,
                "BadCollapseId"
            ),
            rule("no payload", token, body: "", 400, "PayloadEmpty"),
            rule("a payload that is no object", token, body: "[1]", 400, "PayloadEmpty"),
            rule("4,096 bytes", token, body: long(4096), 200, ""),
            rule("4,097 bytes", token, body: long(4097), 413, "PayloadTooLarge"),
            rule("VoIP with 5,120", token, changing: voip, body: long(5120), 200, ""),
            rule(
                "VoIP with 5,121",
                token,
                changing: voip,
                body: long(5121),
                413,
                "PayloadTooLarge"
            ),
            rule(
                "an unknown device",
                token,
                path: "/3/device/\(String(repeating: "ab", count: 32))",
                400,
                "BadDeviceToken"
            ),
            rule("a token that is no hex", token, path: "/3/device/xyz", 400, "BadDeviceToken"),
        ]
    }

    @Test("each rule of the request's form")
    func form() async throws {
        var configuration = APNsSimulator.Configuration()
        configuration.acceptsAnyKey = true
        let simulator = try await APNsSimulator.start(
            configuration,
            eventLoops: MultiThreadedEventLoopGroup.singleton,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        )
        let token = simulator.registerDevice(bundleID: Self.topic, environment: .production)
        let sender = try RawSender(simulator)
        var good = 0
        for one in rules(token) {
            let response = try await sender.response(one.path, one.headers, one.body)
            #expect(response.status == one.status, "\(one)")
            #expect(response.header("apns-id") != nil, "\(one)")
            if one.status == 200 {
                good += 1
                #expect(response.body.isEmpty, "\(one)")
            } else {
                let body = try JSONDecoder().decode(Body.self, from: Data(response.body))
                #expect(body.reason == one.reason, "\(one)")
            }
        }
        #expect(simulator.acceptedCount == good)
        await sender.stop()
        await simulator.stop()
    }
}
