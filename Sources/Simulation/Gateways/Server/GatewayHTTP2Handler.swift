import NIOCore
import NIOHPACK
import NIOHTTP2

/// Speaks HTTP/2 for a simulated service, frame by frame, to simulate stream limits, resets and
/// `GOAWAY` like real servers.
final class GatewayHTTP2Handler: ChannelInboundHandler {
    typealias InboundIn = HTTP2Frame
    typealias OutboundOut = HTTP2Frame

    /// An incomplete request.
    private struct Stream {
        var method = ""
        var path = ""
        var headers: [(name: String, value: String)] = []
        var body: [UInt8] = []
        var startedAt: NIODeadline
        /// The part of the budget that it uses, in bytes.
        var cost = 0
        /// Number of bytes that the client may send before it must wait.
        var window = 65_535
        /// The response was already sent; further data is discarded.
        var isAnswered = false
    }

    private let house: GatewayHouse
    private let peer: GatewayPeer
    private var streams: [HTTP2StreamID: Stream] = [:]
    /// Streams with a response in progress.
    private var answering: Set<HTTP2StreamID> = []
    private var unreportedBytes = 0
    private var isGoingAway = false
    private var hasRequest = false
    private var openedAt = NIODeadline.uptimeNanoseconds(0)
    private var lastFrame = NIODeadline.uptimeNanoseconds(0)
    private var unreadSince: NIODeadline?
    private var check: RepeatedTask?

    init(house: GatewayHouse, peer: GatewayPeer) {
        self.house = house
        self.peer = peer
    }

    // MARK: - The connection

    func handlerAdded(context: ChannelHandlerContext) {
        openedAt = context.eventLoop.now
        lastFrame = openedAt
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
        for (_, stream) in streams { house.budget.giveBack(stream.cost) }
        streams = [:]
    }

    func channelInactive(context: ChannelHandlerContext) {
        check?.cancel()
        context.fireChannelInactive()
    }

    /// Stops reading from a client that does not read its responses.
    func channelWritabilityChanged(context: ChannelHandlerContext) {
        let isWritable = context.channel.isWritable
        unreadSince = isWritable ? nil : unreadSince ?? context.eventLoop.now
        // Setting this option of an open channel always succeeds.
        try? context.channel.syncOptions?.setOption(.autoRead, value: isWritable)
        context.fireChannelWritabilityChanged()
    }

