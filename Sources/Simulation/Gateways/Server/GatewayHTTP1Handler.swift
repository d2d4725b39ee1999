import NIOCore
import NIOHTTP1

/// Speaks HTTP/1.1 for a simulated service, for clients that know nothing newer.
final class GatewayHTTP1Handler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private static let longestBody = 64 * 1024

    private let service: any GatewayService
    private let peer: GatewayPeer
    private var head: HTTPRequestHead?
    private var body: [UInt8] = []

    init(service: any GatewayService, peer: GatewayPeer) {
        self.service = service
        self.peer = peer
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            self.head = head
            body = []
        case .body(let part):
            if body.count + part.readableBytes <= Self.longestBody {
                body.append(contentsOf: part.readableBytesView)
            }
        case .end:
            complete(context: context)
        }
    }

    private func complete(context: ChannelHandlerContext) {
        guard let head else { return }
        self.head = nil
        let plan = service.plan(
            GatewayRequest(
                method: head.method.rawValue,
                path: head.uri,
                headers: head.headers.map { (name: $0.name.lowercased(), value: $0.value) },
                body: body,
                isHTTP2: false,
                peer: peer
            )
        )
        let keepsAlive = head.isKeepAlive
        context.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(plan.delay)) {
            guard context.channel.isActive else { return }
            switch plan.answer().ending {
            case .respond(let response), .goAway(_, .some(let response)):
                self.respond(response, keepsAlive: keepsAlive, context: context)
            case .stall:
                break
            case .resetStream, .dropConnection, .goAway:
                context.close(promise: nil)
            }
        }
    }

    private func respond(
        _ response: GatewayResponse,
        keepsAlive: Bool,
        context: ChannelHandlerContext
    ) {
        var headers = HTTPHeaders(response.headers.map { ($0.name, $0.value) })
        headers.add(name: "content-length", value: String(response.body.count))
        if !keepsAlive { headers.add(name: "connection", value: "close") }
        let head = HTTPResponseHead(
            version: .http1_1,
            status: HTTPResponseStatus(statusCode: response.status),
            headers: headers
        )
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        if !response.body.isEmpty {
            let body = context.channel.allocator.buffer(bytes: response.body)
            context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil)
        }
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        if !keepsAlive { context.close(promise: nil) }
    }
}
