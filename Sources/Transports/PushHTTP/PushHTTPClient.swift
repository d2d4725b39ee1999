import Logging
import NIOCore
import NIOPosix
import NIOSSL
import Synchronization

/// Keeps HTTP/2 connections to one endpoint and spreads requests over their streams.
///
/// Connections are opened on demand, kept for as long as the peer allows, and reopened after a
/// growing delay. Requests that a peer has certainly not processed are sent again; others end with
/// their actual result.
///
/// `@unchecked Sendable` holds because all mutable state is used on `eventLoop` only, except
/// `inbox`, which has its own lock.
package final class PushHTTPClient: @unchecked Sendable {
    private static let maxAttempts = 8
    private static let tickInterval = TimeAmount.milliseconds(100)
    /// How long a busy client delays a few requests to send them together; larger groups go at
    /// once.
    private static let gatheringTime = TimeAmount.microseconds(1000)
    private static let worthwhileBatch = 16
    /// Number of open streams from which a client counts as busy.
    private static let busyStreams = 16

    private let endpoint: PushHTTPEndpoint
    private let limits: PushHTTPLimits
    private let tlsContext: NIOSSLContext?
    private let eventLoop: any EventLoop
    private let logger: Logger
    private let random: @Sendable () -> Double
    private let inbox = Mutex<[PendingRequest]>([])

    /// The requests taken from the inbox. The two arrays are swapped, so that neither is
    /// reallocated.
    private var arrived: [PendingRequest] = []
    private var waiting = CircularBuffer<PendingRequest>()
    private var connections: [PushHTTPConnection] = []
    /// Number of attempts to connect, which distinguishes late events of an earlier attempt.
    private var attempts = 0
    private var isConnecting = false
    /// The channel of the current attempt.
    private var connecting: (any Channel)?
    private var isClosed = false
    private var failures = 0
    private var lastFailure = "the connection is not open yet"
    private var backOffTimer: Scheduled<Void>?
    private var isTicking = false
    private var statistics = PushHTTPStatistics()

    /// - Parameters:
    ///   - eventLoop: The loop that all connections of this client share.
    ///   - random: Numbers from 0 to 1 for the jitter of the backoff.
    package init(
        endpoint: PushHTTPEndpoint,
        limits: PushHTTPLimits = PushHTTPLimits(),
        eventLoop: any EventLoop,
        logger: Logger,
        random: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) }
    ) throws {
        guard (1...65_535).contains(endpoint.port) else {
            throw PushHTTPEndpointError.port(endpoint.port)
        }
        self.endpoint = endpoint
        self.limits = limits
        self.eventLoop = eventLoop
        self.logger = logger
        self.random = random
        tlsContext = try endpoint.makeTLSContext()
    }

    /// Sends one request and waits for its result, at most until the deadline.
    package func send(_ request: PushHTTPRequest, deadline: Duration) async -> PushHTTPResult {
        guard HPACKRequestEncoder.fits(request) else {
            return .notSent(reason: "the headers are too long", retryAfter: nil)
        }
        let end = NIODeadline.now() + TimeAmount(deadline)
        return await withUnsafeContinuation { continuation in
            let pending = PendingRequest(request, deadline: end, continuation: continuation)
            let isFirst = inbox.withLock { inbox in
                inbox.append(pending)
                return inbox.count == 1
            }
            if isFirst {
                eventLoop.execute { self.gather() }
            }
        }
    }

    /// Rejects new requests, waits up to `grace` for the open streams, and closes.
    package func shutDown(grace: Duration) async {
        let closing = eventLoop.submit {
            self.isClosed = true
            self.backOffTimer?.cancel()
            self.answerWaiting(reason: "the client is shutting down")
            for connection in self.connections { connection.drain() }
        }
        try? await closing.get()
        let end = ContinuousClock.now + grace
        while await currentStatistics().connections > 0, ContinuousClock.now < end {
            try? await Task.sleep(for: .milliseconds(20))
        }
        let forced = eventLoop.submit {
            for connection in self.connections { connection.close(reason: "shutting down") }
        }
        try? await forced.get()
    }

    /// Rejects new requests and closes each connection when its open streams have ended.
    package func retire() {
        eventLoop.execute {
            self.isClosed = true
            self.backOffTimer?.cancel()
            self.answerWaiting(reason: "the credentials have changed", retryAfter: .seconds(1))
            for connection in self.connections { connection.drain() }
        }
    }

    package func currentStatistics() async -> PushHTTPStatistics {
        let current = eventLoop.submit {
            var statistics = self.statistics
            statistics.waiting = self.waiting.count
            statistics.inFlight = self.connections.reduce(0) { $0 + $1.inFlight }
            statistics.connections = self.connections.count
            return statistics
        }
        return (try? await current.get()) ?? PushHTTPStatistics()
    }

    // MARK: - Requests (on the event loop)

    /// Takes the requests that have arrived. A busy client waits a moment for more, so that they
    /// share a TLS record and a system call on either side. A lone request never waits.
    private func gather() {
        let inFlight = connections.reduce(0) { $0 + $1.inFlight }
        let isWorthwhile = inbox.withLock { $0.count >= Self.worthwhileBatch }
        guard inFlight >= Self.busyStreams, !isWorthwhile else { return takeInbox() }
        eventLoop.scheduleTask(in: Self.gatheringTime) { self.takeInbox() }
    }

    private func takeInbox() {
        inbox.withLock { swap(&$0, &arrived) }
        defer { arrived.removeAll(keepingCapacity: true) }
        for pending in arrived {
            if isClosed {
                pending.finish(.notSent(reason: "the client is shut down", retryAfter: nil))
            } else if waiting.count >= limits.waiting {
                let reason = "\(limits.waiting) requests are waiting already"
                pending.finish(.notSent(reason: reason, retryAfter: .seconds(1)))
            } else {
                waiting.append(pending)
            }
        }
        pump()
        for connection in connections { connection.flush() }
    }

    /// Assigns waiting requests to streams; the caller flushes.
    func pump() {
        guard !waiting.isEmpty else { return }
        startTicking()
        let now = eventLoop.now
        for connection in connections {
            while connection.canTake, let next = waiting.popFirst() {
                connection.submit(next, now: now)
            }
        }
        if !waiting.isEmpty { connectIfUseful() }
    }

    func end(_ pending: PendingRequest, _ result: PushHTTPResult) {
        if case .response = result { failures = 0 }
        pending.finish(result)
    }

    /// Puts a request that the peer has not processed at the front of the queue.
    func sendAgain(_ pending: PendingRequest, reason: String) {
        pending.attempts += 1
        guard pending.attempts < Self.maxAttempts, !isClosed else {
            pending.finish(.notSent(reason: reason, retryAfter: .seconds(1)))
            return
        }
        statistics.resent += 1
        waiting.prepend(pending)
    }

    func countGoAway(reason: String) {
        statistics.goAways += 1
        logger.info("push connection is going away", metadata: ["push.reason": "\(reason)"])
    }

    func countPing() {
        statistics.pings += 1
    }

    private func answerWaiting(reason: String, retryAfter: Duration? = nil) {
        while let pending = waiting.popFirst() {
            pending.finish(.notSent(reason: reason, retryAfter: retryAfter))
        }
    }

    // MARK: - Deadlines

    private func startTicking() {
        guard !isTicking else { return }
        isTicking = true
        eventLoop.scheduleTask(in: Self.tickInterval) { self.tick() }
    }

    private func tick() {
        isTicking = false
        let now = eventLoop.now
        if waiting.contains(where: { $0.deadline <= now }) {
            var rest = CircularBuffer<PendingRequest>()
            for pending in waiting {
                if pending.deadline <= now {
                    statistics.expired += 1
                    pending.finish(.notSent(reason: lastFailure, retryAfter: nil))
                } else {
                    rest.append(pending)
                }
            }
            waiting = rest
        }
        for connection in connections { connection.expire(now: now) }
        pump()
        for connection in connections { connection.flush() }
        if !waiting.isEmpty || connections.contains(where: { $0.inFlight > 0 }) {
            startTicking()
        }
    }

    // MARK: - Connections

    private func connectIfUseful() {
        guard !isConnecting, backOffTimer == nil, !isClosed else { return }
        let usable = connections.filter { !$0.isDraining }
        if !usable.isEmpty {
            let busy = usable.reduce(0) { $0 + $1.inFlight }
            guard usable.count < limits.connections, waiting.count > busy,
                !usable.contains(where: \.isProbing)
            else { return }
        }
        connect()
    }

    private func connect() {
        isConnecting = true
        attempts += 1
        let attempt = attempts
        var bootstrap = ClientBootstrap(group: eventLoop)
            .connectTimeout(TimeAmount(limits.connectTimeout))
            .channelOption(.socketOption(.so_keepalive), value: 1)
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            .channelOption(.maxMessagesPerRead, value: 4)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try self.prepare(channel, attempt) }
            }
        if endpoint.onlyPublicAddresses {
            bootstrap = bootstrap.resolver(PublicResolver(eventLoop: eventLoop))
        }
        bootstrap.connect(host: endpoint.host, port: endpoint.port).whenComplete { result in
            switch result {
            case .success(let channel):
                if self.isConnecting, attempt == self.attempts { self.connecting = channel }
            case .failure(let error):
                self.connectionFailed(attempt, Self.explain(error))
            }
        }
        // A server that accepts the connection and then sends nothing counts as a failure, too.
        eventLoop.scheduleTask(in: TimeAmount(limits.connectTimeout * 2)) {
            guard self.isConnecting, attempt == self.attempts else { return }
            let silent = self.connecting
            self.connectionFailed(attempt, Self.noHandshake)
            silent?.close(promise: nil)
        }
    }

    private func prepare(_ channel: any Channel, _ attempt: Int) throws {
        let operations = channel.pipeline.syncOperations
        if let tlsContext {
            try operations.addHandler(
                NIOSSLClientHandler(context: tlsContext, serverHostname: endpoint.serverName)
            )
        }
        try operations.addHandler(
            PushHTTPConnection(
                client: self,
                attempt: attempt,
                endpoint: endpoint,
                limits: limits
            )
        )
    }

    private static let noHandshake = "the server did not answer the handshake"

    func connectionReady(_ connection: PushHTTPConnection) {
        // One whose time was over is being closed, which takes TLS a moment: a push given to it would
        // be lost with it.
        guard isConnecting, connection.attempt == attempts else {
            connection.close(reason: Self.noHandshake)
            return
        }
        isConnecting = false
        connecting = nil
        guard !isClosed else {
            connection.close(reason: "shutting down")
            return
        }
        statistics.connectionsOpened += 1
        connections.append(connection)
        logger.info(
            "push connection opened",
            metadata: ["push.host": "\(endpoint.host)", "push.port": "\(endpoint.port)"]
        )
    }

    func connectionEnded(_ connection: PushHTTPConnection, reason: String) {
        guard let place = connections.firstIndex(where: { $0 === connection }) else {
            connectionFailed(connection.attempt, reason)
            return
        }
        connections.remove(at: place)
        logger.info("push connection ended", metadata: ["push.reason": "\(reason)"])
        if connection.hasAnswered {
            pump()
        } else {
            // Opened and closed without a response: back off as after a failed connection.
            waitBeforeConnecting(reason)
        }
    }

    private func connectionFailed(_ attempt: Int, _ reason: String) {
        guard isConnecting, attempt == attempts else { return }
        isConnecting = false
        connecting = nil
        statistics.connectionFailures += 1
        waitBeforeConnecting(reason)
    }

    private func waitBeforeConnecting(_ reason: String) {
        failures += 1
        lastFailure = "\(endpoint.host):\(endpoint.port): \(reason)"
        let delay = ExponentialBackoff(first: limits.firstBackOff, longest: limits.maxBackoff)
            .delay(afterFailures: failures, random: random())
        logger.warning(
            "push connection failed",
            metadata: ["push.reason": "\(lastFailure)", "push.wait": "\(delay)"]
        )
        if failures >= limits.failuresBeforeGivingUp {
            answerWaiting(reason: lastFailure, retryAfter: delay)
        }
        guard backOffTimer == nil, !isClosed else { return }
        backOffTimer = eventLoop.scheduleTask(in: TimeAmount(delay)) {
            self.backOffTimer = nil
            self.pump()
        }
    }

    /// Describes the error in words on which an operator can act.
    static func explain(_ error: any Error) -> String {
        if let error = error as? NIOConnectionError {
            let causes = error.connectionErrors.map { String(describing: $0.error) }
            if let refused = error.dnsAError as? PushHTTPEndpointError {
                return refused.description
            }
            if causes.isEmpty { return "the name \(error.host) cannot be resolved" }
            return "cannot connect: \(causes.joined(separator: "; "))"
        }
        if let error = error as? ChannelError, case .connectTimeout = error {
            return "the server did not answer in time"
        }
        return "\(error)"
    }
}
