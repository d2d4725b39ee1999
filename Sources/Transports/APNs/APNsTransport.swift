import Foundation
import Logging
import Model
import NIOCore
import Ports
import PushHTTP
import Reasons
import Synchronization

/// Sends pushes to Apple for any number of apps.
package final class APNsTransport: PushTransport {
    private struct RouteKey: Hashable {
        var bundleID: String
        var environment: APNsEnvironment
    }

    private struct LinkKey: Hashable {
        var environment: APNsEnvironment
        var credentials: APNsCredentials
    }

    private struct KnownRoute {
        var route: APNsChannel
        var foundAt: ContinuousClock.Instant
    }

    private struct State {
        var routes: [RouteKey: KnownRoute] = [:]
        var links: [LinkKey: APNsConnectionPool] = [:]
        var tokenSources: [APNsCredentials: APNsTokenSource] = [:]
    }

    private static let apnsID = PushHeaderName("apns-id")
    private static let collapseID = PushHeaderName("apns-collapse-id")
    private static let expiration = PushHeaderName("apns-expiration")

    private let configuration: APNsConfiguration
    private let lookup: APNsCredentialLookup
    private let eventLoops: any EventLoopGroup
    private let logger: Logger
    private let now: @Sendable () -> Date
    private let state = Mutex(State())

    /// - Parameters:
    ///   - credentials: Called again from time to time, so that new credentials take effect.
    ///   - now: The wall clock, for tokens.
    package init(
        configuration: APNsConfiguration = APNsConfiguration(),
        credentials: @escaping APNsCredentialLookup,
        eventLoops: any EventLoopGroup,
        logger: Logger,
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.configuration = configuration
        lookup = credentials
        self.eventLoops = eventLoops
        self.logger = logger
        self.now = now
    }

    package func send(_ push: OutgoingPush) async -> PushOutcome {
        guard let notification = APNsNotification(push) else {
            return .rejected(
                .local("BadAddress", .fixApp, "This device is not reached through Apple.")
            )
        }
        return await send(
            notification,
            registeredAt: push.registeredAt,
            deadline: push.deadline
        )
    }

    /// Sends a notification of any push type.
    package func send(
        _ notification: APNsNotification,
        registeredAt: Date,
        deadline: Duration
    ) async -> PushOutcome {
        if let rejection = notification.check() { return .rejected(rejection) }
        let route: APNsChannel
        do {
            route = try await self.route(notification.bundleID, notification.environment)
        } catch let error as CredentialError {
            return .rejected(.local(error.ledgerName, .fixCredentials, error.description))
        } catch {
            return .retry(reason: "the credentials cannot be read: \(error)", after: .seconds(60))
        }
        if notification.pushType.needsToken, route.link.tokens == nil {
            return .rejected(
                .local(
                    "InvalidPushType",
                    .fixCredentials,
                    "This push type needs a .p8 key; Apple does not take a certificate for it."
                )
            )
        }
        let start = ContinuousClock.now
        var authorization: String?
        do {
            authorization = try route.link.tokens?.authorization(now: now())
        } catch {
            return .rejected(.local("BadSigningKey", .fixCredentials, "Signing failed: \(error)"))
        }
        let result = await perform(notification, route, authorization, deadline: deadline)
        guard case .response(let response) = result, response.status == 403,
            let refused = authorization,
            APNsErrorResponse(response).reason == "ExpiredProviderToken",
            let renewed = try? route.link.tokens?.renew(refused: refused, now: now())
        else {
            return outcome(result, registeredAt: registeredAt)
        }
        let rest = max(.seconds(1), deadline - (ContinuousClock.now - start))
        let second = await perform(notification, route, renewed, deadline: rest)
        return outcome(second, registeredAt: registeredAt)
    }

    /// Makes new credentials of an app take effect now instead of at the next lookup.
    package func forgetCredentials(bundleID: String) {
        state.withLock { state in
            for key in state.routes.keys where key.bundleID == bundleID {
                state.routes[key] = nil
            }
        }
    }

    /// Waits up to `grace` for the pushes in flight, then closes all connections.
    package func shutDown(grace: Duration) async {
        let links = state.withLock { state in
            let links = Array(state.links.values)
            state = State()
            return links
        }
        await withTaskGroup { group in
            for link in links {
                group.addTask { await link.client.shutDown(grace: grace) }
            }
        }
    }

    /// The statistics of the connections, summed over all pools.
    package func statistics() async -> PushHTTPStatistics {
        var total = PushHTTPStatistics()
        for link in state.withLock({ Array($0.links.values) }) {
            total.add(await link.client.currentStatistics())
        }
        return total
    }

    // MARK: - Requests

    private func perform(
        _ notification: APNsNotification,
        _ route: APNsChannel,
        _ authorization: String?,
        deadline: Duration
    ) async -> PushHTTPResult {
        var headers: [(name: PushHeaderName, value: String)] = []
        headers.reserveCapacity(4)
        if let authorization { headers.append((.authorization, authorization)) }
        headers.append((Self.apnsID, notification.id))
        if let collapse = notification.collapseID { headers.append((Self.collapseID, collapse)) }
        if let expiration = notification.expiration {
            let seconds = max(0, expiration.timeIntervalSince1970.rounded(.down))
            headers.append((Self.expiration, String(Int(min(seconds, 1e15)))))
        }
        let request = PushHTTPRequest(
            path: "/3/device/\(notification.deviceToken)",
            sharedHeaders: route.sharedHeaders(notification),
            headers: headers,
            body: notification.payload
        )
        return await route.link.client.send(request, deadline: deadline)
    }

    private func outcome(_ result: PushHTTPResult, registeredAt: Date) -> PushOutcome {
        switch result {
        case .response(let response) where response.status == 200:
            return .accepted(providerID: PushHTTPResponse.name(response.header("apns-id")))
        case .response(let response):
            let answer = APNsErrorResponse(response)
            let outcome = APNsReason.outcome(
                status: response.status,
                reason: answer.reason,
                goneAt: answer.goneAt,
                registeredAt: registeredAt
            )
            // A delay that the service requests takes precedence over the general rule of Apple's
            // guide.
            guard case .retry(let reason, _) = outcome, let wait = response.retryAfter else {
                return outcome
            }
            return .retry(reason: reason, after: wait)
        case .notSent(let reason, let retryAfter):
            return .retry(reason: reason, after: retryAfter)
        case .unanswered(let reason):
            return .unknown(reason: reason)
        }
    }

    // MARK: - Routes

    private func route(
        _ bundleID: String,
        _ environment: APNsEnvironment
    ) async throws -> APNsChannel {
        let key = RouteKey(bundleID: bundleID, environment: environment)
        let known = state.withLock { $0.routes[key] }
        if let known, ContinuousClock.now - known.foundAt < configuration.credentialRefresh {
            return known.route
        }
        guard let credentials = try await lookup(bundleID, environment) else {
            throw CredentialError(
                .appleCredentialsMissing,
                ["app": .text(bundleID), "environment": "\(environment.rawValue)"]
            )
        }
        return try state.withLock { state in
            let route: APNsChannel
            if let known, known.route.credentials == credentials {
                route = known.route
            } else {
                if let problem = credentials.problem(
                    bundleID: bundleID,
                    environment: environment,
                    now: now()
                ) {
                    throw problem
                }
                let link = try link(credentials, environment, in: &state)
                route = APNsChannel(bundleID: bundleID, credentials: credentials, link: link)
            }
            state.routes[key] = KnownRoute(route: route, foundAt: ContinuousClock.now)
            closeUnused(in: &state)
            return route
        }
    }

    private func link(
        _ credentials: APNsCredentials,
        _ environment: APNsEnvironment,
        in state: inout State
    ) throws -> APNsConnectionPool {
        let key = LinkKey(environment: environment, credentials: credentials)
        if let link = state.links[key] { return link }
        guard let server = configuration.servers[environment] else {
            throw CredentialError(.serverMissing, ["environment": "\(environment.rawValue)"])
        }
        var tokens: APNsTokenSource?
        var identity: PushClientIdentity?
        switch credentials {
        case .token(let keyID, let teamID, let pem):
            // Both environments share the tokens: Apple limits them per team.
            let source =
                try state.tokenSources[credentials]
                ?? APNsTokenSource(keyID: keyID, teamID: teamID, privateKeyPEM: pem)
            state.tokenSources[credentials] = source
            tokens = source
        case .certificate(let p12, let password):
            identity = try PushClientIdentity(p12: p12, password: password)
        }
        let endpoint = PushHTTPEndpoint(
            host: server.host,
            port: server.port,
            security: .tls(trust: server.trust, identity: identity)
        )
        let client = try PushHTTPClient(
            endpoint: endpoint,
            limits: configuration.limits,
            eventLoop: eventLoops.next(),
            logger: logger
        )
        let link = APNsConnectionPool(client: client, tokens: tokens)
        state.links[key] = link
        return link
    }

    /// Closes the connections of credentials that no app uses anymore.
    private func closeUnused(in state: inout State) {
        let used = Set(state.routes.values.map { ObjectIdentifier($0.route.link.client) })
        for (key, link) in state.links where !used.contains(ObjectIdentifier(link.client)) {
            state.links[key] = nil
            link.client.retire()
        }
    }
}
