import Logging
import NIOCore
import NIOPosix
import PushHTTP
import Synchronization
import Testing

@Suite("A server that breaks the rules costs its own requests, and nothing else")
struct HostileServerTests {
    private func client(_ server: HostileServer) throws -> PushHTTPClient {
        var limits = PushHTTPLimits()
        limits.firstBackOff = .milliseconds(1)
        limits.maxBackoff = .milliseconds(5)
        return try PushHTTPClient(
            endpoint: PushHTTPEndpoint(host: "127.0.0.1", port: server.port, security: .cleartext),
            limits: limits,
            eventLoop: MultiThreadedEventLoopGroup.singleton.next(),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        )
    }

    private func request(_ size: Int = 2) -> PushHTTPRequest {
        PushHTTPRequest(
            path: "/",
            sharedHeaders: SharedHeaders([("a", "b")]),
            body: [UInt8](repeating: 0x78, count: size)
        )
    }

    /// How a request ends whose server says these bytes over and over.
    private func ending(
        greeting: [UInt8] = HostileServer.settings,
        saying bytes: [UInt8],
        times: Int = 1,
        deadline: Duration = .seconds(600)
    ) async throws -> PushHTTPResult {
        let hasSaid = Mutex(false)
        let server = try await HostileServer.start(greeting: greeting) { said, channel in
            // The preface comes first; the requests come after it.
            guard said.readableBytesView.contains(0x78) else { return }
            let isFirst = hasSaid.withLock { hasSaid in
                defer { hasSaid = true }
                return !hasSaid
            }
            if isFirst { Self.say(bytes, times: times, channel) }
        }
        let client = try client(server)
        let result = await client.send(request(), deadline: deadline)
        await client.shutDown(grace: .zero)
        try await server.stop()
        return result
    }

    /// Writes in portions, each when the one before has left.
    private static func say(_ bytes: [UInt8], times: Int, _ channel: any Channel) {
        guard times > 0, channel.isActive else { return }
        let portion = min(times, max(1, 65_536 / max(1, bytes.count)))
        var buffer = ByteBuffer()
        for _ in 0..<portion { buffer.writeBytes(bytes) }
        channel.writeAndFlush(buffer).whenSuccess { say(bytes, times: times - portion, channel) }
    }

    private func isUnanswered(_ result: PushHTTPResult) -> Bool {
        if case .response = result { return false }
        return true
    }

    @Test("a flood of frames that answer nothing ends the connection, not the process")
    func floods() async throws {
        let floods: [(String, [UInt8])] = [
            ("pings", HostileServer.frame(type: 6, [UInt8](repeating: 7, count: 8))),
            ("settings", HostileServer.settings),
            ("window updates", HostileServer.frame(type: 8, HostileServer.number(1))),
            ("unknown frames", HostileServer.frame(type: 0x77, [1, 2, 3])),
            ("empty data", HostileServer.frame(type: 0, stream: 1)),
            ("resets of no stream", HostileServer.frame(type: 3, stream: 9, [0, 0, 0, 0])),
            ("farewells", HostileServer.frame(type: 7, HostileServer.number(1) + [0, 0, 0, 0])),
            (
                "announcements",
                HostileServer.headers(stream: 1, status: "103", endsStream: false)
            ),
        ]
        for (name, bytes) in floods {
            let result = try await ending(saying: bytes, times: 200_000)
            #expect(isUnanswered(result), "\(name)")
        }
    }

    @Test("what breaks HTTP/2 ends the connection")
    func brokenFrames() async throws {
        let broken: [(String, [UInt8])] = [
            (
                "data on a stream that was never opened",
                HostileServer.frame(type: 0, stream: 99, [1])
            ),
            ("headers on a stream of the server's own", HostileServer.headers(stream: 2)),
            (
                "a padding longer than the frame",
                HostileServer.frame(type: 0, flags: 8, stream: 1, [9])
            ),
            ("a ping of four bytes", HostileServer.frame(type: 6, [1, 2, 3, 4])),
            (
                "a window beyond all bounds",
                HostileServer.frame(type: 8, HostileServer.number(.max))
            ),
            ("a setting that is cut off", HostileServer.frame(type: 4, [0, 4, 0])),
            ("no room in a frame", HostileServer.setting(5, 0)),
            ("an initial window beyond all bounds", HostileServer.setting(4, .max)),
            ("a frame of megabytes", [0xff, 0xff, 0xff, 0, 0, 0, 0, 0, 1]),
            (
                "a block that is no HPACK",
                HostileServer.frame(
                    type: 1,
                    flags: 4,
                    stream: 1,
                    [UInt8](repeating: 0xff, count: 10)
                )
            ),
            ("a promise", HostileServer.frame(type: 5, stream: 1, HostileServer.number(2))),
            (
                "a frame between the parts of a block",
                HostileServer.frame(type: 1, stream: 1, [0x88]) + HostileServer.settings
            ),
        ]
        for (name, bytes) in broken {
            let result = try await ending(saying: bytes)
            #expect(isUnanswered(result), "\(name): \(result)")
        }
    }

    @Test("an answer without an end is given up at its longest")
    func endlessAnswer() async throws {
        let data = HostileServer.frame(
            type: 0,
            stream: 1,
            [UInt8](repeating: 0x61, count: 16_384)
        )
        let start = HostileServer.headers(stream: 1, endsStream: false)
        let result = try await ending(saying: start + data + data + data + data + data, times: 1)
        guard case .unanswered(let reason) = result else {
            Issue.record("answered: \(result)")
            return
        }
        #expect(reason.contains("longer than"))
    }

    @Test("a number in a header or a status that is none is no answer, and no trap")
    func strangeStatus() async throws {
        for status in ["99999999999999999999", "-200", "", "2e2", "0"] {
            let bytes = HostileServer.headers(stream: 1, status: status)
            let result = try await ending(saying: bytes)
            guard case .unanswered(let reason) = result else {
                Issue.record("answered: \(status)")
                continue
            }
            #expect(reason == "the answer has no status", "\(status)")
        }
    }

    @Test("a server that never says its settings is no connection", arguments: [[], [1, 2, 3]])
    func silence(greeting: [UInt8]) async throws {
        let result = try await ending(
            greeting: greeting,
            saying: [],
            deadline: .milliseconds(300)
        )
        #expect(isUnanswered(result))
    }

    @Test(
        "a port that there is not is refused where the client is made",
        arguments: [0, -1, 65_536]
    )
    func ports(port: Int) {
        #expect(throws: PushHTTPEndpointError.self) {
            _ = try PushHTTPClient(
                endpoint: PushHTTPEndpoint(host: "127.0.0.1", port: port, security: .cleartext),
                eventLoop: MultiThreadedEventLoopGroup.singleton.next(),
                logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
            )
        }
    }
}
