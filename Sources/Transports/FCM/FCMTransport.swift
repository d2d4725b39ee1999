import Foundation
import Logging
import Model
import NIOCore
import Ports
import PushHTTP
import Reasons
import Synchronization

/// Sends pushes to Android devices through Firebase Cloud Messaging (HTTP v1).
package final class FCMTransport: PushTransport {
    private struct KnownAccount {
        var credentials: FCMCredentials
        var tokens: FCMAccessTokens
        /// When the credentials were looked up; `nil` if they must be looked up again.
        var foundAt: ContinuousClock.Instant?
    }

    private static let credentialRefresh: Duration = .seconds(30)
    private static let jsonHeaders = SharedHeaders([("content-type", "application/json")])

    private let configuration: FCMConfiguration
    private let client: PushHTTPClient
    private let ramp: RampUpRateLimiter
    private let lookup: FCMCredentialLookup
    private let eventLoops: any EventLoopGroup
    private let logger: Logger
    private let now: @Sendable () -> Date
    private let accounts = Mutex<[AppID: KnownAccount]>([:])

    /// - Parameter servers: Number of servers that share the rate of the configuration.
    package init(
        configuration: FCMConfiguration = FCMConfiguration(),
        credentials: @escaping FCMCredentialLookup,
        eventLoops: any EventLoopGroup,
        logger: Logger,
        servers: @escaping @Sendable () -> Int = { 1 },
        now: @escaping @Sendable () -> Date = { Date() }
    ) throws {
        self.configuration = configuration
        lookup = credentials
        self.eventLoops = eventLoops
        self.logger = logger
        self.now = now
        ramp = RampUpRateLimiter(
            fullRate: configuration.fullRate,
            rampTime: configuration.rampTime,
            servers: servers
        )
        client = try PushHTTPClient(
            endpoint: configuration.server,
            limits: configuration.limits,
            eventLoop: eventLoops.next(),
            logger: logger
        )
    }

    package func send(_ push: OutgoingPush) async -> PushOutcome {
        guard case .fcm(let token, let app) = push.address else {
            return rejected("BadAddress", .fixApp, "This device is not reached through Firebase.")
        }
        let size = FCMMessage.payloadSize(push, configuration: configuration)
        guard size <= FCMMessage.maxPayloadLength else {
            return rejected(
                "PayloadTooLarge",
                .fixMessage,
                "The payload has \(size) bytes; FCM takes \(FCMMessage.maxPayloadLength)."
            )
        }
        return await send(app: app, deadline: push.deadline) { [configuration, now] in
            FCMMessage.encode(push, token: token, configuration: configuration, now: now())
        }
    }

    /// Sends the result of `body`, which is called once the rate limiter admits the message.
    func send(
        app: AppID,
        deadline: Duration,
        body: @Sendable () -> [UInt8]
    ) async -> PushOutcome {
        let end = ContinuousClock.now + deadline
        do {
            let (tokens, project) = try await account(of: app)
            try await waitForRamp(until: end)
            let first = try await tokens.current()
            let result = await perform(body(), project, first, until: end)
            guard case .response(let response) = result, response.status == 401,
                FCMResponse.errorCode(response) == nil
            else { return outcome(result) }
            // The access token expired early: get a new one and retry once.
            await tokens.forget(first)
            let second = try await tokens.current()
            return outcome(await perform(body(), project, second, until: end))
        } catch let error as CredentialError {
            let isMissing = error.code == .accountMissing
            return rejected(
                isMissing ? "MissingCredentials" : "BadServiceAccount",
                .fixCredentials,
                error.description
            )
        } catch FCMAccessTokenError.refused(let error) {
            return rejected("BadServiceAccount", .fixCredentials, error.description)
        } catch FCMAccessTokenError.unreachable(let reason, let retryAfter) {
            return .retry(reason: reason, after: retryAfter ?? .seconds(10))
        } catch {
            return .retry(reason: "\(error)", after: .seconds(10))
        }
    }

    package func shutDown(grace: Duration) async {
        let tokens = accounts.withLock { accounts in
            let tokens = accounts.values.map(\.tokens)
            accounts = [:]
            return tokens
        }
        await withTaskGroup { group in
            group.addTask { await self.client.shutDown(grace: grace) }
            for source in tokens { group.addTask { await source.shutDown(grace: grace) } }
        }
    }

    package func statistics() async -> PushHTTPStatistics {
        await client.currentStatistics()
    }

    // MARK: - Requests

    private func perform(
        _ body: [UInt8],
        _ project: String,
        _ accessToken: String,
        until end: ContinuousClock.Instant
    ) async -> PushHTTPResult {
        let request = PushHTTPRequest(
            path: "/v1/projects/\(project)/messages:send",
            sharedHeaders: Self.jsonHeaders,
            headers: [(.authorization, "Bearer \(accessToken)")],
            body: body
        )
        let rest = max(.milliseconds(100), end - ContinuousClock.now)
        return await client.send(request, deadline: rest)
    }

    private func waitForRamp(until end: ContinuousClock.Instant) async throws {
        let start = ramp.reserve(now: ContinuousClock.now)
        guard start < end else {
            throw FCMAccessTokenError.unreachable(
                reason: "the ramp to full speed leaves no place before the deadline",
                retryAfter: .seconds(10)
            )
        }
        if start > ContinuousClock.now { try await Task.sleep(until: start) }
    }

    private func outcome(_ result: PushHTTPResult) -> PushOutcome {
        switch result {
        case .response(let response): FCMResponse.outcome(response)
        case .notSent(let reason, let retryAfter): .retry(reason: reason, after: retryAfter)
        case .unanswered(let reason): .unknown(reason: reason)
        }
    }

    private func rejected(
        _ reason: String,
        _ consequence: PushRejection.Consequence,
        _ advice: String
    ) -> PushOutcome {
        .rejected(PushRejection(reason: reason, consequence: consequence, advice: advice))
    }

    // MARK: - Accounts

    /// Makes a new service account of an app take effect now instead of at the next lookup. The
    /// access token of an unchanged account is kept.
    package func forgetCredentials(app: AppID) {
        accounts.withLock { $0[app]?.foundAt = nil }
    }

    private func account(of app: AppID) async throws -> (tokens: FCMAccessTokens, project: String) {
        let known = accounts.withLock { $0[app] }
        if let known, let foundAt = known.foundAt,
            ContinuousClock.now - foundAt < Self.credentialRefresh
        {
            return (known.tokens, known.credentials.projectID)
        }
        guard let credentials = try await lookup(app) else {
            accounts.withLock { $0.removeValue(forKey: app) }?.tokens.retire()
            throw CredentialError(.accountMissing)
        }
        return try accounts.withLock { accounts in
            if let known = accounts[app], known.credentials == credentials {
                accounts[app]?.foundAt = ContinuousClock.now
                return (known.tokens, credentials.projectID)
            }
            let tokens = try FCMAccessTokens(
                credentials: credentials,
                server: configuration.tokenServer,
                limits: configuration.limits,
                eventLoop: eventLoops.next(),
                logger: logger,
                now: now
            )
            let former = accounts.updateValue(
                KnownAccount(
                    credentials: credentials,
                    tokens: tokens,
                    foundAt: ContinuousClock.now
                ),
                forKey: app
            )
            former?.tokens.retire()
            return (tokens, credentials.projectID)
        }
    }
}
