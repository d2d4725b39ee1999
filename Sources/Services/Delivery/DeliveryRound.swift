import Campaigns
import Foundation
import Model
import Ports

/// Delivers what is due one message after the other, for a caller who moves the clock: the same steps as
/// `DeliveryService`, without its waiting.
package struct DeliveryRound: Sendable {
    /// What became of one message to one device.
    package struct Delivery: Sendable {
        package let dispatch: ClaimedDispatch
        /// The rendered message; `nil` if nothing was sent.
        package let push: OutgoingPush?
        package let change: DispatchUpdate.Change
    }

    private static let owner = "round"

    private let store: any DeliveryStore
    private let processor: DispatchProcessor
    private let renderers: RendererCache
    private let settings: DeliveryService.Settings
    private let now: @Sendable () -> Date

    package init(
        store: any DeliveryStore,
        transports: [PushProvider: any PushTransport],
        fetcher: any ContentFetcher,
        renderer: MessageRenderer,
        settings: DeliveryService.Settings = DeliveryService.Settings(),
        now: @escaping @Sendable () -> Date,
        random: @escaping @Sendable () -> Double
    ) {
        self.store = store
        self.settings = settings
        self.now = now
        processor = DispatchProcessor(
            transports: transports,
            settings: settings,
            now: now,
            jitter: random
        )
        renderers = RendererCache(
            store: store,
            content: RendererCache.Content(
                store: store,
                catalogs: CatalogReader(store: store, now: now, random: random),
                fetcher: fetcher,
                renderer: renderer
            )
        )
    }

    /// Delivers some of what is due now and records it in one transaction.
    ///
    /// - Returns: What was delivered, and when a limit of pushes per minute lets others through.
    package func deliver() async throws -> (done: [Delivery], nextPollAt: Date?) {
        let start = now()
        let claim = try await store.claimDispatches(
            ClaimRequest(
                limit: settings.chunk,
                owner: Self.owner,
                leaseEnd: start.addingTimeInterval(settings.lease),
                now: start
            )
        )
        guard !claim.rows.isEmpty else { return ([], claim.nextPollAt) }
        var done: [Delivery] = []
        done.reserveCapacity(claim.rows.count)
        var last: (send: SendID, renderer: SendRenderer)?
        for row in claim.rows {
            // Rows of one send follow each other.
            let renderer: SendRenderer
            if let last, last.send == row.send {
                renderer = last.renderer
            } else {
                renderer = try await renderers.renderer(of: row.send)
                last = (row.send, renderer)
            }
            done.append(try await deliver(row, renderer))
        }
        try await store.record(
            done.map {
                DispatchUpdate(
                    send: $0.dispatch.send,
                    device: $0.dispatch.device.id,
                    change: $0.change
                )
            },
            now: start
        )
        _ = try await store.markFinishedSends(now: start)
        return (done, claim.nextPollAt)
    }

    private func deliver(
        _ row: ClaimedDispatch,
        _ renderer: SendRenderer
    ) async throws -> Delivery {
        switch try await processor.step(for: row, renderer) {
        case .record(let change):
            return Delivery(dispatch: row, push: nil, change: change)
        case .send(let push, let transport):
            let outcome = await transport.send(push)
            let change = processor.change(outcome, for: row, renderer, CircuitBreakers.Standing())
            return Delivery(dispatch: row, push: push, change: change)
        }
    }
}
