import HTTPTypes
import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP2
import NIOHTTPTypes
import NIOHTTPTypesHTTP2
import NIOSSL
import NIOTLS

/// A TLS connection that speaks HTTP/2 or HTTP/1.1, whichever the client chooses, with the limits
/// of ``FrontSettings``.
struct SecureChannel: ServerChildChannel, HTTPChannelHandler {
    typealias Stream = FrontChannel.Connection
    typealias Negotiation = NIONegotiatedHTTPVersion<
        FrontChannel.Value, NIOHTTP2Handler.AsyncStreamMultiplexer<Stream>
    >

    /// A connection during the handshake; one without a place has none.
    struct Value: ServerChildChannelValue {
        var negotiation: EventLoopFuture<Negotiation>?
        var channel: any Channel
    }

    /// Requests of one connection at the same time. Each may hold a window of unread bytes.
    private static let streams = 32
    private static let headerBytes = 64 * 1024

    let front: FrontChannel
    let certificate: ServerCertificate

    var responder: HTTPChannelHandler.Responder { front.responder }

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        channel.eventLoop.makeCompletedFuture {
            let now = channel.eventLoop.now
            guard let place = front.places.enter(channel, at: now) else {
                return Value(channel: channel)
            }
            let pipeline = channel.pipeline.syncOperations
            try FrontChannel.limitReads(of: channel)
            // Each connection gets the certificate that is in use when it begins.
            try pipeline.addHandler(NIOSSLServerHandler(context: certificate.context))
            try pipeline.addHandler(HandshakeDeadline(seconds: front.settings().headSeconds))
            let negotiation = NIOTypedApplicationProtocolNegotiationHandler<Negotiation> { result in
                switch result {
                case .negotiated("h2"):
                    http2(channel, place: place, logger).map { .http2($0) }
                case .negotiated, .fallback:
                    front.setup(channel: channel, place: place, isSecure: true, logger: logger)
                        .map { .http1_1($0) }
                }
            }
            try pipeline.addHandler(negotiation)
            return Value(negotiation: negotiation.protocolNegotiationResult, channel: channel)
        }
    }

    private func http2(
        _ channel: any Channel,
        place: ConnectionPlaces.Place,
        _ logger: Logger
    ) -> EventLoopFuture<NIOHTTP2Handler.AsyncStreamMultiplexer<Stream>> {
        channel.eventLoop.makeCompletedFuture {
            var configuration = NIOHTTP2Handler.Configuration()
            configuration.connection.initialSettings = [
                HTTP2Setting(parameter: .maxConcurrentStreams, value: Self.streams),
                HTTP2Setting(parameter: .maxHeaderListSize, value: Self.headerBytes),
            ]
            let idle = TimeAmount.seconds(Int64(front.settings().idleSeconds))
            let management = NIOHTTP2ServerConnectionManagementHandler(
                eventLoop: channel.eventLoop,
                configuration: .init(
                    maxIdleTime: idle,
                    maxAge: nil,
                    // A stop has limits of its own.
                    maxGraceTime: nil,
                    keepalive: nil
                )
            )
            let tally = StreamTally(place: place)
            let pipeline = channel.pipeline.syncOperations
            let streams = try pipeline.configureAsyncHTTP2Pipeline(
                mode: .server,
                streamDelegate: management.http2StreamDelegate,
                configuration: configuration
            ) { stream in
                front.setup(stream: stream, tally: tally, logger: logger)
            }
            try pipeline.addHandler(management)
            return streams
        }
    }

    func handle(value: Value, logger: Logger) async {
        do {
            guard let negotiation = value.negotiation else {
                // All places are taken by requests being served.
                return try await value.channel.close()
            }
            switch try await negotiation.get() {
            case .http1_1(let connection):
                await front.handle(value: connection, logger: logger)
            case .http2(let streams):
                try await withThrowingDiscardingTaskGroup { group in
                    for try await stream in streams.inbound {
                        group.addTask { await handleHTTP(asyncChannel: stream, logger: logger) }
                    }
                }
            }
        } catch {
            logger.trace("a TLS connection ended", metadata: ["error": "\(error)"])
        }
    }
}

/// Closes a connection whose handshake does not end in time.
private final class HandshakeDeadline: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private let seconds: Int
    private var timer: Scheduled<Void>?

    init(seconds: Int) {
        self.seconds = seconds
    }

    func handlerAdded(context: ChannelHandlerContext) {
        let channel = context.channel
        timer = context.eventLoop.scheduleTask(in: .seconds(Int64(seconds))) {
            channel.close(promise: nil)
        }
    }

    func handlerRemoved(context: ChannelHandlerContext) { timer?.cancel() }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .handshakeCompleted? = event as? TLSUserEvent { timer?.cancel() }
        context.fireUserInboundEventTriggered(event)
    }
}

@available(*, unavailable)
extension HandshakeDeadline: Sendable {}
