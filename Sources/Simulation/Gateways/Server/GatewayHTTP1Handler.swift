import NIOCore
import NIOHTTP1

/// Speaks HTTP/1.1 for a simulated service, for clients without HTTP/2.
final class GatewayHTTP1Handler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let house: GatewayHouse
    private let peer: GatewayPeer
    private var head: HTTPRequestHead?
    private var body: [UInt8] = []
    /// The part of the budget that the request uses, in bytes.
    private var cost = 0
    private var isAnswering = false
    /// Since when a request is awaited, or since its headers arrived.
    private var waitingSince = NIODeadline.uptimeNanoseconds(0)
    private var unreadSince: NIODeadline?
    private var check: RepeatedTask?

    init(house: GatewayHouse, peer: GatewayPeer) {
        self.house = house
        self.peer = peer
    }

    // MARK: - The connection

    func handlerAdded(context: ChannelHandlerContext) {
        waitingSince = context.eventLoop.now
        let interval = house.limits.checkInterval
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        check = context.eventLoop.scheduleRepeatedTask(
            initialDelay: interval,
            delay: interval
        ) { _ in
            let (handler, context) = bound.value
            handler.checkTimes(context: context)
        }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        check?.cancel()
        check = nil
        release()
    }

    func channelInactive(context: ChannelHandlerContext) {
        check?.cancel()
        context.fireChannelInactive()
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        unreadSince = context.channel.isWritable ? nil : unreadSince ?? context.eventLoop.now
        context.fireChannelWritabilityChanged()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }

    private func checkTimes(context: ChannelHandlerContext) {
        let now = context.eventLoop.now
        let limits = house.limits
        let isUnread = unreadSince.map { now - $0 > TimeAmount(limits.unreadTime) } ?? false
        let patience = head == nil ? limits.keepAliveTime : limits.requestTime
        let isLate = !isAnswering && now - waitingSince > TimeAmount(patience)
        if isUnread || isLate { context.close(promise: nil) }
    }

    // MARK: - Requests

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            self.head = head
            body = []
            waitingSince = context.eventLoop.now
        case .body(let part):
            receive(part, context: context)
        case .end:
            complete(isWhole: true, context: context)
        }
    }

    private func receive(_ part: ByteBuffer, context: ChannelHandlerContext) {
        guard head != nil else { return }
        let wanted = min(GatewayRequest.maxBodyLength - body.count, part.readableBytes)
        guard house.budget.take(wanted) else {
            context.close(promise: nil)
            return
        }
        cost += wanted
        body.append(contentsOf: part.readableBytesView.prefix(wanted))
        // Longer than any service accepts: respond without waiting for the end.
        if body.count == GatewayRequest.maxBodyLength { complete(isWhole: false, context: context) }
    }

    private func release() {
        house.budget.giveBack(cost)
        cost = 0
        body = []
    }

    private func complete(isWhole: Bool, context: ChannelHandlerContext) {
        guard let head else { return }
        self.head = nil
        isAnswering = true
        let plan = house.service.plan(
            GatewayRequest(
                method: head.method.rawValue,
                path: head.uri,
                headers: head.headers.map { (name: $0.name.lowercased(), value: $0.value) },
                body: body,
                isHTTP2: false,
                peer: peer
            )
        )
        release()
        let keepsAlive = head.isKeepAlive && isWhole
        context.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(plan.delay)) {
            guard context.channel.isActive else { return }
            switch plan.answer().ending {
            case .respond(let response), .goAway(_, .some(let response)):
                self.respond(response, keepsAlive: keepsAlive, context: context)
                guard !keepsAlive else { return }
                // A client that is still sending gets a moment to read the response.
                self.close(in: isWhole ? .zero : .milliseconds(500), context: context)
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
        isAnswering = false
        waitingSince = context.eventLoop.now
        let (response, promise) = house.admit(response, context.eventLoop)
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
            context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: promise)
        }
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    }

    private func close(in time: TimeAmount, context: ChannelHandlerContext) {
        guard time > .zero else {
            context.close(promise: nil)
            return
        }
        context.eventLoop.assumeIsolated().scheduleTask(in: time) { context.close(promise: nil) }
    }
}
