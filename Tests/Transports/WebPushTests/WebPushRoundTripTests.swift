import Foundation
import Gateways
import Model
import NIOCore
import Ports
import PushHTTP
import PushTesting
import Testing
import WebPush

@Suite("A push travels through a browser's push service")
struct WebPushRoundTripTests {
    @Test("the browser decrypts a declarative notification with our keys beside it")
    func onePush() async throws {
        try await WebPushTestBench.run { bench in
            let browser = bench.simulator.subscribe(applicationServerKey: bench.key.publicKey)
            let push = bench.push(to: browser, options: DeliveryOptions(priority: .normal)) {
                $0.uri = "https://shop.example.jp/basket"
                $0.badge = .set(3)
                $0.buttons = [PushButton(actionID: "buy", title: "Buy", uri: "app://buy")]
            }

            let outcome = await bench.transport.send(push)

            let arrived = try #require(bench.simulator.accepted.first)
            #expect(outcome == .accepted(providerID: arrived.location))
            #expect(arrived.urgency == "normal")
            #expect(arrived.topic?.utf8.count == 22)
            let content = try #require(arrived.content)
            let json = try JSONSerialization.jsonObject(with: Data(content))
            let root = try #require(json as? [String: Any])
            #expect(root["web_push"] as? Int == 8030)
            #expect(root["app_badge"] as? Int == 3)
            #expect(root["push_no"] as? String == "42")
            let notification = try #require(root["notification"] as? [String: Any])
            #expect(notification["title"] as? String == "狼煙")
            #expect(notification["navigate"] as? String == "https://shop.example.jp/basket")
            let action = try #require((notification["actions"] as? [[String: String]])?.first)
            #expect(action["navigate"] == "https://shop.example.jp/")
            let marker = try #require(root["noroshi"] as? [String: Any])
            #expect(marker["dispatch_id"] as? String == push.dispatch.description)
            #expect(marker["action_uris"] as? [String: String] == ["buy": "app://buy"])
        }
    }

