import Foundation
import Gateways
import Logging
import NIOPosix
import PushHTTP
import Testing

@Suite("No client takes a simulator's room or time from the others")
struct GatewayLimitTests {
    private func start(
        _ change: (inout GatewayLimits) -> Void = { _ in }
    ) async throws -> WebPushSimulator {
        var configuration = GatewayConfiguration()
        // Only a test's own limits end anything, however busy the machine is.
        configuration.limits.handshakeTime = .seconds(3600)
        configuration.limits.requestTime = .seconds(3600)
        configuration.limits.unreadTime = .seconds(3600)
        change(&configuration.limits)
        return try await WebPushSimulator.start(
            configuration,
            eventLoops: MultiThreadedEventLoopGroup.singleton,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        )
    }

    private func expectAlive(_ simulator: WebPushSimulator) async throws {
        let sender = try RawSender(simulator)
        #expect(try await sender.response("/push/nobody", [], "").status == 404)
        await sender.stop()
    }

    @Test("a body without an end is answered when it is longer than any request may be")
    func endlessBody() async throws {
        let simulator = try await start()
        let connection = try await RawConnection(simulator)
        connection.write("POST /push/nobody HTTP/1.1\r\nhost: x\r\n")
        connection.write("content-length: 1000000000\r\n\r\n")
        connection.write(repeatElement(UInt8(ascii: "x"), count: 70_000))
        let said = try await connection.untilClosed()
        #expect(said.hasPrefix("HTTP/1.1 404"))
        try await expectAlive(simulator)
        await simulator.stop()
    }

    @Test("a body of megabytes is answered over HTTP/2, and the connection goes on")
    func largeBody() async throws {
        let simulator = try await start()
        let sender = try RawSender(simulator)
        for _ in 0..<3 {
            let body = String(repeating: "x", count: 3_000_000)
            #expect(try await sender.response("/push/nobody", [], body).status == 404)
        }
        #expect(try await sender.response("/push/nobody", [], "x").status == 404)
        await sender.stop()
        await simulator.stop()
    }

    @Test("a body too long for the simulator's own requests is refused with the limit")
    func largeControl() async throws {
        let simulator = try await start()
        let sender = try RawSender(simulator)
        let body = String(repeating: " ", count: 100_000)
        let answer = try await sender.response("/simulator/subscriptions", [], body)
        #expect(answer.status == 413)
        #expect(String(decoding: answer.body, as: UTF8.self).contains("65536"))
        await sender.stop()
        await simulator.stop()
    }

    @Test("a request that does not come to its end is given up")
    func unfinishedRequest() async throws {
        let simulator = try await start { $0.requestTime = .milliseconds(50) }
        let connection = try await RawConnection(simulator)
        connection.write("POST /push/nobody HTTP/1.1\r\nhost: x\r\ncontent-length: 10\r\n\r\n123")
        #expect(try await connection.untilClosed() == "")
        await simulator.stop()
    }

    @Test("a connection that never sends a request is closed", arguments: ["", "P", "GET / HTT"])
    func silence(beginning: String) async throws {
        let simulator = try await start {
            $0.handshakeTime = .milliseconds(50)
            $0.keepAliveTime = .milliseconds(50)
        }
        let connection = try await RawConnection(simulator)
        connection.write(beginning)
        #expect(try await connection.untilClosed() == "")
        await simulator.stop()
    }

    @Test("half of a request's headers over HTTP/2 is no request")
    func halfHeaders() async throws {
        let simulator = try await start { $0.firstRequestTime = .milliseconds(100) }
        let connection = try await RawConnection(simulator, speaks: ["h2"])
        connection.write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")
        connection.write([0, 0, 0, 4, 0, 0, 0, 0, 0])
        // HEADERS without END_HEADERS on stream 1.
        connection.write([0, 0, 1, 1, 0, 0, 0, 0, 1, 0x83])
        _ = try await connection.untilClosed()
        await simulator.stop()
    }

    @Test("a preface that comes in pieces is HTTP/2 all the same")
    func prefaceInPieces() async throws {
        let simulator = try await start { $0.firstRequestTime = .milliseconds(200) }
        let connection = try await RawConnection(simulator)
        for piece in ["P", "R", "I * HTTP/2.0\r\n\r\nSM\r\n\r\n"] {
            connection.write(piece)
            try await Task.sleep(for: .milliseconds(5))
        }
        connection.write([0, 0, 0, 4, 0, 0, 0, 0, 0])
        let said = try await connection.untilClosed()
        #expect(!said.hasPrefix("HTTP/1.1"))
        await simulator.stop()
    }

    @Test("more connections than there may be are closed as they come")
    func connections() async throws {
        let simulator = try await start { $0.connections = 2 }
        let connections = [
            try await RawConnection(simulator), try await RawConnection(simulator),
            try await RawConnection(simulator),
        ]
        // Which of them comes too late is for the event loops to say.
        try await withThrowingTaskGroup(of: String.self) { group in
            for connection in connections {
                group.addTask { try await connection.untilClosed() }
            }
            let first = try await group.next()
            #expect(first == "")
            #expect(simulator.openConnections == 2)
            for connection in connections { connection.end() }
        }
        while simulator.openConnections > 0 { try await Task.sleep(for: .milliseconds(5)) }
        try await expectAlive(simulator)
        await simulator.stop()
    }

    @Test("unfinished requests share a room; one that does not fit is refused, not the others")
    func room() async throws {
        let simulator = try await start { $0.unfinishedBytes = 10_000 }
        let large = try RawSender(simulator)
        await #expect(throws: RawSender.NoAnswer.self) {
            _ = try await large.response(
                "/push/nobody",
                [],
                String(repeating: "x", count: 20_000)
            )
        }
        #expect(try await large.response("/push/nobody", [], "x").status == 404)
        await large.stop()
        await simulator.stop()
    }
}
