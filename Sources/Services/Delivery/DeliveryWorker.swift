import Foundation
import Model
import Ports
import Scheduling

/// Takes a chunk of the ledger, sends it and records all outcomes in one transaction.
struct DeliveryWorker: Sendable {
    private let store: any DeliveryStore
    private let transports: [PushProvider: any PushTransport]
    private let settings: DeliveryService.Settings
    private let retryPolicy = RetryPolicy()
    private let renderers: RendererCache
    private let now: @Sendable () -> Date
    private let jitter: @Sendable () -> Double

    init(
        store: any DeliveryStore,
        transports: [PushProvider: any PushTransport],
        fetcher: any ContentFetcher,
        settings: DeliveryService.Settings,
        now: @escaping @Sendable () -> Date,
        jitter: @escaping @Sendable () -> Double
    ) {
        self.store = store
        self.transports = transports
        self.settings = settings
        self.now = now
        self.jitter = jitter
        renderers = RendererCache(
            store: store,
            content: RendererCache.Content(store: store, fetcher: fetcher)
        )
    }

    /// Sends what is due, at most one chunk, and returns the sends it belongs to.
    func deliverChunk() async throws -> Set<SendID> {
        let start = now()
        let claimed = try await store.claimDispatches(
            limit: settings.chunk,
            owner: settings.owner,
            leaseEnd: start.addingTimeInterval(settings.lease),
            now: start
        )
        guard !claimed.isEmpty else { return [] }
        let results = await withTaskGroup(of: DispatchResult?.self) { group in
            for dispatch in claimed {
                group.addTask { await deliver(dispatch) }
            }
            var results: [DispatchResult] = []
            for await case let result? in group { results.append(result) }
            return results
        }
        try await store.record(results, now: now())
        return Set(claimed.map(\.send))
    }

    /// The outcome, or `nil` when the worker was stopped before there was one: then the row stays
    /// claimed and is sent again, under the same id, by the next start.
    private func deliver(_ claimed: ClaimedDispatch) async -> DispatchResult? {
        do {
            let renderer = try await renderers.renderer(of: claimed.send)
            do {
                switch try await renderer.render(for: claimed, now: now()) {
                case .skip(let reason):
                    return result(claimed, .skipped(reason: reason))
                case .message(let message, let options):
                    return await send(message, options, claimed)
                }
            } catch ContentFetchFailure.unavailable(let reason) {
                let reason = "ConnectedContentUnavailable: \(reason)"
                let expiration = renderer.content.options.expiration
                return result(claimed, retry(reason, nil, expiration, claimed))
            }
        } catch is CancellationError {
            return nil
        } catch {
            return result(claimed, retry("StoreError: \(error)", nil, nil, claimed))
        }
    }

    private func send(
        _ message: PushMessage,
        _ options: DeliveryOptions,
        _ claimed: ClaimedDispatch
    ) async -> DispatchResult? {
        guard let registration = claimed.device.push,
            let address = PushAddress(registration, app: claimed.app)
        else { return result(claimed, .skipped(reason: "NoPushToken")) }
        guard let transport = transports[registration.provider] else {
            return result(
                claimed,
                .rejected(
                    reason: "ProviderNotConfigured: \(registration.provider.rawValue)",
                    retiresToken: false
                )
            )
        }
        if let expiration = options.expiration, expiration <= now() {
            return result(claimed, .skipped(reason: "Expired"))
        }
        let outcome = await transport.send(
            OutgoingPush(
                dispatch: claimed.dispatch,
                sendID: claimed.send,
                address: address,
                registeredAt: registration.registeredAt,
                message: message,
                options: options,
                deadline: settings.pushDeadline
            )
        )
        if case .unknown = outcome, Task.isCancelled { return nil }
        return result(claimed, change(outcome, options, claimed))
    }

    private func change(
        _ outcome: PushOutcome,
        _ options: DeliveryOptions,
        _ claimed: ClaimedDispatch
    ) -> DispatchResult.Change {
        switch outcome {
        case .accepted(let id):
            .accepted(providerID: id)
        case .rejected(let rejection):
            .rejected(
                reason: rejection.reason,
                retiresToken: rejection.consequence == .retireToken
            )
        case .retry(let reason, let after):
            retry(reason, after, options.expiration, claimed)
        case .unknown(let reason):
            // A repetition is safe: it replaces on the device what may already be there.
            retry(reason, nil, options.expiration, claimed, isUnknown: true)
        }
    }

    private func retry(
        _ reason: String,
        _ after: Duration?,
        _ expiration: Date?,
        _ claimed: ClaimedDispatch,
        isUnknown: Bool = false
    ) -> DispatchResult.Change {
        let next = retryPolicy.nextAttempt(
            afterAttempts: claimed.attempts + 1,
            requested: after,
            expiration: expiration,
            now: now(),
            jitter: jitter()
        )
        if let next { return .retry(reason: reason, at: next) }
        return isUnknown
            ? .unknown(reason: reason) : .rejected(reason: reason, retiresToken: false)
    }

    private func result(
        _ claimed: ClaimedDispatch,
        _ change: DispatchResult.Change
    ) -> DispatchResult {
        DispatchResult(send: claimed.send, device: claimed.device.id, change: change)
    }
}

extension PushAddress {
    /// Where a registration's pushes go; `nil` when a part of the address is missing.
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
