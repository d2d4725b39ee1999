import NIOCore
import NIOPosix
import Synchronization

/// Passes bytes between clients and a server, and holds back what clients send until it is told to
/// let it through.
final class HoldingRelay: Sendable {
    let port: Int
    private let listener: any Channel
    private let gate: Gate

    /// - Parameter target: The server's port on this machine.
    static func start(to target: Int) async throws -> HoldingRelay {
        let gate = Gate()
        let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(
                        Inlet(target: target, gate: gate, on: channel)
                    )
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        return HoldingRelay(listener, gate)
    }

    private init(_ listener: any Channel, _ gate: Gate) {
        port = listener.localAddress?.port ?? 0
        self.listener = listener
        self.gate = gate
    }

    /// Lets through what has been held back, and what comes from now on.
    func release() { gate.open() }

    func stop() async throws { try await listener.close() }
}

/// Whether bytes pass, and what waits for that.
private final class Gate: Sendable {
    private let state = Mutex<(isOpen: Bool, waiting: [@Sendable () -> Void])>((false, []))

    func open() {
        let waiting = state.withLock { state in
            state.isOpen = true
            return state.waiting
        }
        for pass in waiting { pass() }
    }

    /// Runs `pass` when bytes may pass.
    func whenOpen(_ pass: @escaping @Sendable () -> Void) {
        let isOpen = state.withLock { state in
            if !state.isOpen { state.waiting.append(pass) }
            return state.isOpen
        }
        if isOpen { pass() }
    }
}

/// The client's side: what it sends goes to the server.
private final class Inlet: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let server: EventLoopFuture<any Channel>
    private let gate: Gate

    init(target: Int, gate: Gate, on client: any Channel) {
        self.gate = gate
        server = ClientBootstrap(group: client.eventLoop)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(Outlet(client))
                }
            }
            .connect(host: "127.0.0.1", port: target)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let bytes = unwrapInboundIn(data)
        let server = server
        gate.whenOpen { server.whenSuccess { $0.writeAndFlush(bytes, promise: nil) } }
    }

    func channelInactive(context: ChannelHandlerContext) {
        server.whenSuccess { $0.close(promise: nil) }
    }
}

/// The server's side: what it sends goes to the client.
private final class Outlet: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let client: any Channel

    init(_ client: any Channel) { self.client = client }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        client.writeAndFlush(unwrapInboundIn(data), promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) { client.close(promise: nil) }
}
