import NIOCore
import NIOHPACK
import NIOHTTP2

/// Speaks HTTP/2 for a simulated service, frame by frame, so that stream limits, resets and
/// `GOAWAY` can be played as real servers do.
final class GatewayHTTP2Handler: ChannelInboundHandler {
    typealias InboundIn = HTTP2Frame
    typealias OutboundOut = HTTP2Frame

    private struct Stream {
        var method = ""
        var path = ""
        var headers: [(name: String, value: String)] = []
        var body: [UInt8] = []
    }

    private static let longestBody = 64 * 1024

    private let service: any GatewayService
    private let peer: GatewayPeer
    private var streams: [HTTP2StreamID: Stream] = [:]
    /// Streams whose answer is on its way.
    private var answering: Set<HTTP2StreamID> = []
    private var unreportedBytes = 0
    private var isGoingAway = false

    init(service: any GatewayService, peer: GatewayPeer) {
        self.service = service
        self.peer = peer
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let frame = unwrapInboundIn(data)
        switch frame.payload {
        case .headers(let headers):
            guard !isGoingAway, streams[frame.streamID] == nil else { return }
            var stream = Stream()
            for (name, value, _) in headers.headers {
                switch name {
                case ":method": stream.method = value
                case ":path": stream.path = value
                case ":authority": stream.headers.append((name: "host", value: value))
                case ":scheme": break
                default: stream.headers.append((name: name, value: value))
                }
            }
            streams[frame.streamID] = stream
            if headers.endStream { complete(frame.streamID, context: context) }
        case .data(let data):
            receive(data, on: frame.streamID, context: context)
        case .rstStream:
            streams[frame.streamID] = nil
            answering.remove(frame.streamID)
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
        if let closed = event as? StreamClosedEvent {
            streams[closed.streamID] = nil
            answering.remove(closed.streamID)
        }
        context.fireUserInboundEventTriggered(event)
    }

    private func receive(
        _ data: HTTP2Frame.FramePayload.Data,
        on streamID: HTTP2StreamID,
        context: ChannelHandlerContext
    ) {
        guard case .byteBuffer(let bytes) = data.data else { return }
        unreportedBytes += bytes.readableBytes + (data.paddingBytes.map { $0 + 1 } ?? 0)
        if unreportedBytes > 16_384 {
            write(.windowUpdate(windowSizeIncrement: unreportedBytes), on: .rootStream, context)
            unreportedBytes = 0
        }
        guard let stream = streams[streamID] else { return }
        if stream.body.count + bytes.readableBytes <= Self.longestBody {
            streams[streamID]?.body.append(contentsOf: bytes.readableBytesView)
        }
        if data.endStream {
            complete(streamID, context: context)
        } else {
            write(.windowUpdate(windowSizeIncrement: bytes.readableBytes), on: streamID, context)
        }
    }

    private func complete(_ streamID: HTTP2StreamID, context: ChannelHandlerContext) {
        guard let stream = streams.removeValue(forKey: streamID) else { return }
        answering.insert(streamID)
        let plan = service.plan(
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

    private func perform(
        _ answer: GatewayAnswer,
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
        var headers = HPACKHeaders([(":status", String(response.status))])
        for (name, value) in response.headers { headers.add(name: name, value: value) }
        let hasBody = !response.body.isEmpty
        write(.headers(.init(headers: headers, endStream: !hasBody)), on: streamID, context)
        if hasBody {
            let body = context.channel.allocator.buffer(bytes: response.body)
            write(.data(.init(data: .byteBuffer(body), endStream: true)), on: streamID, context)
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
        // Later streams have not been looked at; earlier ones still get their answers.
        answering = answering.filter { $0 <= last }
        streams = [:]
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
        // The client gets a moment to read the farewell before the connection ends.
        context.eventLoop.assumeIsolated().scheduleTask(in: .milliseconds(50)) {
            context.close(promise: nil)
        }
    }

    private func write(
        _ payload: HTTP2Frame.FramePayload,
        on streamID: HTTP2StreamID,
        _ context: ChannelHandlerContext
    ) {
        context.write(
            wrapOutboundOut(HTTP2Frame(streamID: streamID, payload: payload)),
            promise: nil
        )
    }
}
