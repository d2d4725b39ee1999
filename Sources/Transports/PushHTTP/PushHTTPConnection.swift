import NIOCore
import NIOSSL
import NIOTLS
import ServerNames

/// One HTTP/2 connection: the engine on a channel. Lives on its event loop.
final class PushHTTPConnection: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// Retained for as long as the channel is open, because its owner may have released the client.
    private let client: PushHTTPClient
    /// The number of the client's attempt to connect.
    let attempt: Int
    private let limits: PushHTTPLimits
    private let isSecure: Bool
    /// The name that its certificate must have; `nil` where none is checked.
    private let serverName: String?
    private var engine: HTTP2ClientEngine<PendingRequest>
    private var context: ChannelHandlerContext?
    private var out = ByteBuffer()
    private var events: [HTTP2ClientEngine<PendingRequest>.Event] = []
    private var handledEvents: [HTTP2ClientEngine<PendingRequest>.Event] = []
    private var isAuthorised: Bool
    private var endReason: String?
    private var quietCheck: Scheduled<Void>?
    private var pingSentAt: NIODeadline?
    private var lastRead = NIODeadline.uptimeNanoseconds(0)
    private var hasSettings = false
    /// Whether this is not the server that was meant, so that nothing it says is read.
    private var isRefused = false
    private(set) var hasAnswered = false

    init(
        client: PushHTTPClient,
        attempt: Int,
        endpoint: PushHTTPEndpoint,
        limits: PushHTTPLimits
    ) {
        self.client = client
        self.attempt = attempt
        self.limits = limits
        isSecure = endpoint.isSecure
        serverName = endpoint.serverName
        isAuthorised = !limits.firstRequestAlone
        engine = HTTP2ClientEngine(authority: endpoint.authority, isSecure: endpoint.isSecure)
    }

    var inFlight: Int { engine.streams.count }
    var isDraining: Bool { engine.isDraining }

    /// Maximum number of concurrent streams at present.
    var streamLimit: Int {
        guard isAuthorised else { return 1 }
        return min(limits.streamsPerConnection, engine.peerStreamLimit ?? 0)
    }

    /// Whether further connections would not help, because this one is not authorized yet.
    var isProbing: Bool { !isAuthorised }

    var canTake: Bool {
        engine.canOpenStream && inFlight < streamLimit
            && engine.bytesInFlight < limits.bytesPerConnection
    }

    func submit(_ pending: PendingRequest, now: NIODeadline) {
        pending.writtenAt = now
        engine.submit(pending.request, tag: pending, into: &out)
    }

    /// Sends the bytes written since the last flush.
    func flush() {
        guard let context, out.readableBytes > 0 else { return }
        context.writeAndFlush(wrapOutboundOut(out), promise: nil)
        // Usually the bytes have been copied to the socket by now, and the buffer is reused.
        out.clear()
    }

    /// Ends requests whose deadline has passed.
    func expire(now: NIODeadline) {
        var isSuspect = false
        for (streamID, stream) in engine.streams where stream.tag.deadline <= now {
            engine.cancel(streamID, into: &out)
            if lastRead < stream.tag.writtenAt { isSuspect = true }
            client.end(stream.tag, .unanswered(reason: "no answer came before the deadline"))
        }
        if isSuspect {
            // Nothing has been received since the request was sent: the path may be dead.
            engine.drain()
        }
        flush()
        closeIfDone()
    }

    /// Opens no more streams, and closes when the open ones have ended.
    func drain() {
        engine.drain()
        closeIfDone()
    }

    func close(reason: String) {
        endReason = endReason ?? reason
        context?.close(promise: nil)
    }

    private func closeIfDone() {
        guard engine.isDraining, engine.isIdle, let context else { return }
        engine.goAway(code: HTTP2Code.noError, into: &out)
        flush()
        endReason = endReason ?? "the connection was drained"
        context.close(promise: nil)
    }

    // MARK: - Channel events

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        out = context.channel.allocator.buffer(capacity: 64 * 1024)
        if context.channel.isActive, !isSecure { start() }
    }

    func channelActive(context: ChannelHandlerContext) {
        if !isSecure { start() }
        context.fireChannelActive()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if let event = event as? TLSUserEvent, case .handshakeCompleted(let name) = event {
            if let expected = serverName, !hasCertificate(for: expected, context) {
                refuse("the server's certificate is not for \(expected)")
            } else if name == "h2" {
                start()
            } else {
                refuse("the server does not speak HTTP/2 (ALPN answered \(name ?? "none"))")
            }
        }
        context.fireUserInboundEventTriggered(event)
    }

    private func hasCertificate(for name: String, _ context: ChannelHandlerContext) -> Bool {
        let certificate = try? context.pipeline.syncOperations.nioSSL_peerCertificate()
        return certificate.map { (try? ServerNames.include(name, in: $0)) ?? false } ?? false
    }

    /// Closes a connection before anything is said; TLS takes a moment for that.
    private func refuse(_ reason: String) {
        isRefused = true
        close(reason: reason)
    }

    private func start() {
        engine.start(into: &out)
        flush()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isRefused else { return }
        lastRead = context.eventLoop.now
        do {
            try engine.receive(unwrapInboundIn(data), into: &out, events: &events)
        } catch {
            handleEvents()
            engine.goAway(code: HTTP2Code.protocolError, into: &out)
            flush()
            close(reason: "the server broke the protocol: \(error)")
            return
        }
        handleEvents()
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        client.pump()
        flush()
        closeIfDone()
        context.fireChannelReadComplete()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        close(reason: PushHTTPClient.explain(error))
    }

    func channelInactive(context: ChannelHandlerContext) {
        quietCheck?.cancel()
        let reason = endReason ?? "the server closed the connection"
        for pending in engine.takeAll() {
            client.end(pending, .unanswered(reason: reason))
        }
        self.context = nil
        client.connectionEnded(self, reason: reason)
        context.fireChannelInactive()
    }

    private func handleEvents() {
        guard !events.isEmpty else { return }
        // The two arrays are swapped, so that neither is reallocated.
        swap(&events, &handledEvents)
        defer { handledEvents.removeAll(keepingCapacity: true) }
        for event in handledEvents {
            switch event {
            case .response(let pending, let response):
                hasAnswered = true
                // 403 means bad credentials; any other status shows that they were accepted.
                if response.status != 403 { isAuthorised = true }
                client.end(pending, .response(response))
            case .notProcessed(let pending, let reason):
                client.sendAgain(pending, reason: reason)
            case .lost(let pending, let reason):
                client.end(pending, .unanswered(reason: reason))
            case .settings:
                if !hasSettings {
                    hasSettings = true
                    watchQuiet()
                    client.connectionReady(self)
                }
            case .goAway(_, let text):
                endReason = text.isEmpty ? "the server is going away" : text
                client.countGoAway(reason: endReason ?? "")
            case .pong:
                pingSentAt = nil
            }
        }
    }

    // MARK: - Quiet connections

    private func watchQuiet() {
        guard let context else { return }
        let interval = min(TimeAmount.seconds(60), TimeAmount(limits.quietTime))
        quietCheck = context.eventLoop.assumeIsolated().scheduleTask(in: interval) { [weak self] in
            self?.checkQuiet()
            self?.watchQuiet()
        }
    }

    private func checkQuiet() {
        guard let context else { return }
        let now = context.eventLoop.now
        engine.forgiveIdleFrames()
        if let sent = pingSentAt, now - sent > .seconds(30) {
            close(reason: "the server did not answer a ping")
        } else if pingSentAt == nil, now - lastRead >= TimeAmount(limits.quietTime) {
            pingSentAt = now
            engine.ping(into: &out)
            client.countPing()
            flush()
        }
    }
}
