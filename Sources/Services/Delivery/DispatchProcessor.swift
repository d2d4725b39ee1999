import Foundation
import Model
import Ports
import Scheduling

/// Decides how a dispatch is handled: what is sent, and the outcome of the response.
struct DispatchProcessor: Sendable {
    /// The next action on a claimed dispatch.
    enum Step: Sendable {
        case send(OutgoingPush, any PushTransport)
        case record(DispatchUpdate.Change)
    }

    let transports: [PushProvider: any PushTransport]
    let pushDeadline: Duration
    /// How long a push without an expiration waits for an unusable provider, in seconds.
    let patience: TimeInterval
    let now: @Sendable () -> Date
    let jitter: @Sendable () -> Double
    private let retryPolicy = RetryPolicy()

    init(
        transports: [PushProvider: any PushTransport],
        settings: DeliveryService.Settings,
        now: @escaping @Sendable () -> Date,
        jitter: @escaping @Sendable () -> Double
    ) {
        self.transports = transports
        pushDeadline = settings.pushDeadline
        patience = settings.outagePatience
        self.now = now
        self.jitter = jitter
    }

    /// The first step of a dispatch, rendered for its user. It does not wait, unless the message
    /// needs external data or is expensive to render.
    ///
    /// - Throws: `CancellationError`, and any error of the store.
    func step(for claimed: ClaimedDispatch, _ renderer: SendRenderer) async throws -> Step {
        guard claimed.device.profile == claimed.recipient else {
            // The message was meant for a user who has logged out of this device since.
            return .record(.skipped(reason: "AnotherUser"))
        }
        guard
            claimed.app.authentication.mode != .required
                || claimed.device.isProved(for: claimed.profile)
        else { return .record(.skipped(reason: "UnprovedDevice")) }
        guard renderer.recipients.allows(claimed.profile.pushSubscription) else {
            let reason = renderer.recipients == .optedIn ? "NotOptedIn" : "Unsubscribed"
            return .record(.skipped(reason: reason))
        }
        guard let registration = claimed.device.push,
            let address = PushDestination(registration, app: claimed.app)
        else { return .record(.skipped(reason: "NoPushToken")) }
        guard let transport = transports[registration.provider] else {
            return .record(
                .rejected(
                    reason: "ProviderNotConfigured: \(registration.provider.rawValue)",
                    retiresToken: false
                )
            )
        }
        let now = now()
        if let expiration = renderer.options.expiration, expiration <= now {
            return .record(.skipped(reason: "Expired"))
        }
        // Derived by a hash, so computed once.
        let dispatch = claimed.dispatch
        let rendered: SendRenderer.Outcome
        do {
            rendered = try await renderer.render(for: claimed, dispatch: dispatch, now: now)
        } catch ContentFetchError.unavailable(let reason) {
            let reason = "ConnectedContentUnavailable: \(reason)"
            let end = DispatchUpdate.Change.rejected(reason: reason)
            return .record(retry(reason, nil, renderer.options, claimed.attempts, end))
        }
        switch rendered {
        case .skip(let reason):
            return .record(.skipped(reason: reason))
        case .overdue(let reason):
            let end = DispatchUpdate.Change.skipped(reason: reason)
            return .record(retry(reason, nil, renderer.options, claimed.attempts, end))
        case .message(let message, let options):
            return .send(
                OutgoingPush(
                    dispatch: dispatch,
                    sendID: claimed.send,
                    address: address,
                    registeredAt: registration.registeredAt,
                    message: message,
                    options: options,
                    deadline: pushDeadline
                ),
                transport
            )
        }
    }

    /// What a response shows about the provider; `nil` if it shows nothing.
    static func signal(of outcome: PushOutcome) -> CircuitBreaker.Signal? {
        switch outcome {
        case .accepted:
            .accepted
        case .rejected(let rejection):
            switch rejection.consequence {
            case .fixCredentials:
                Self.isSetUp(rejection) ? .credentialsRejected(reason: rejection.reason) : nil
            case .retireToken, .keepToken, .fixMessage, .fixApp: .responded
            }
        case .retry(let reason, _):
            // Too many pushes to one device do not affect other devices.
            reason == "TooManyRequests" ? nil : .failed(reason: reason)
        case .unknown(let reason):
            .failed(reason: reason)
        }
    }

