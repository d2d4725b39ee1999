import Foundation
import Gateways
import Logging
import NIOPosix
import NoroshiWire
import PushHTTP
import Testing

@Suite("No number and no text that a client sends stops a simulator")
struct StrangeValueTests {
    private static let topic = "jp.example.fires"
    private static let deep =
        String(repeating: "[", count: 10_000) + String(repeating: "]", count: 10_000)

    private func logger() -> Logger {
        Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    }

    private func nested(_ depth: Int) -> String {
        String(repeating: #"{"a":"#, count: depth) + "1" + String(repeating: "}", count: depth)
    }

    @Test("a push with any expiration, collapse id and depth is answered, and can be read back")
    func pushes() async throws {
        var configuration = APNsSimulator.Configuration()
        configuration.acceptsAnyKey = true
        configuration.acceptsAnyDevice = true
        let simulator = try await APNsSimulator.start(
            configuration,
            eventLoops: MultiThreadedEventLoopGroup.singleton,
            logger: logger()
        )
        let sender = try RawSender(simulator)

        func send(
            _ body: String = #"{"aps":{}}"#,
            _ header: (name: String, value: String) = (name: "apns-priority", value: "5")
        ) async throws -> Int {
            let response = try await sender.response(
                "/3/device/ab",
                [
                    (name: "authorization", value: "bearer x"),
                    (name: "apns-topic", value: Self.topic), header,
                ],
                body
            )
            return response.status
        }

        let expirations = [
            ("9223372036854775807", 200), ("253402300800", 200), ("0", 200),
            ("9223372036854775808", 400), ("-9223372036854775808", 400), ("-1", 400),
            ("1e308", 400), ("nan", 400), ("", 400), ("1.5", 400), ("0x10", 400),
        ]
        for (text, status) in expirations {
            let answer = try await send(#"{"aps":{}}"#, (name: "apns-expiration", value: text))
            #expect(answer == status, "\(text)")
        }
        #expect(try await send(nested(60)) == 200)
        #expect(try await send(nested(500)) == 200)
        // Foundation reads no deeper than 512 levels; Apple's depth is not known.
        #expect(try await send(nested(600)) == 400)
        #expect(try await send(#"{"a":1e999,"b":-1e308,"c":9223372036854775808}"#) < 500)
        #expect(try await send(#"{"a":"\u0000","b":"\ud800"}"#) < 500)
        // The record is there for each, and is JSON.
        let records = try JSONDecoder().decode(
            [JSONValue].self,
            from: Data(simulator.acceptedJSON)
        )
        #expect(records.count == simulator.acceptedCount)
        #expect(records.first?["expiration"] == 253_402_300_799)
        await sender.stop()
        await simulator.stop()
    }

    @Test("FCM's numbers, durations and depths are checked, never converted blindly")
    func messages() async throws {
        let simulator = try await FCMSimulator.start(
            eventLoops: MultiThreadedEventLoopGroup.singleton,
            logger: logger()
        )
        let sender = try RawSender(simulator)
        let path = "/v1/projects/fires/messages:send"
        for body in [Self.deep, nested(10_000), #"{"message":\#(nested(500))}"#, "\0", ""] {
            let answer = try await sender.response(path, [], body)
            #expect(answer.status == 401, "the form is looked at before the sender")
        }
        for claims in [
            #"{"iss":"a","scope":"b","aud":"c","iat":-1e308,"exp":1e308}"#,
            #"{"iss":"a","scope":"b","aud":"c","iat":9223372036854775807,"exp":1e999}"#,
            Self.deep,
        ] {
            let encoded = Data(claims.utf8).base64EncodedString()
            let type = "urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer"
            let form = "grant_type=\(type)&assertion=e30.\(encoded).AAAA"
            #expect(try await sender.response("/token", [], form).status == 400)
        }
        await sender.stop()
        await simulator.stop()
    }

    @Test("a script's numbers are bounded where it is read")
    func scripts() throws {
        for text in [
            #"{"latency_ms": 9223372036854775807}"#,
            #"{"faults": [{"delay_ms": 9223372036854775807}]}"#,
            #"{"faults": [{"status": 410, "timestamp": 9223372036854775807}]}"#,
            #"{"faults": [{"status": 410, "timestamp": -9223372036854775808}]}"#,
            #"{"faults": [{"status": 500, "reason": "a\"b"}]}"#,
            #"{"faults": [{"goaway": "line\nline"}]}"#,
            #"{"faults": [{"status": 500, "after_seconds": 1e999}]}"#,
            #"{"seed": -1}"#, #"{"faults": [{"reset": 4294967296}]}"#, Self.deep,
        ] {
            #expect(throws: FaultScriptError.self, "\(text.prefix(80))") {
                _ = try FaultScript(json: Data(text.utf8))
            }
        }
    }

    @Test("what the simulator's own requests carry is refused in words")
    func control() async throws {
        let simulator = try await APNsSimulator.start(
            eventLoops: MultiThreadedEventLoopGroup.singleton,
            logger: logger()
        )
        let sender = try RawSender(simulator)
        for (path, body) in [
            ("devices", Self.deep), ("devices", #"{"topic": 1e308}"#), ("devices", "\0"),
            ("devices", #"{"topic": "a", "token": "\u0000"}"#),
            ("devices", #"{"topic": "a", "token": ""}"#),
            ("keys", #"{"team_id": "a", "key_id": "b", "public_key": "\u0000"}"#),
            ("nothing", "{}"),
        ] {
            let answer = try await sender.response("/simulator/\(path)", [], body)
            #expect([400, 404].contains(answer.status), "\(path) \(body.prefix(60))")
            #expect(String(decoding: answer.body, as: UTF8.self).contains("error"))
        }
        await sender.stop()
        await simulator.stop()
    }

    @Test("pushes for any number of devices wait only as far as there is room")
    func manyDevices() async throws {
        var configuration = APNsSimulator.Configuration()
        configuration.acceptsAnyKey = true
        configuration.acceptsAnyDevice = true
        configuration.keptLimit = 10
        let simulator = try await APNsSimulator.start(
            configuration,
            eventLoops: MultiThreadedEventLoopGroup.singleton,
            logger: logger()
        )
        let sender = try RawSender(simulator)
        for number in 10..<40 {
            let answer = try await sender.response(
                "/3/device/\(number)",
                [
                    (name: "authorization", value: "bearer x"),
                    (name: "apns-topic", value: Self.topic),
                ],
                #"{"n":\#(number)}"#
            )
            #expect(answer.status == 200)
        }
        // The newest ten are there still; the first ones are not.
        for number in 30..<40 {
            var pushes = simulator.pushes(for: String(number)).makeAsyncIterator()
            #expect(await pushes.next()?.deviceToken == String(number))
        }
        let first = simulator.pushes(for: "10")
        await sender.stop()
        await simulator.stop()
        var count = 0
        for await _ in first { count += 1 }
        #expect(count == 0)
    }
}