    @Test(
        "priority becomes urgency",
        arguments: [
            (PushPriority.high, "high"), (.normal, "normal"), (.low, "very-low"),
        ]
    )
    func urgency(priority: PushPriority, urgency: String) async throws {
        try await WebPushTestBench.run { bench in
            let browser = bench.simulator.subscribe(applicationServerKey: nil)
            let options = DeliveryOptions(priority: priority)
            #expect(
                await bench.transport.send(bench.push(to: browser, options: options)).isAccepted
            )
            #expect(bench.simulator.accepted.first?.urgency == urgency)
        }
    }

    @Test("the expiration becomes the rest of its time: none when it is over, four weeks at most")
    func timeToLive() async throws {
        try await WebPushTestBench.run { bench in
            let browser = bench.simulator.subscribe(applicationServerKey: nil)
            let fourWeeks = 28 * 86_400
            for (expiration, times) in [
                (Date() + 3600, 3500...3600), (Date() - 10, 0...0), (nil, fourWeeks...fourWeeks),
                (Date() + 100 * 86_400, fourWeeks...fourWeeks),
            ] {
                let options = DeliveryOptions(expiration: expiration)
                let push = bench.push(to: browser, options: options)
                #expect(await bench.transport.send(push).isAccepted)
                let arrived = try #require(bench.simulator.accepted.last)
                #expect(times.contains(arrived.timeToLive))
            }
        }
    }

    @Test("whole seconds are rounded up: what passes on the way is no second less to live")
    func wholeSeconds() async throws {
        try await WebPushTestBench.run { bench in
            let browser = bench.simulator.subscribe(applicationServerKey: nil)
            for seconds in [60.0, 3_600, 86_400] {
                let expiration = Date() + seconds
                let push = bench.push(
                    to: browser,
                    options: DeliveryOptions(expiration: expiration)
                )
                #expect(await bench.transport.send(push).isAccepted)
                let arrived = try #require(bench.simulator.accepted.last)
                #expect(arrived.timeToLive <= Int(seconds))
                #expect(arrived.receivedAt + Double(arrived.timeToLive) >= expiration)
            }
        }
    }

    @Test("a silent push holds our keys and nothing that a browser would show")
    func silent() async throws {
        try await WebPushTestBench.run { bench in
            let browser = bench.simulator.subscribe(applicationServerKey: nil)
            let push = bench.push(to: browser) { $0.isSilent = true }
            #expect(await bench.transport.send(push).isAccepted)
            let content = try #require(bench.simulator.accepted.first?.content)
            let root = try JSONSerialization.jsonObject(with: Data(content)) as? [String: Any]
            #expect(root?["web_push"] == nil)
            #expect(root?["notification"] == nil)
            #expect(root?["noroshi"] != nil)
        }
    }

    @Test("a later push with the same collapse id replaces the one that waits")
    func topic() async throws {
        try await WebPushTestBench.run { bench in
            let browser = bench.simulator.subscribe(applicationServerKey: nil)
            for body in ["one", "two"] {
                let options = DeliveryOptions(collapseID: "weather")
                let push = bench.push(to: browser, options: options) { $0.body = body }
                #expect(await bench.transport.send(push).isAccepted)
            }
            var pushes = bench.simulator.pushes(for: browser.endpoint).makeAsyncIterator()
            let first = try #require(await pushes.next())
            let text = String(decoding: try #require(first.content), as: UTF8.self)
            #expect(text.contains("two"))
        }
    }

    @Test("a subscription that ended is retired")
    func ended() async throws {
        try await WebPushTestBench.run { bench in
            let browser = bench.simulator.subscribe(applicationServerKey: nil)
            bench.simulator.unsubscribe(endpoint: browser.endpoint)
            let outcome = await bench.transport.send(bench.push(to: browser))
            #expect(outcome.rejection?.consequence == .retireToken)
        }
    }

    @Test("a browser that subscribed with another key: the credentials are wrong")
    func otherKey() async throws {
        try await WebPushTestBench.run { bench in
            let browser = bench.simulator.subscribe(applicationServerKey: VAPIDKey().publicKey)
            let outcome = await bench.transport.send(bench.push(to: browser))
            #expect(outcome.rejection?.reason == "VapidPkHashMismatch")
            #expect(outcome.rejection?.consequence == .fixCredentials)
        }
    }

    @Test("a contact with angle brackets is refused as Apple refuses it")
    func contact() async throws {
        try await WebPushTestBench.run(contact: "mailto:<a@example.com>") { bench in
            let browser = bench.simulator.subscribe(applicationServerKey: nil)
            let outcome = await bench.transport.send(bench.push(to: browser))
            #expect(outcome.rejection?.reason == "BadJwtToken")
        }
    }

    @Test("429 with Retry-After is to be tried again after that time")
    func retryAfter() async throws {
        try await WebPushTestBench.run { bench in
            let script =
                #"{"faults": [{"times": 1, "status": 429, "reason": "Slow", "retry_after": 7}]}"#
            bench.simulator.play(try FaultScript(json: Data(script.utf8)))
            let browser = bench.simulator.subscribe(applicationServerKey: nil)
            let outcome = await bench.transport.send(bench.push(to: browser))
            #expect(outcome == .retry(reason: "Slow", after: .seconds(7)))
        }
    }

    @Test("content of 3,993 bytes passes, one more is refused before it is sent")
    func maxContentLength() async throws {
        try await WebPushTestBench.run { bench in
            let browser = bench.simulator.subscribe(applicationServerKey: nil)
            let empty = bench.push(to: browser) { $0.body = "" }
            let site = "https://shop.example.jp/"
            let room =
                WebPushEncryption.maxContentLength
                - WebPushPayload.encode(empty, site: site).count - #","body":"""#.utf8.count
            let fits = bench.push(to: browser) { $0.body = String(repeating: "x", count: room) }
            #expect(WebPushPayload.encode(fits, site: site).count == 3993)
            #expect(await bench.transport.send(fits).isAccepted)
            #expect(bench.simulator.accepted.first?.encrypted.count == 4096)
            let over = bench.push(to: browser) { $0.body = String(repeating: "x", count: room + 1) }
            #expect(await bench.transport.send(over).rejection?.reason == "PayloadTooLarge")
        }
    }
}

@Suite("Endpoints come from clients and are checked before anything is sent to them")
struct WebPushEndpointTests {
    private let policy = WebPushEndpointPolicy()

    @Test(
        "the browsers' own services are taken",
        arguments: [
            "https://fcm.googleapis.com/fcm/send/abc:def", "https://fcm.googleapis.com/wp/abc",
            "https://updates.push.services.mozilla.com/wpush/v2/abc",
            "https://web.push.apple.com/QAbc", "https://wns2-by3p.notify.windows.com/w/?token=abc",
        ]
    )
    func browsers(text: String) throws {
        let endpoint = try WebPushEndpoint(text, policy: policy)
        #expect(text.hasSuffix(endpoint.path))
        #expect(text.hasPrefix(endpoint.origin))
    }

    @Test(
        "everything else is refused",
        arguments: [
            "http://fcm.googleapis.com/x", "https://fcm.googleapis.com:8443/x",
            "https://127.0.0.1/x", "https://[::1]/x", "https://localhost/x",
            "https://evil.example.com/x", "https://fcm.googleapis.com.evil.example/x",
            "https://user@fcm.googleapis.com/x", "https://notify.windows.com.evil/x",
            "https://2130706433/x", "ftp://x", "", "https://evilnotify.windows.com.x/",
        ]
    )
    func refused(text: String) {
        #expect(throws: WebPushSubscriptionError.self) {
            _ = try WebPushEndpoint(text, policy: policy)
        }
    }
}
