import Foundation
import Gateways
import Logging
import NIOPosix
import PushHTTP
import Testing
import WebPush

@Suite("The Web Push simulator refuses what RFC 8030, RFC 8292 and the browsers' services refuse")
struct WebPushRuleTests {
    private struct Body: Decodable {
        var reason: String
    }

    private struct Site {
        let simulator: WebPushSimulator
        let key = VAPIDKey()

        func authorization(
            origin: String? = nil,
            subject: String = "mailto:operator@example.com",
            life: TimeInterval = 3600,
            key: VAPIDKey? = nil
        ) throws -> String {
            try (key ?? self.key).authorization(
                origin: origin ?? simulator.origin,
                subject: subject,
                expires: Date() + life
            )
        }
    }

    private func rules(_ site: Site, _ path: String) throws -> [RuleCase] {
        let good = [
            "authorization": try site.authorization(), "ttl": "60",
            "content-encoding": "aes128gcm",
        ]
        func rule(
            _ name: String,
            path: String = path,
            changing changes: [String: String?] = [:],
            added: [(name: String, value: String)] = [],
            body: String = String(repeating: "x", count: 200),
            _ status: Int,
            _ reason: String
        ) -> RuleCase {
            var headers = good
            for (name, value) in changes { headers[name] = value }
            return RuleCase(
                name: name,
                path: path,
                headers: headers.map { (name: $0.key, value: $0.value) } + added,
                body: body,
                status: status,
                reason: reason
            )
        }
        let whole = String(repeating: "x", count: 4096)
        let high = (name: "urgency", value: "high")
        let host = "https://\(site.simulator.host)"
        let otherOrigins: [String] = [
            "http://\(site.simulator.host)", "\(host):443", "\(host)/", "https://localhost",
            "\(host):\(site.simulator.port ^ 1)", "\(site.simulator.origin)/",
            "\(site.simulator.origin)/push", "null", "",
        ]
        let others: [RuleCase] = try otherOrigins.map { origin in
            rule(
                "a token for \(origin)",
                changing: ["authorization": try site.authorization(origin: origin)],
                403,
                "BadJwtToken"
            )
        }
        return others + [
            rule("a good one", 201, ""),
            rule("no body", changing: ["content-encoding": nil], body: "", 201, ""),
            rule("a time beyond every number", changing: ["ttl": "99999999999999999999"], 201, ""),
            rule("4,096 bytes", body: whole, 201, ""),
            rule("4,097 bytes", body: whole + "x", 413, "PayloadTooLarge"),
            rule("no time", changing: ["ttl": nil], 400, "BadTTL"),
            rule("a time below zero", changing: ["ttl": "-1"], 400, "BadTTL"),
            rule("a time in words", changing: ["ttl": "an hour"], 400, "BadTTL"),
            rule("another urgency", changing: ["urgency": "urgent"], 400, "BadUrgency"),
            rule("two urgencies", added: [high, high], 400, "BadUrgency"),
            rule("a topic of 32", changing: ["topic": String(repeating: "t", count: 32)], 201, ""),
            rule(
                "a topic of 33",
                changing: ["topic": String(repeating: "t", count: 33)],
                400,
                "BadTopic"
            ),
            rule("a topic with a dot", changing: ["topic": "a.b"], 400, "BadTopic"),
            rule(
                "the older encoding",
                changing: ["content-encoding": "aesgcm"],
                400,
                "BadContentEncoding"
            ),
            rule("nobody's path", path: "/push/nobody", 404, "NoSuchSubscription"),
            rule("no key", changing: ["authorization": nil], 401, "MissingAuthorization"),
            rule(
                "another scheme",
                changing: ["authorization": "Bearer x"],
                403,
                "BadAuthorizationHeader"
            ),
            rule(
                "another site's key",
                changing: ["authorization": try site.authorization(key: VAPIDKey())],
                403,
                "VapidPkHashMismatch"
            ),
            rule(
                "a token for this host without its port",
                changing: ["authorization": try site.authorization(origin: host)],
                201,
                ""
            ),
            rule(
                "another service's token",
                changing: ["authorization": try site.authorization(origin: "https://example.com")],
                403,
                "BadJwtToken"
            ),
            rule(
                "a token for two days",
                changing: ["authorization": try site.authorization(life: 2 * 86_400)],
                403,
                "BadJwtToken"
            ),
            rule(
                "a token that has ended",
                changing: ["authorization": try site.authorization(life: -10)],
                403,
                "BadJwtToken"
            ),
            rule(
                "a contact that is none",
                changing: ["authorization": try site.authorization(subject: "Ada")],
                403,
                "BadJwtToken"
            ),
        ]
    }

    @Test("each rule of the headers, the body and the key")
    func rules() async throws {
        let simulator = try await WebPushSimulator.start(
            eventLoops: MultiThreadedEventLoopGroup.singleton,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        )
        let site = Site(simulator: simulator)
        let browser = simulator.subscribe(applicationServerKey: site.key.publicKey)
        let path = String(browser.endpoint.dropFirst(simulator.origin.count))
        let sender = try RawSender(simulator)
        for one in try rules(site, path) {
            let response = try await sender.response(one.path, one.headers, one.body)
            #expect(response.status == one.status, "\(one)")
            guard one.status != 201 else {
                #expect(response.header("location") != nil, "\(one)")
                continue
            }
            let body = try JSONDecoder().decode(Body.self, from: Data(response.body))
            #expect(body.reason == one.reason, "\(one)")
        }
        simulator.unsubscribe(endpoint: browser.endpoint)
        let ended = try await sender.response(path, [(name: "ttl", value: "1")], "")
        #expect(ended.status == 410)
        await sender.stop()
        await simulator.stop()
    }
}