    /// Whether the app has credentials at all: missing ones are not waited for.
    private static func isSetUp(_ rejection: PushRejection) -> Bool {
        rejection.reason != "MissingCredentials"
    }

    /// The outcome to record for a response.
    ///
    /// Credentials that have never worked are a mistake and are reported at once; for credentials
    /// that worked before, or are being probed, the dispatch waits.
    func change(
        _ outcome: PushOutcome,
        for claimed: ClaimedDispatch,
        _ renderer: SendRenderer,
        _ lane: CircuitBreakers.Standing
    ) -> DispatchUpdate.Change {
        let suspendedUntil = lane.suspendedUntil
        let options = renderer.options
        let firstDue = renderer.startedAt
        let attempts = claimed.attempts
        switch outcome {
        case .accepted(let id):
            return .accepted(providerID: id)
        case .rejected(let rejection):
            if rejection.consequence == .fixCredentials, Self.isSetUp(rejection),
                lane.isProven || suspendedUntil != nil,
                let later = waiting(
                    rejection.reason,
                    options,
                    firstDue: firstDue,
                    until: suspendedUntil
                )
            {
                return later
            }
            return .rejected(
                reason: rejection.reason,
                retiresToken: rejection.consequence == .retireToken
            )
        case .retry(let reason, let after):
            if let suspendedUntil, reason != "TooManyRequests",
                let later = waiting(reason, options, firstDue: firstDue, until: suspendedUntil)
            {
                return later
            }
            return retry(reason, after, options, attempts, .rejected(reason: reason))
        case .unknown(let reason):
            if let suspendedUntil,
                let later = waiting(reason, options, firstDue: firstDue, until: suspendedUntil)
            {
                return later
            }
            // A retry is safe: it replaces a copy that is already on the device.
            return retry(reason, nil, options, attempts, .unknown(reason: reason))
        }
    }

    /// The outcome to record if the dispatch could not be processed.
    func change(failed reason: String, for claimed: ClaimedDispatch) -> DispatchUpdate.Change {
        retry(reason, nil, DeliveryOptions(), claimed.attempts, .rejected(reason: reason))
    }

    /// Postpones the dispatch, which does not count as an attempt; `nil` if it has waited too long.
    private func waiting(
        _ reason: String,
        _ options: DeliveryOptions,
        firstDue: Date,
        until: Date?
    ) -> DispatchUpdate.Change? {
        let now = now()
        let next = max(until ?? now, now).addingTimeInterval(1 + jitter() * 4)
        if let expiration = options.expiration, next >= expiration {
            return .skipped(reason: "Expired")
        }
        guard next < firstDue.addingTimeInterval(patience) else { return nil }
        return .postponed(reason: reason, at: next)
    }

    private func retry(
        _ reason: String,
        _ after: Duration?,
        _ options: DeliveryOptions,
        _ attempts: Int,
        _ end: DispatchUpdate.Change
    ) -> DispatchUpdate.Change {
        let next = retryPolicy.nextAttempt(
            afterAttempts: attempts + 1,
            requested: after,
            expiration: nil,
            now: now(),
            jitter: jitter()
        )
        guard let next else { return end }
        if let expiration = options.expiration, next >= expiration {
            return .skipped(reason: "Expired")
        }
        return .retry(reason: reason, at: next)
    }
}

extension DispatchUpdate.Change {
    fileprivate static func rejected(reason: String) -> DispatchUpdate.Change {
        .rejected(reason: reason, retiresToken: false)
    }
}

extension PushDestination {
    /// The destination of a registration's pushes; `nil` if a part of it is missing.
    init?(_ registration: PushRegistration, app: App) {
        switch registration.provider {
        case .apns:
            guard let environment = registration.environment else { return nil }
            self = .apns(
                token: registration.token,
                topic: app.bundleID,
                environment: environment
            )
        case .fcm:
            self = .fcm(token: registration.token, app: app.id)
        case .webPush:
            guard let key = registration.publicKey, let secret = registration.authenticationSecret
            else { return nil }
            self = .webPush(
                app: app.id,
                endpoint: registration.token,
                publicKey: key,
                authenticationSecret: secret
            )
        }
    }
}
