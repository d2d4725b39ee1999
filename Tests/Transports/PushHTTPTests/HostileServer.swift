import NIOCore
import NIOPosix
import NIOSSL

/// An HTTP/2 server that sends what it is told to, frame by frame.
struct HostileServer {
    /// What the server does with each piece that the client sends.
    typealias Behaviour = @Sendable (_ said: ByteBuffer, _ channel: any Channel) -> Void

    private final class Handler: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        private let greeting: [UInt8]
        private let behaviour: Behaviour

        init(greeting: [UInt8], behaviour: @escaping Behaviour) {
            self.greeting = greeting
            self.behaviour = behaviour
        }

        func channelActive(context: ChannelHandlerContext) {
            let bytes = ByteBuffer(bytes: greeting)
            context.writeAndFlush(NIOAny(bytes), promise: nil)
            context.fireChannelActive()
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            behaviour(unwrapInboundIn(data), context.channel)
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            context.close(promise: nil)
        }
    }

    static let settings = frame(type: 4)

    private let channel: any Channel
    let port: Int

    /// - Parameters:
    ///   - greeting: sent at once; proper settings, if nil.
    ///   - tls: `nil` for a server in the clear.
    static func start(
        greeting: [UInt8] = settings,
        tls: NIOSSLContext? = nil,
        behaviour: @escaping Behaviour
    ) async throws -> HostileServer {
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    if let tls {
                        let handler = NIOSSLServerHandler(context: tls)
                        try channel.pipeline.syncOperations.addHandler(handler)
                    }
                    try channel.pipeline.syncOperations.addHandler(
                        Handler(greeting: greeting, behaviour: behaviour)
                    )
                }
            }
            .bind(host: "127.0.0.1", port: 0)
            .get()
        return HostileServer(channel: channel, port: channel.localAddress?.port ?? 0)
    }

    func stop() async throws {
        try await channel.close()
    }

    /// A frame; its length is that of the payload.
    static func frame(
        type: UInt8,
        flags: UInt8 = 0,
        stream: UInt32 = 0,
        _ payload: [UInt8] = []
    ) -> [UInt8] {
        let count = UInt32(payload.count)
        let start = [UInt8(count >> 16 & 0xff), UInt8(count >> 8 & 0xff), UInt8(count & 0xff)]
        let name = (0..<4).reversed().map { UInt8(truncatingIfNeeded: stream >> ($0 * 8)) }
        return start + [type, flags] + name + payload
    }

    static func number(_ value: UInt32) -> [UInt8] {
        (0..<4).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }

    /// A setting with its value.
    static func setting(_ name: UInt8, _ value: UInt32) -> [UInt8] {
        frame(type: 4, [0, name] + number(value))
    }

    /// An answer's headers: the status, and one more field.
    static func headers(
        stream: UInt32,
        status: String = "200",
        name: String = "x",
        value: String = "y",
        endsStream: Bool = true
    ) -> [UInt8] {
        func text(_ text: String) -> [UInt8] { [UInt8(text.utf8.count)] + Array(text.utf8) }
        let block = [0x08] + text(status) + [0x00] + text(name) + text(value)
        return frame(type: 1, flags: endsStream ? 5 : 4, stream: stream, block)
    }
}
