import Crypto
import Foundation
import Logging
import Model
import NIOCore
import Ports
import PushHTTP
import Reasons
import Synchronization

/// Sends pushes to browsers through their push services (RFC 8030).
package final class WebPushTransport: PushTransport {
    private struct Authorization {
        var value: String
        var renewAt: Date
    }

    private struct AuthorizationKey: Hashable {
        var origin: String
        var credentials: WebPushCredentials
    }

    private struct KnownCredentials {
        var credentials: WebPushCredentials
        var foundAt: ContinuousClock.Instant
    }

    private struct State {
        var credentials: [AppID: KnownCredentials] = [:]
        var clients: [String: PushHTTPClient] = [:]
        /// Least recently used first.
        var order: [String] = []
        var authorizations: [AuthorizationKey: Authorization] = [:]
    }

    private static let credentialRefresh: Duration = .seconds(30)
    /// Maximum number of push services that are connected at the same time.
    private static let connectedServices = 64
    private static let tokenLifetime: TimeInterval = 12 * 3600
    private static let maxLifetime: TimeInterval = 4 * 7 * 86_400
    private static let contentHeaders = SharedHeaders([
        ("content-encoding", "aes128gcm"), ("content-type", "application/octet-stream"),
    ])
    private static let timeToLive = PushHeaderName("ttl")
    private static let urgency = PushHeaderName("urgency")
    private static let topic = PushHeaderName("topic")

    private let policy: WebPushEndpointPolicy
    private let limits: PushHTTPLimits
    private let keys: WebPushSenderKeys
    private let lookup: WebPushCredentialLookup
    private let eventLoops: any EventLoopGroup
    private let logger: Logger
    private let now: @Sendable () -> Date
    private let state = Mutex(State())

    package init(
        policy: WebPushEndpointPolicy = WebPushEndpointPolicy(),
        limits: PushHTTPLimits = PushHTTPLimits(),
        keys: WebPushSenderKeys = WebPushSenderKeys(),
        credentials: @escaping WebPushCredentialLookup,
        eventLoops: any EventLoopGroup,
        logger: Logger,
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.policy = policy
        self.limits = limits
        self.keys = keys
        lookup = credentials
        self.eventLoops = eventLoops
        self.logger = logger
        self.now = now
    }

    package func send(_ push: OutgoingPush) async -> PushOutcome {
        guard case .webPush(let app, let address, let publicKey, let secret) = push.address else {
            return .rejected(
                refusal("BadAddress", .fixApp, "This device is not reached through Web Push.")
            )
        }
        do {
            guard let credentials = try await credentials(of: app) else {
                return .rejected(
                    refusal(
                        "MissingCredentials",
                        .fixCredentials,
                        "The site has no VAPID key. Make one in the app's settings."
                    )
                )
            }
            let endpoint = try WebPushEndpoint(address, policy: policy)
            let content = WebPushPayload.encode(push, site: credentials.site)
            guard content.count <= WebPushEncryption.maxContentLength else {
                return .rejected(
                    refusal(
                        "PayloadTooLarge",
                        .fixMessage,
                        """
                        The payload has \(content.count) bytes; Web Push takes \
                        \(WebPushEncryption.maxContentLength). Shorten the texts or the pairs.
                        """
                    )
                )
            }
            let request = PushHTTPRequest(
                path: endpoint.path,
                sharedHeaders: Self.contentHeaders,
                headers: try headers(push, endpoint, credentials),
                body: try keys.encrypt(
                    WebPushMessage(
                        content: content,
                        publicKey: publicKey,
                        authenticationSecret: secret
                    )
                )
            )
            let client = try client(for: endpoint)
            return outcome(await client.send(request, deadline: push.deadline))
        } catch let error as WebPushSubscriptionError {
            return .rejected(refusal("BadSubscription", .retireToken, error.description))
        } catch let error as CredentialError {
            return .rejected(refusal("BadVAPIDKey", .fixCredentials, error.description))
        } catch {
            return .retry(reason: "\(error)", after: .seconds(60))
        }
    }

    /// Makes new credentials of an app take effect now instead of at the next lookup.
    package func forgetCredentials(app: AppID) {
        state.withLock { $0.credentials[app] = nil }
    }

    private func credentials(of app: AppID) async throws -> WebPushCredentials? {
        if let known = state.withLock({ $0.credentials[app] }),
            ContinuousClock.now - known.foundAt < Self.credentialRefresh
        {
            return known.credentials
        }
        let found = try await lookup(app)
        state.withLock { state in
            state.credentials[app] = found.map {
                KnownCredentials(credentials: $0, foundAt: ContinuousClock.now)
            }
        }
        return found
    }

    package func statistics() async -> PushHTTPStatistics {
        var sum = PushHTTPStatistics()
        for client in state.withLock({ Array($0.clients.values) }) {
            sum.add(await client.currentStatistics())
        }
        return sum
    }

    package func shutDown(grace: Duration) async {
        let clients = state.withLock { state in
            let clients = Array(state.clients.values)
            state = State()
            return clients
        }
        await withTaskGroup { group in
            for client in clients { group.addTask { await client.shutDown(grace: grace) } }
        }
    }

    private func outcome(_ result: PushHTTPResult) -> PushOutcome {
        switch result {
        case .response(let response): WebPushResponse.outcome(response)
        case .notSent(let reason, let retryAfter): .retry(reason: reason, after: retryAfter)
        case .unanswered(let reason): .unknown(reason: reason)
        }
    }

    private func refusal(
        _ reason: String,
        _ consequence: PushRejection.Consequence,
        _ advice: String
    ) -> PushRejection {
        PushRejection(reason: reason, consequence: consequence, advice: advice)
    }

    // MARK: - Headers

    private func headers(
        _ push: OutgoingPush,
        _ endpoint: WebPushEndpoint,
        _ credentials: WebPushCredentials
    ) throws -> [(name: PushHeaderName, value: String)] {
        [
            (.authorization, try authorization(endpoint.origin, credentials)),
            (Self.timeToLive, String(timeToLive(push.options.expiration))),
            (Self.urgency, Self.urgency(push.options.priority)),
            (Self.topic, Self.topic(push)),
        ]
    }

    private func timeToLive(_ expiration: Date?) -> Int {
        guard let expiration else { return Int(Self.maxLifetime) }
        // Rounded up to a whole second, so that the time since the push was created does not cost a
        // second of its lifetime.
        return Int(min(max(0, expiration.timeIntervalSince(now())), Self.maxLifetime).rounded(.up))
    }

    private static func urgency(_ priority: PushPriority) -> String {
        switch priority {
        case .high: "high"
        case .normal: "normal"
        case .low: "very-low"
        }
    }

    /// At most 32 characters of base64url: the dispatch id's bytes, or a hash of the collapse id.
    private static func topic(_ push: OutgoingPush) -> String {
        if let collapseID = push.options.collapseID {
            return Base64URL.encode(SHA256.hash(data: Data(collapseID.utf8)).prefix(24))
        }
        return withUnsafeBytes(of: push.dispatch.uuid.uuid) { Base64URL.encode($0) }
    }

    /// One token serves a push service for hours.
    private func authorization(
        _ origin: String,
        _ credentials: WebPushCredentials
    ) throws -> String {
        let date = now()
        let key = AuthorizationKey(origin: origin, credentials: credentials)
        return try state.withLock { state in
            if let known = state.authorizations[key], date < known.renewAt { return known.value }
            let expires = date + Self.tokenLifetime
            let value = try VAPIDKey(privateKey: credentials.privateKey)
                .authorization(origin: origin, subject: credentials.contact, expires: expires)
            if state.authorizations.count >= Self.connectedServices * 4 {
                state.authorizations = [:]
            }
            state.authorizations[key] = Authorization(
                value: value,
                renewAt: date + Self.tokenLifetime / 2
            )
            return value
        }
    }

    // MARK: - Connections

    private func client(for endpoint: WebPushEndpoint) throws -> PushHTTPClient {
        let origin = endpoint.origin
        return try state.withLock { state in
            if let client = state.clients[origin] {
                if state.order.last != origin {
                    state.order.removeAll { $0 == origin }
                    state.order.append(origin)
                }
                return client
            }
            let simulatorTrust = policy.simulators[origin]
            var address = PushHTTPEndpoint(
                host: endpoint.host,
                port: endpoint.port,
                security: .tls(trust: simulatorTrust ?? .system, identity: nil)
            )
            address.onlyPublicAddresses = simulatorTrust == nil
            let client = try PushHTTPClient(
                endpoint: address,
                limits: limits,
                eventLoop: eventLoops.next(),
                logger: logger
            )
            state.clients[origin] = client
            state.order.append(origin)
            if state.order.count > Self.connectedServices {
                state.clients.removeValue(forKey: state.order.removeFirst())?.retire()
            }
            return client
        }
    }
}
