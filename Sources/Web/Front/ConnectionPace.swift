import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// Enforces the timeouts of one connection, or of one HTTP/2 stream.
///
/// It is placed after the HTTP codec, where it sees requests and responses; ``ByteWatch`` is placed
/// before the codec and reports the bytes. On a stream heads come whole, and the bytes of bodies
/// are counted here.
final class ConnectionPace: ChannelDuplexHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private static let tick = TimeAmount.seconds(1)

    private var state: PaceState
    private let place: any WaitingPlace
    private let isStream: Bool
    private var timer: Scheduled<Void>?
    private var hasFailed = false

    init(
        _ settings: FrontSettings,
        place: any WaitingPlace,
        isStream: Bool = false,
        now: NIODeadline
    ) {
        state = PaceState(settings, now: now)
        self.place = place
        self.isStream = isStream
    }

    func handlerAdded(context: ChannelHandlerContext) {
        place.isWaiting(since: context.eventLoop.now)
        schedule(context)
    }

    func handlerRemoved(context: ChannelHandlerContext) { timer?.cancel() }

    func channelInactive(context: ChannelHandlerContext) {
        timer?.cancel()
        place.leave()
        context.fireChannelInactive()
    }

    func arrived(_ bytes: Int, at now: NIODeadline) {
        state.arrived(bytes, at: now)
    }

    func read(context: ChannelHandlerContext) {
        state.asked(at: context.eventLoop.now)
        context.read()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let now = context.eventLoop.now
        switch unwrapInboundIn(data) {
        case .head: state.headCame()
        case .body(let bytes): if isStream { arrived(bytes.readableBytes, at: now) }
        case .end: state.bodyCame(at: now)
        }
        context.fireChannelRead(data)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        note(context)
        context.fireChannelReadComplete()
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        context.write(data, promise: promise)
        guard case .end = unwrapOutboundIn(data) else { return }
        state.answered(at: context.eventLoop.now)
        note(context)
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        state.isWritable(context.channel.isWritable, at: context.eventLoop.now)
        context.fireChannelWritabilityChanged()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // Respond with the error if that is still possible, and then close the connection.
        closeSoon(context)
        context.fireErrorCaught(error)
    }

    private func note(_ context: ChannelHandlerContext) {
        if state.isWaiting {
            place.isWaiting(since: context.eventLoop.now)
        } else {
            place.isServed()
        }
    }

    private func schedule(_ context: ChannelHandlerContext) {
        timer = context.eventLoop.assumeIsolated().scheduleTask(in: Self.tick) {
            self.check(context)
        }
    }

    private func check(_ context: ChannelHandlerContext) {
        switch state.verdict(at: context.eventLoop.now) {
        case .goOn:
            schedule(context)
        case .close:
            context.close(promise: nil)
        case .fail:
            closeSoon(context)
            context.fireErrorCaught(FrontError.tooSlow)
        }
    }

    private func closeSoon(_ context: ChannelHandlerContext) {
        guard !hasFailed else { return }
        hasFailed = true
        timer?.cancel()
        timer = context.eventLoop.assumeIsolated().scheduleTask(
            in: .seconds(Int64(FrontSettings.lingering))
        ) {
            context.close(promise: nil)
        }
    }
}

@available(*, unavailable)
extension ConnectionPace: Sendable {}

/// Reports the bytes of a connection before the codec: they are the only sign of progress of an
/// incomplete head.
final class ByteWatch: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private let pace: ConnectionPace

    init(_ pace: ConnectionPace) {
        self.pace = pace
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        pace.arrived(unwrapInboundIn(data).readableBytes, at: context.eventLoop.now)
        context.fireChannelRead(data)
    }
}

@available(*, unavailable)
extension ByteWatch: Sendable {}
