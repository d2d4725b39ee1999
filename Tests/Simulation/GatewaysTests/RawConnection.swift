import Foundation
import Gateways
import NIOCore
import NIOPosix
import NIOSSL

/// A connection to a simulator that says what no proper client would, byte by byte.
struct RawConnection {
    private final class Collector: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        private var bytes = ByteBuffer()
        private let ended: EventLoopPromise<[UInt8]>

        init(ended: EventLoopPromise<[UInt8]>) {
            self.ended = ended
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            var part = unwrapInboundIn(data)
            bytes.writeBuffer(&part)
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            context.close(promise: nil)
        }

        func channelInactive(context: ChannelHandlerContext) {
            ended.succeed(Array(bytes.readableBytesView))
        }
    }

    private let channel: any Channel
    private let ended: EventLoopFuture<[UInt8]>

    /// - Parameter speaks: what the client says it speaks (ALPN); nothing, as some senders do.
    init(_ simulator: some GatewaySimulator, speaks: [String] = []) async throws {
        let eventLoop = MultiThreadedEventLoopGroup.singleton.next()
        let promise = eventLoop.makePromise(of: [UInt8].self)
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.applicationProtocols = speaks
        tls.trustRoots = .certificates(
            try NIOSSLCertificate.fromPEMBytes(Array(simulator.authorityPEM.utf8))
        )
        let context = try NIOSSLContext(configuration: tls)
        channel = try await ClientBootstrap(group: eventLoop)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let operations = channel.pipeline.syncOperations
                    try operations.addHandler(
                        NIOSSLClientHandler(context: context, serverHostname: nil)
                    )
                    try operations.addHandler(Collector(ended: promise))
                }
            }
            .connect(host: simulator.host, port: simulator.port)
            .get()
        ended = promise.futureResult
    }

    func write(_ bytes: some Sequence<UInt8>) {
        // A connection that the simulator has closed is what some tests wait for.
        channel.writeAndFlush(ByteBuffer(bytes: bytes), promise: nil)
    }

    func write(_ text: String) {
        write(text.utf8)
    }

    /// All that the simulator said, once it has closed the connection.
    func untilClosed() async throws -> String {
        String(decoding: try await ended.get(), as: UTF8.self)
    }

    /// Ends the connection, unless the simulator has.
    func end() {
        channel.close(promise: nil)
    }
}