    /// A client that violates HTTP/2 gets the responses in progress; then the connection is closed.
    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        isGoingAway = true
        closeIfDone(context: context)
        context.eventLoop.assumeIsolated().scheduleTask(in: .seconds(5)) {
            context.close(promise: nil)
        }
    }

    private func checkTimes(context: ChannelHandlerContext) {
        let now = context.eventLoop.now
        let limits = house.limits
        let isUnread = unreadSince.map { now - $0 > TimeAmount(limits.unreadTime) } ?? false
        let isLate = !hasRequest && now - openedAt > TimeAmount(limits.firstRequestTime)
        let isQuiet =
            streams.isEmpty && answering.isEmpty && now - lastFrame > TimeAmount(limits.quietTime)
        guard !isUnread, !isLate, !isQuiet else {
            context.close(promise: nil)
            return
        }
        let late = streams.filter { now - $0.value.startedAt > TimeAmount(limits.requestTime) }
        for streamID in late.keys {
            forget(streamID)
            write(.rstStream(.cancel), on: streamID, context)
        }
        if !late.isEmpty { context.flush() }
    }

    // MARK: - Frames

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let frame = unwrapInboundIn(data)
        lastFrame = context.eventLoop.now
        switch frame.payload {
        case .headers(let headers):
            guard !isGoingAway else { return }
            if streams[frame.streamID] == nil {
                begin(frame.streamID, headers.headers, context: context)
            }
            // A second header block contains trailers, which are ignored.
            if headers.endStream { complete(frame.streamID, context: context) }
        case .data(let data):
            receive(data, on: frame.streamID, context: context)
        case .rstStream:
            forget(frame.streamID)
        case .goAway:
            isGoingAway = true
            closeIfDone(context: context)
        default:
            break
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        context.flush()
        context.fireChannelReadComplete()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if let closed = event as? StreamClosedEvent { forget(closed.streamID) }
        context.fireUserInboundEventTriggered(event)
    }

    private func forget(_ streamID: HTTP2StreamID) {
        answering.remove(streamID)
        guard let stream = streams.removeValue(forKey: streamID) else { return }
        house.budget.giveBack(stream.cost)
    }

    private func begin(
        _ streamID: HTTP2StreamID,
        _ headers: HPACKHeaders,
        context: ChannelHandlerContext
    ) {
        var stream = Stream(startedAt: context.eventLoop.now)
        for (name, value, _) in headers {
            stream.cost += name.utf8.count + value.utf8.count
            switch name {
            case ":method": stream.method = value
            case ":path": stream.path = value
            case ":authority": stream.headers.append((name: "host", value: value))
            case ":scheme": break
            default: stream.headers.append((name: name, value: value))
            }
        }
        guard house.budget.take(stream.cost) else {
            write(.rstStream(.refusedStream), on: streamID, context)
            return
        }
        streams[streamID] = stream
    }

    private func receive(
        _ data: HTTP2Frame.FramePayload.Data,
        on streamID: HTTP2StreamID,
        context: ChannelHandlerContext
    ) {
        guard case .byteBuffer(let bytes) = data.data else { return }
        let taken = bytes.readableBytes + (data.paddingBytes.map { $0 + 1 } ?? 0)
        unreportedBytes += taken
        if unreportedBytes > 16_384 {
            write(.windowUpdate(windowSizeIncrement: unreportedBytes), on: .rootStream, context)
            unreportedBytes = 0
        }
        guard var stream = streams.removeValue(forKey: streamID) else { return }
        stream.window -= taken
        guard !stream.isAnswered else {
            if data.endStream { return }
            if stream.window <= 0 {
                // The client waits for room that it does not need, because its response is on the
                // way; a reset would discard the unwritten part of the response.
                context.flush()
                write(.rstStream(.noError), on: streamID, context)
            } else {
                streams[streamID] = stream
            }
            return
        }
        let room = GatewayRequest.maxBodyLength - stream.body.count
        let wanted = min(room, bytes.readableBytes)
        guard house.budget.take(wanted) else {
            house.budget.giveBack(stream.cost)
            write(.rstStream(.enhanceYourCalm), on: streamID, context)
            return
        }
        stream.cost += wanted
        stream.body.append(contentsOf: bytes.readableBytesView.prefix(wanted))
        let isFull = stream.body.count == GatewayRequest.maxBodyLength
        if !data.endStream, !isFull, taken > 0 {
            write(.windowUpdate(windowSizeIncrement: taken), on: streamID, context)
            stream.window += taken
        }
        streams[streamID] = stream
        if data.endStream {
            complete(streamID, context: context)
        } else if isFull {
            answerEarly(streamID, stream, context: context)
        }
    }

    private func complete(_ streamID: HTTP2StreamID, context: ChannelHandlerContext) {
        guard let stream = streams.removeValue(forKey: streamID) else { return }
        house.budget.giveBack(stream.cost)
        guard !stream.isAnswered else { return }
        answer(stream, on: streamID, context: context)
    }

    /// The body is longer than any service accepts: respond without waiting for its end.
    private func answerEarly(
        _ streamID: HTTP2StreamID,
        _ stream: Stream,
        context: ChannelHandlerContext
    ) {
        house.budget.giveBack(stream.cost)
        var rest = Stream(startedAt: stream.startedAt)
        rest.window = stream.window
        rest.isAnswered = true
        streams[streamID] = rest
        answer(stream, on: streamID, context: context)
    }

    private func answer(
        _ stream: Stream,
        on streamID: HTTP2StreamID,
        context: ChannelHandlerContext
    ) {
        hasRequest = true
        answering.insert(streamID)
        let plan = house.service.plan(
            GatewayRequest(
                method: stream.method,
                path: stream.path,
                headers: stream.headers,
                body: stream.body,
                isHTTP2: true,
                peer: peer
            )
        )
        guard plan.delay > .zero else {
            perform(plan.answer(), on: streamID, context: context)
            return
        }
        context.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(plan.delay)) {
            guard context.channel.isActive, self.answering.contains(streamID) else { return }
            self.perform(plan.answer(), on: streamID, context: context)
            context.flush()
        }
    }

    // MARK: - Answers

    private func perform(
        _ answer: GatewayReply,
        on streamID: HTTP2StreamID,
        context: ChannelHandlerContext
    ) {
        if let limit = answer.streamLimit {
            let setting = HTTP2Setting(parameter: .maxConcurrentStreams, value: limit)
            write(.settings(.settings([setting])), on: .rootStream, context)
        }
        switch answer.ending {
        case .respond(let response):
            respond(response, on: streamID, context)
        case .stall:
            break
        case .resetStream(let code):
            answering.remove(streamID)
            write(.rstStream(HTTP2ErrorCode(networkCode: Int(code))), on: streamID, context)
        case .dropConnection:
            context.close(promise: nil)
        case .goAway(let reason, let response):
            goAway(reason: reason, response: response, on: streamID, context)
        }
        closeIfDone(context: context)
    }

    private func respond(
        _ response: GatewayResponse,
        on streamID: HTTP2StreamID,
        _ context: ChannelHandlerContext
    ) {
        answering.remove(streamID)
        let (response, promise) = house.admit(response, context.eventLoop)
        var headers = HPACKHeaders([(":status", String(response.status))])
        for (name, value) in response.headers { headers.add(name: name, value: value) }
        let hasBody = !response.body.isEmpty
        write(.headers(.init(headers: headers, endStream: !hasBody)), on: streamID, context)
        if hasBody {
            let body = context.channel.allocator.buffer(bytes: response.body)
            let data = HTTP2Frame.FramePayload.Data(data: .byteBuffer(body), endStream: true)
            write(.data(data), on: streamID, context, promise: promise)
        }
    }

    private func goAway(
        reason: String,
        response: GatewayResponse?,
        on streamID: HTTP2StreamID,
        _ context: ChannelHandlerContext
    ) {
        isGoingAway = true
        let last: HTTP2StreamID
        if let response {
            respond(response, on: streamID, context)
            last = streamID
        } else {
            answering.remove(streamID)
            last = HTTP2StreamID(max(0, Int(streamID) - 2))
        }
        // Later streams were not processed; earlier ones still get their responses.
        answering = answering.filter { $0 <= last }
        for streamID in Array(streams.keys) where !answering.contains(streamID) {
            forget(streamID)
        }
        let text = context.channel.allocator.buffer(string: #"{"reason":"\#(reason)"}"#)
        write(
            .goAway(lastStreamID: last, errorCode: .noError, opaqueData: text),
            on: .rootStream,
            context
        )
    }

    private func closeIfDone(context: ChannelHandlerContext) {
        guard isGoingAway, answering.isEmpty else { return }
        context.flush()
        // The client gets a moment to read the `GOAWAY` before the connection is closed.
        context.eventLoop.assumeIsolated().scheduleTask(in: .milliseconds(50)) {
            context.close(promise: nil)
        }
    }

    private func write(
        _ payload: HTTP2Frame.FramePayload,
        on streamID: HTTP2StreamID,
        _ context: ChannelHandlerContext,
        promise: EventLoopPromise<Void>? = nil
    ) {
        context.write(
            wrapOutboundOut(HTTP2Frame(streamID: streamID, payload: payload)),
            promise: promise
        )
    }
}
