import Foundation
import Front
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import NIOCore
import NIOPosix
import Testing

/// Over real sockets, with small limits.
@Suite("The front door")
struct FrontDoorTests {
    private struct Client {
        let channel: NIOAsyncChannel<ByteBuffer, ByteBuffer>

        /// Sends a text and returns all that comes until the other side ends the connection, or
        /// until `end` has come.
        static func ask(
            _ port: Int,
            _ text: String,
            until end: String? = nil
        ) async throws -> String {
            let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .connect(host: "127.0.0.1", port: port) { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try NIOAsyncChannel<ByteBuffer, ByteBuffer>(
                            wrappingChannelSynchronously: channel
                        )
                    }
                }
            return try await channel.executeThenClose { inbound, outbound in
                var answer = ""
                do {
                    try await outbound.write(ByteBuffer(string: text))
                    for try await part in inbound {
                        answer += String(buffer: part)
                        if let end, answer.contains(end) { break }
                    }
                } catch let error as IOError where error.errnoCode == ECONNRESET {
                    // Ended before the other side had read everything.
                }
                return answer
            }
        }
    }

    private func withDoor(
        _ settings: FrontSettings = FrontSettings(),
        _ work: @escaping @Sendable (Int, FrontDoor) async throws -> Void
    ) async throws {
        let door = FrontDoor(settings)
        let router = Router()
        router.add(
            middleware: AnswerRules<BasicRequestContext> { _, _, _ in
                HTTPError(.internalServerError)
            }
        )
        router.post("/count") { request, _ in
            let body = try await request.body.collect(upTo: 1 << 20)
            return "\(body.readableBytes) bytes"
        }
        router.post("/refuse") { _, _ -> String in throw HTTPError(.unauthorized) }
        router.get("/hello") { _, _ in "hello" }
        let application = Application(
            router: router,
            server: door.server,
            configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0)),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        )
        try await application.test(.live) { client in
            try await work(try #require(client.port), door)
        }
    }

    private func head(_ path: String, _ fields: String...) -> String {
        "POST \(path) HTTP/1.1\r\nHost: test\r\n" + fields.map { $0 + "\r\n" }.joined() + "\r\n"
    }

    @Test("answers, and says that JSON is JSON")
    func answers() async throws {
        try await withDoor { port, door in
            let answer = try await Client.ask(
                port,
                head("/count", "Content-Length: 5", "Connection: close") + "12345"
            )
            #expect(answer.hasPrefix("HTTP/1.1 200"))
            #expect(answer.hasSuffix("5 bytes"))
            #expect(answer.lowercased().contains("x-content-type-options: nosniff"))
            #expect(door.bodies.used == 0)
        }
    }

    @Test(
        "what is not framed as HTTP demands is the client's fault",
        arguments: [
            "zz\r\nabc\r\n0\r\n\r\n", "3\nabc\n0\n\n", "-3\r\nabc\r\n0\r\n\r\n",
            "3\r\nabcdef\r\n0\r\n\r\n",
        ]
    )
    func framing(body: String) async throws {
        try await withDoor { port, _ in
            let answer = try await Client.ask(
                port,
                head("/count", "Transfer-Encoding: chunked") + body,
                until: "\r\n\r\n"
            )
            #expect(answer.hasPrefix("HTTP/1.1 400"), "\(answer)")
        }
    }

    @Test("an unknown transfer encoding and two hosts are the client's fault")
    func heads() async throws {
        try await withDoor { port, _ in
            for head in [
                head("/count", "Transfer-Encoding: xchunked") + "3\r\nabc\r\n0\r\n\r\n",
                head("/count", "Host: other", "Content-Length: 0"),
            ] {
                let answer = try await Client.ask(port, head, until: "\r\n\r\n")
                #expect(answer.hasPrefix("HTTP/1.1 400"), "\(answer)")
            }
        }
    }

    @Test("trailers after the last chunk do no harm")
    func trailers() async throws {
        try await withDoor { port, _ in
            let answer = try await Client.ask(
                port,
                head("/count", "Transfer-Encoding: chunked", "Connection: close")
                    + "3\r\nabc\r\n0\r\nX-Sum: 1\r\n\r\n"
            )
            #expect(answer.hasPrefix("HTTP/1.1 200"), "\(answer)")
            #expect(answer.hasSuffix("3 bytes"))
        }
    }

    @Test("a body beyond the budget of all is answered 503 with a time to come back")
    func budget() async throws {
        var settings = FrontSettings()
        settings.bodyBudget = 1_000
        try await withDoor(settings) { port, door in
            let answer = try await Client.ask(
                port,
                head("/count", "Content-Length: 2000") + String(repeating: "x", count: 2_000),
                until: "body-budget"
            )
            #expect(answer.hasPrefix("HTTP/1.1 503"), "\(answer)")
            #expect(answer.lowercased().contains("retry-after:"))
        }
    }

    @Test("half a body that fills the budget gives way to a whole one")
    func eviction() async throws {
        var settings = FrontSettings()
        settings.bodyBudget = 1_000
        // So that it does not end by itself, however late its turn comes.
        settings.bodyRate = 1
        settings.bodySeconds = 3_600
        try await withDoor(settings) { port, door in
            async let half = Client.ask(
                port,
                head("/count", "Content-Length: 2000") + String(repeating: "x", count: 900)
            )
            var answer = ""
            let end = ContinuousClock.now + .seconds(600)
            while door.bodies.used < 900, ContinuousClock.now < end {
                try await Task.sleep(for: .milliseconds(10))
            }
            while !answer.hasPrefix("HTTP/1.1 200"), ContinuousClock.now < end {
                answer = try await Client.ask(
                    port,
                    head("/count", "Content-Length: 500", "Connection: close")
                        + String(repeating: "y", count: 500)
                )
                try await Task.sleep(for: .milliseconds(50))
            }
            #expect(answer.hasSuffix("500 bytes"))
            let refused = try await half
            #expect(refused.hasPrefix("HTTP/1.1 503"), "\(refused)")
            #expect(refused.contains("too slowly"))
        }
    }

    @Test("a body that does not come is answered 408, and the connection ends")
    func slow() async throws {
        var settings = FrontSettings()
        settings.idleSeconds = 1
        try await withDoor(settings) { port, _ in
            let answer = try await Client.ask(port, head("/count", "Content-Length: 2000") + "x")
            #expect(answer.hasPrefix("HTTP/1.1 408"), "\(answer)")
            #expect(answer.contains("body-seconds"))
        }
    }

    @Test("a connection that says nothing, and a head that does not end, are closed")
    func silent() async throws {
        var settings = FrontSettings()
        settings.headSeconds = 1
        try await withDoor(settings) { port, _ in
            for text in ["", "GET /hello HTTP/1.1\r\nHost: te"] {
                let answer = try await Client.ask(port, text)
                #expect(answer == "")
            }
        }
    }

    @Test("a request that is refused does not wait for its body")
    func refused() async throws {
        try await withDoor { port, door in
            let answer = try await Client.ask(
                port,
                head("/refuse", "Content-Length: 900000") + "x",
                until: "\r\n\r\n"
            )
            #expect(answer.hasPrefix("HTTP/1.1 401"))
            #expect(door.bodies.used == 0)
        }
    }

    @Test("those who wait give way to those who come when all places are taken")
    func places() async throws {
        var settings = FrontSettings()
        settings.connections = 4
        try await withDoor(settings) { port, door in
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<12 {
                    group.addTask {
                        _ = try? await Client.ask(port, head("/count", "Content-Length: 50") + "x")
                    }
                }
                for _ in 0..<20 {
                    // The others come at the same time: one of them may take this place, too.
                    var answer = ""
                    for _ in 0..<20 where answer.isEmpty {
                        let asked = try? await Client.ask(
                            port,
                            "GET /hello HTTP/1.1\r\nHost: test\r\nConnection: close\r\n\r\n"
                        )
                        answer = asked ?? ""
                    }
                    #expect(answer.hasSuffix("hello"))
                    #expect(door.places.count <= 4)
                }
                group.cancelAll()
            }
        }
    }
}
