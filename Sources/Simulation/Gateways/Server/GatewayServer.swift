import Logging
import NIOCore
import NIOHTTP1
import NIOHTTP2
import NIOPosix
import NIOSSL
import NIOTLS
import SwiftASN1
import X509

/// A TLS server for one simulated service: HTTP/2 and HTTP/1.1.
final class GatewayServer: Sendable {
    private let channel: any Channel
    private let connections: GatewayConnections

    let host: String
    let port: Int

    private init(channel: any Channel, connections: GatewayConnections, host: String, port: Int) {
        self.channel = channel
        self.connections = connections
        self.host = host
        self.port = port
    }

    /// - Parameter port: 0 chooses a free one.
    static func start(
        host: String,
        port: Int,
        authority: SimulatorAuthority,
        house: GatewayHouse,
        eventLoops: any EventLoopGroup,
        logger: Logger
    ) async throws -> GatewayServer {
        let identity = try authority.makeServerIdentity(
            hosts: Array(Set(["localhost", "127.0.0.1", "::1", host])).sorted(by: >)
        )
        let tls = try tlsContext(identity: identity)
        let connections = GatewayConnections()
        let channel = try await ServerBootstrap(group: eventLoops)
            .serverChannelOption(.backlog, value: 256)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    guard connections.add(channel, limit: house.limits.connections) else {
                        throw GatewayServerError.tooManyConnections
                    }
                    // Any client certificate is accepted here; the service verifies it, so that it
                    // can respond like the real one instead of failing the handshake.
                    let handler = NIOSSLServerHandler(
                        context: tls,
                        customVerificationCallback: { _, promise in
                            promise.succeed(.certificateVerified)
                        },
                        configuration: NIOSSLHandler.Configuration()
                    )
                    let operations = channel.pipeline.syncOperations
                    try operations.addHandler(handler)
                    try operations.addHandler(
                        GatewayProtocolHandler(
                            house: house,
                            logger: logger
                        )
                    )
                }
            }
            .bind(host: host, port: port)
            .get()
        guard let bound = channel.localAddress?.port else {
            throw GatewayServerError.noPort
        }
        return GatewayServer(channel: channel, connections: connections, host: host, port: bound)
    }

    /// Scheme, host and port.
    var origin: String {
        let name = host.contains(":") ? "[\(host)]" : host
        return port == 443 ? "https://\(name)" : "https://\(name):\(port)"
    }

    func stop() async {
        // Closing fails only if the channel is already closed.
        try? await channel.close()
        await connections.closeAll()
    }

    /// Closes every open connection abruptly, like a cut cable.
    func dropConnections() async {
        await connections.closeAll()
    }

    /// Number of open connections.
    var openConnections: Int { connections.count }

    private static func tlsContext(
        identity: SimulatorIdentity
    ) throws -> NIOSSLContext {
        let chain = try NIOSSLCertificate.fromPEMBytes(Array(identity.certificatePEM.utf8))
        let key = try NIOSSLPrivateKey(bytes: Array(identity.privateKeyPEM.utf8), format: .pem)
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: chain.map { .certificate($0) },
            privateKey: .privateKey(key)
        )
        configuration.minimumTLSVersion = .tlsv12
        configuration.certificateVerification = .optionalVerification
        configuration.applicationProtocols = ["h2", "http/1.1"]
        return try NIOSSLContext(configuration: configuration)
    }
}

/// The reason why a simulator did not start.
package enum GatewayServerError: Error, CustomStringConvertible {
    case noPort
    case tooManyConnections

    package var description: String {
        switch self {
        case .noPort: "The simulator's socket has no port."
        case .tooManyConnections: "The simulator has as many connections as it may have."
        }
    }
}

/// Waits for the handshake, then sets up the negotiated protocol.
private final class GatewayProtocolHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private static let prefaceStart = Array("PRI".utf8)

    private let house: GatewayHouse
    private let logger: Logger
    private var isSetUp = false
    /// The first bytes of a client without ALPN, until they identify the protocol.
    private var early = ByteBuffer()

    init(house: GatewayHouse, logger: Logger) {
        self.house = house
        self.logger = logger
    }

    func handlerAdded(context: ChannelHandlerContext) {
        let time = TimeAmount(house.limits.handshakeTime)
        context.eventLoop.assumeIsolated().scheduleTask(in: time) {
            if !self.isSetUp { context.close(promise: nil) }
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if let event = event as? TLSUserEvent, case .handshakeCompleted(.some(let name)) = event {
            setUpOrClose(isHTTP2: name == "h2", context: context)
        }
        context.fireUserInboundEventTriggered(event)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isSetUp else {
            context.fireChannelRead(data)
            return
        }
        // A client without ALPN, like some senders to Apple: its first bytes identify the protocol.
        var bytes = unwrapInboundIn(data)
        early.writeBuffer(&bytes)
        let start = early.readableBytesView.prefix(Self.prefaceStart.count)
        let fits = Self.prefaceStart.starts(with: start)
        guard !fits || start.count == Self.prefaceStart.count else { return }
        setUpOrClose(isHTTP2: fits, context: context)
        let all = early
        early = ByteBuffer()
        context.fireChannelRead(wrapInboundOut(all))
    }

    private func setUpOrClose(isHTTP2: Bool, context: ChannelHandlerContext) {
        guard !isSetUp else { return }
        isSetUp = true
        do {
            try setUp(isHTTP2: isHTTP2, context: context)
        } catch {
            logger.error("simulator connection failed", metadata: ["error": "\(error)"])
            context.close(promise: nil)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        logger.debug("simulator connection error", metadata: ["error": "\(error)"])
        context.close(promise: nil)
    }

    private func setUp(isHTTP2: Bool, context: ChannelHandlerContext) throws {
        let operations = context.pipeline.syncOperations
        let peer = GatewayPeer(
            certificate: try peerCertificate(context),
            localPort: context.localAddress?.port ?? 0
        )
        if isHTTP2 {
            let limit = house.service.initialStreamLimit(for: peer)
            var connection = NIOHTTP2Handler.ConnectionConfiguration()
            connection.initialSettings = [
                HTTP2Setting(parameter: .maxConcurrentStreams, value: limit),
                HTTP2Setting(parameter: .maxHeaderListSize, value: 16 * 1024),
            ]
            connection.contentLengthValidation = .disabled
            connection.controlFrameRateLimit.maximumCount = 100_000
            var stream = NIOHTTP2Handler.StreamConfiguration()
            stream.streamResetFrameRateLimit.maximumCount = 1_000_000
            stream.streamErrorRateLimit.maximumCount = 1_000_000
            try operations.addHandler(
                NIOHTTP2Handler(
                    mode: .server,
                    connectionConfiguration: connection,
                    streamConfiguration: stream
                )
            )
            try operations.addHandler(GatewayHTTP2Handler(house: house, peer: peer))
        } else {
            try operations.configureHTTPServerPipeline(withErrorHandling: true)
            try operations.addHandler(GatewayHTTP1Handler(house: house, peer: peer))
        }
    }

    private func peerCertificate(_ context: ChannelHandlerContext) throws -> Certificate? {
        let tls = try context.pipeline.syncOperations.handler(type: NIOSSLServerHandler.self)
        guard let certificate = tls.peerCertificate else { return nil }
        return try Certificate(derEncoded: certificate.toDERBytes())
    }
}
