import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import Synchronization

/// A web server on the loopback interface that behaves as the path says.
final class LoopbackServer: Sendable {
    struct Request: Sendable {
        let method: String
        let path: String
        let headers: HTTPHeaders
        let body: String
    }

    private struct State {
        var requests: [Request] = []
        var running = 0
        var peak = 0
        /// The answers that wait for others to be asked for.
        var waiting: [@Sendable () -> Void] = []
    }

    private let state = Mutex(State())
    private let channel = Mutex<(any Channel)?>(nil)

    var requests: [Request] { state.withLock { $0.requests } }
    /// The most requests that were being answered at one moment.
    var peak: Int { state.withLock { $0.peak } }
    var port: Int { channel.withLock { $0?.localAddress?.port ?? 0 } }

    /// Runs `work` beside a server of its own.
    ///
    /// - Parameter tls: For HTTPS; `nil` for cleartext.
    static func run(
        tls: NIOSSLContext? = nil,
        _ work: (LoopbackServer) async throws -> Void
    ) async throws {
        let server = LoopbackServer()
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    if let tls {
                        let handler = NIOSSLServerHandler(context: tls)
                        try channel.pipeline.syncOperations.addHandler(handler)
                    }
                    try channel.pipeline.syncOperations.configureHTTPServerPipeline()
                    try channel.pipeline.syncOperations.addHandler(Handler(server))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        server.channel.withLock { $0 = channel }
        do {
            try await work(server)
        } catch {
            try await channel.close()
            throw error
        }
        try await channel.close()
    }

    fileprivate func begin(_ request: Request) -> Int {
        state.withLock { state in
            state.requests.append(request)
            state.running += 1
            state.peak = max(state.peak, state.running)
            return state.requests.count
        }
    }

    fileprivate func end() {
        state.withLock { $0.running -= 1 }
    }

    /// Answers once `count` requests wait, all of them.
    fileprivate func answer(with count: Int, _ answer: @escaping @Sendable () -> Void) {
        let complete: [@Sendable () -> Void] = state.withLock { state in
            state.waiting.append(answer)
            guard state.waiting.count == count else { return [] }
            defer { state.waiting = [] }
            return state.waiting
        }
        for answer in complete { answer() }
    }

    private final class Handler: ChannelInboundHandler {
        typealias InboundIn = HTTPServerRequestPart
        typealias OutboundOut = HTTPServerResponsePart

        private let server: LoopbackServer
        private var head: HTTPRequestHead?
        private var body = ""

        init(_ server: LoopbackServer) {
            self.server = server
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            switch unwrapInboundIn(data) {
            case .head(let head):
                self.head = head
                body = ""
            case .body(let buffer):
                body += String(buffer: buffer)
            case .end:
                if let head { answer(head, context) }
            }
        }

        private func answer(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
            let number = server.begin(
                Request(
                    method: head.method.rawValue,
                    path: head.uri,
                    headers: head.headers,
                    body: body
                )
            )
            let parts = head.uri.split(separator: "/").map(String.init)
            switch parts.first {
            case "silent":
                server.end()
            case "drip":
                // The head at once, the body never.
                write(context, .ok, ["Content-Length": "10"], "a", isWhole: false)
                server.end()
            case "redirect":
                write(context, .found, ["Location": "http://127.0.0.1:\(server.port)/number"], "")
                server.end()
            case "huge":
                write(context, .ok, [:], String(repeating: "x", count: 2 << 20))
                server.end()
            case "status":
                let code = parts.count > 1 ? Int(parts[1]) ?? 500 : 500
                write(context, HTTPResponseStatus(statusCode: code), [:], "status \(code)")
                server.end()
            case "after":
                let wait = TimeAmount.milliseconds(parts.count > 1 ? Int64(parts[1]) ?? 50 : 50)
                let loopBound = NIOLoopBound(context, eventLoop: context.eventLoop)
                let server = server
                context.eventLoop.scheduleTask(in: wait) {
                    server.end()
                    Self.write(loopBound.value, .ok, [:], #"{"number":\#(number)}"#)
                }
            case "together":
                let loopBound = NIOLoopBound(context, eventLoop: context.eventLoop)
                let eventLoop = context.eventLoop
                let server = server
                server.answer(with: parts.count > 1 ? Int(parts[1]) ?? 1 : 1) {
                    eventLoop.execute {
                        server.end()
                        Self.write(loopBound.value, .ok, [:], #"{"number":\#(number)}"#)
                    }
                }
            default:
                write(context, .ok, [:], #"{"number":\#(number)}"#)
                server.end()
            }
        }

        private func write(
            _ context: ChannelHandlerContext,
            _ status: HTTPResponseStatus,
            _ headers: HTTPHeaders,
            _ body: String,
            isWhole: Bool = true
        ) {
            Self.write(context, status, headers, body, isWhole: isWhole)
        }

        private static func write(
            _ context: ChannelHandlerContext,
            _ status: HTTPResponseStatus,
            _ headers: HTTPHeaders,
            _ body: String,
            isWhole: Bool = true
        ) {
            var headers = headers
            if isWhole { headers.add(name: "Content-Length", value: String(body.utf8.count)) }
            let head = HTTPResponseHead(version: .http1_1, status: status, headers: headers)
            context.write(NIOAny(HTTPServerResponsePart.head(head)), promise: nil)
            let buffer = context.channel.allocator.buffer(string: body)
            context.writeAndFlush(
                NIOAny(HTTPServerResponsePart.body(.byteBuffer(buffer))),
                promise: nil
            )
            guard isWhole else { return }
            context.writeAndFlush(NIOAny(HTTPServerResponsePart.end(nil)), promise: nil)
        }
    }
}
