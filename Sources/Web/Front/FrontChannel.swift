import HTTPTypes
import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1
import NIOHTTPTypes
import NIOHTTPTypesHTTP1
import NIOHTTPTypesHTTP2

/// An HTTP/1.1 connection with the limits of ``FrontSettings``.
struct FrontChannel: ServerChildChannel, HTTPChannelHandler {
    typealias Connection = NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart>

    /// A connection, and whether it has a place.
    struct Value: ServerChildChannelValue {
        var connection: Connection
        var hasPlace: Bool

        var channel: any Channel { connection.channel }
    }

    /// Maximum number of bytes per read.
    private static let readBytes = 16 << 10
    /// The number of buffered parts of requests before back pressure. They are not part of the
    /// budget of bodies yet, so there must be few per connection.
    private static let waitingParts = (low: 1, high: 2)

    /// Those of now hold for a connection until its end.
    let settings: @Sendable () -> FrontSettings
    let places: ConnectionPlaces
    let responder: HTTPChannelHandler.Responder

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        let place = places.enter(channel, at: channel.eventLoop.now)
        return setup(channel: channel, place: place, isSecure: false, logger: logger)
    }

    /// Reads little at a time.
    static func limitReads(of channel: any Channel) throws {
        let options = channel.syncOptions
        try options?.setOption(.maxMessagesPerRead, value: 1)
        try options?.setOption(
            .recvAllocator,
            value: AdaptiveRecvByteBufferAllocator(
                minimum: 1_024,
                initial: 4_096,
                maximum: readBytes
            )
        )
    }

    /// Sets up a connection that may have a place already.
    func setup(
        channel: any Channel,
        place: ConnectionPlaces.Place?,
        isSecure: Bool,
        logger: Logger
    ) -> EventLoopFuture<Value> {
        channel.eventLoop.makeCompletedFuture {
            var limits = NIOHTTPDecoderLimitConfiguration()
            limits.maxHeaderFieldSize = 16 * 1024
            limits.maxHeaderListSize = 64 * 1024
            limits.maxHeaderFieldCount = 200
            let pipeline = channel.pipeline.syncOperations
            if !isSecure { try Self.limitReads(of: channel) }
            let now = channel.eventLoop.now
            let pace = place.map { ConnectionPace(settings(), place: $0, now: now) }
            if let pace { try pipeline.addHandler(ByteWatch(pace)) }
            try pipeline.configureHTTPServerPipeline(
                withPipeliningAssistance: false,
                withErrorHandling: false,
                withOutboundHeaderValidation: false,
                withEncoderConfiguration: .init(),
                withDecoderLimitConfiguration: limits
            )
            try pipeline.addHandler(HTTP1ToHTTPServerCodec(secure: isSecure))
            if let pace { try pipeline.addHandler(pace) }
            try pipeline.addHandler(HTTPConnectionStateHandler(logger: logger))
            return Value(connection: try Self.connection(channel), hasPlace: place != nil)
        }
    }

    /// Sets up one request of an HTTP/2 connection.
    func setup(
        stream: any Channel,
        tally: StreamTally,
        logger: Logger
    ) -> EventLoopFuture<Connection> {
        stream.eventLoop.makeCompletedFuture {
            let now = stream.eventLoop.now
            // Without one the stream is reset.
            guard let place = places.enter(stream, at: now) else { throw FrontError.noRoom }
            let pipeline = stream.pipeline.syncOperations
            try pipeline.addHandler(HTTP2FramePayloadToHTTPServerCodec())
            try pipeline.addHandler(
                ConnectionPace(
                    settings(),
                    place: tally.stream(place),
                    isStream: true,
                    now: now
                )
            )
            try pipeline.addHandler(HTTPConnectionStateHandler(logger: logger))
            return try Self.connection(stream)
        }
    }

    private static func connection(_ channel: any Channel) throws -> Connection {
        try NIOAsyncChannel(
            wrappingChannelSynchronously: channel,
            configuration: .init(
                backPressureStrategy: .init(
                    lowWatermark: waitingParts.low,
                    highWatermark: waitingParts.high
                ),
                isOutboundHalfClosureEnabled: true
            )
        )
    }

    func handle(value: Value, logger: Logger) async {
        if value.hasPlace {
            await handleHTTP(asyncChannel: value.connection, logger: logger)
        } else {
            await turnAway(value.connection, logger)
        }
    }

    /// Rejects a connection because all places are taken by requests being served.
    private func turnAway(
        _ connection: Connection,
        _ logger: Logger
    ) async {
        do {
            try await connection.executeThenClose { _, outbound in
                let head = HTTPResponse(
                    status: .serviceUnavailable,
                    headerFields: [.connection: "close", .contentLength: "0", .retryAfter: "2"]
                )
                try await outbound.write(contentsOf: [.head(head), .end(nil)])
            }
        } catch {
            logger.trace("a connection that found no place ended", metadata: ["error": "\(error)"])
        }
    }
}
