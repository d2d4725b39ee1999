import Foundation
import Logging
import Model
import NIOCore
import Ports
import PushHTTP
import Synchronization

/// Sends pushes to Android devices through Firebase Cloud Messaging (HTTP v1).
package final class FCMTransport: PushTransport {
    private struct KnownAccount {
        var credentials: FCMCredentials
        var tokens: FCMAccessTokens
        var foundAt: ContinuousClock.Instant
    }

    private static let credentialRefresh: Duration = .seconds(30)
    private static let jsonHeaders = SharedHeaders([("content-type", "application/json")])

    private let configuration: FCMConfiguration
    private let client: PushHTTPClient
    private let ramp: FCMRamp
    private let lookup: FCMCredentialLookup
    private let eventLoops: any EventLoopGroup
    private let logger: Logger
    private let now: @Sendable () -> Date
    private let accounts = Mutex<[String: KnownAccount]>([:])

    package init(
        configuration: FCMConfiguration = FCMConfiguration(),
        credentials: @escaping FCMCredentialLookup,
        eventLoops: any EventLoopGroup,
        logger: Logger,
        now: @escaping @Sendable () -> Date = { Date() }
    ) throws {
        self.configuration = configuration
        lookup = credentials
        self.eventLoops = eventLoops
        self.logger = logger
        self.now = now
        ramp = FCMRamp(fullRate: configuration.fullRate, rampTime: configuration.rampTime)
        client = try PushHTTPClient(
            endpoint: configuration.server,
            limits: configuration.limits,
            eventLoop: eventLoops.next(),
            logger: logger
        )
    }

    package func send(_ push: OutgoingPush) async -> PushOutcome {
        guard case .fcm(let token, let project) = push.address else {
            return rejected("BadAddress", .fixApp, "This device is not reached through Firebase.")
        }
        let size = FCMMessage.payloadSize(push, configuration: configuration)
        guard size <= FCMMessage.longestPayload else {
            return rejected(
                "PayloadTooLarge",
                .fixMessage,
                "The payload has \(size) bytes; FCM takes \(FCMMessage.longestPayload)."
            )
        }
        let end = ContinuousClock.now + push.deadline
        do {
            let tokens = try await accessTokens(project)
            try await waitForRamp(until: end)
            let first = try await tokens.current()
            let result = await perform(push, token, project, first, until: end)
            guard case .response(let response) = result, response.status == 401,
                FCMAnswer.errorCode(response) == nil
            else { return outcome(result) }
            // The access token ended early: one new one, one more try.
            await tokens.forget(first)
            let second = try await tokens.current()
            return outcome(await perform(push, token, project, second, until: end))
        } catch let error as FCMCredentialError {
            return rejected("BadServiceAccount", .fixCredentials, error.description)
        } catch FCMAccessTokens.Failure.refused(let error) {
            return rejected("BadServiceAccount", .fixCredentials, error.description)
        } catch FCMAccessTokens.Failure.unreachable(let reason, let retryAfter) {
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

    // MARK: - Requests

    private func perform(
        _ push: OutgoingPush,
        _ token: String,
        _ project: String,
        _ accessToken: String,
        until end: ContinuousClock.Instant
    ) async -> PushHTTPResult {
        let request = PushHTTPRequest(
            path: "/v1/projects/\(project)/messages:send",
            sharedHeaders: Self.jsonHeaders,
            headers: [(.authorization, "Bearer \(accessToken)")],
            body: FCMMessage.encode(push, token: token, configuration: configuration, now: now())
        )
        let rest = max(.milliseconds(100), end - ContinuousClock.now)
        return await client.send(request, deadline: rest)
    }

    private func waitForRamp(until end: ContinuousClock.Instant) async throws {
        let start = ramp.reserve(now: ContinuousClock.now)
        guard start < end else {
            throw FCMAccessTokens.Failure.unreachable(
                reason: "the ramp to full speed leaves no place before the deadline",
                retryAfter: .seconds(10)
            )
        }
        if start > ContinuousClock.now { try await Task.sleep(until: start) }
    }

    private func outcome(_ result: PushHTTPResult) -> PushOutcome {
        switch result {
        case .response(let response): FCMAnswer.outcome(response)
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

    private func accessTokens(_ project: String) async throws -> FCMAccessTokens {
        let known = accounts.withLock { $0[project] }
        if let known, ContinuousClock.now - known.foundAt < Self.credentialRefresh {
            return known.tokens
        }
        guard let credentials = try await lookup(project) else {
            throw FCMCredentialError.missing("service account for the project \(project)")
        }
        guard credentials.projectID == project else {
            throw FCMCredentialError.refused(
                "it belongs to the project \(credentials.projectID), not to \(project)"
            )
        }
        return try accounts.withLock { accounts in
            if let known = accounts[project], known.credentials == credentials {
                accounts[project]?.foundAt = ContinuousClock.now
                return known.tokens
            }
            let tokens = try FCMAccessTokens(
                credentials: credentials,
                server: configuration.tokenServer,
                limits: configuration.limits,
                eventLoop: eventLoops.next(),
                logger: logger,
                now: now
            )
            accounts[project] = KnownAccount(
                credentials: credentials,
                tokens: tokens,
                foundAt: ContinuousClock.now
            )
            return tokens
        }
    }
}
