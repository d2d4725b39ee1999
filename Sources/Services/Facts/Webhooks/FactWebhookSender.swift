import Foundation
import JSON
import Liquid
import Logging
import Model
import NoroshiWire
import Ports
import Reasons
import ServiceLifecycle
import WorkLoops

/// Sends facts to the addresses that want them, in order, at least once.
///
/// How far an address has come is stored after it has answered; a server that is killed between the
/// two sends the same facts again, with the same numbers. Addresses are called as those of
/// `connected_content` are: never inside the server's own network, unless its settings allow it.
package struct FactWebhookSender: Service {
    /// Pauses between attempts, in seconds; the last one is that of all further ones.
    package static let pauses: [TimeInterval] = [5, 30, 120, 600, 1_800, 3_600]
    /// After so long without an answer an address is given up.
    package static let patience: TimeInterval = 86_400
    /// The most facts of a call.
    package static let batch = 200
    private static let look: Duration = .seconds(1)
    /// Calls in a row for one address before the others have their turn.
    private static let turn = 20

    private let store: any FactStore & FactWebhookStore
    private let facts: FactService
    private let vault: any FactSecretVault
    private let fetcher: any ContentFetcher
    private let now: @Sendable () -> Date
    private let logger: Logger

    package init(
        store: any FactStore & FactWebhookStore,
        facts: FactService,
        vault: any FactSecretVault,
        fetcher: any ContentFetcher,
        now: @escaping @Sendable () -> Date,
        logger: Logger
    ) {
        self.store = store
        self.facts = facts
        self.vault = vault
        self.fetcher = fetcher
        self.now = now
        self.logger = logger
    }

    package func run() async throws {
        await WorkLoop(
            pause: Self.look,
            logger: logger,
            failure: "facts cannot be sent to their addresses",
            key: "facts.error"
        ).runWithPauses { try await step() }
    }

    /// Sends what is due now; addresses do not wait for each other.
    package func step() async throws {
        let due = try await store.activeFactWebhooks().filter { $0.dueAt <= now() }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for webhook in due { group.addTask { try await serve(webhook) } }
            try await group.waitForAll()
        }
    }

    private func serve(_ webhook: FactWebhook) async throws {
        var webhook = webhook
        for _ in 0..<Self.turn {
            guard try await advance(&webhook), !Task.isCancelled else { return }
        }
    }

    /// - Returns: Whether facts arrived and others may follow.
    private func advance(_ webhook: inout FactWebhook) async throws -> Bool {
        let page: FactPage
        do {
            page = try await facts.page(
                in: webhook.workspace,
                after: webhook.position,
                kinds: webhook.kinds,
                limit: Self.batch
            )
        } catch let problem as UnknownFactPositionError {
            // The database was put back to an earlier moment by hand.
            webhook.position = problem.last
            try await store.recordFactDelivery(webhook)
            return false
        }
        guard let first = page.facts.first, let last = page.facts.last else {
            let isFar = page.position - webhook.position > 10_000
            guard isFar || !page.isLast else { return false }
            webhook.position = page.position
            try await store.recordFactDelivery(webhook)
            return !page.isLast
        }
        guard let box = try await store.factWebhookSecret(webhook.id) else { return false }
        let body = Self.body(page.facts, at: now())
        let id = "\(webhook.id.uuidString.lowercased())-\(first.number)-\(last.number)"
        var request = ConnectedContentRequest(url: webhook.address)
        request.method = "POST"
        request.contentType = "application/json"
        request.headers = FactSignature(secret: try vault.open(box, of: webhook.id))
            .headers(id: id, body: body, at: now())
        request.body = body
        let failure = try await call(request, for: webhook.workspace)
        let time = now()
        if let failure {
            fail(&webhook, failure, at: time)
        } else {
            webhook.position = page.isLast ? page.position : last.number
            webhook.failures = 0
            webhook.failingSince = nil
            webhook.problem = nil
            webhook.deliveredAt = time
            webhook.dueAt = time
        }
        try await store.recordFactDelivery(webhook)
        return failure == nil && !page.isLast
    }

    private struct Failure {
        var reason: Reason
        /// Whether the receiver wants nothing more.
        var isFinal = false
    }

    private func call(
        _ request: ConnectedContentRequest,
        for workspace: WorkspaceID
    ) async throws -> Failure? {
        do {
            let answer = try await fetcher.fetch(request, for: workspace)
            return answer.failure.map { Failure(reason: $0, isFinal: answer.status == 410) }
        } catch ContentFetchError.refused(let reason) {
            return Failure(
                reason: Reason(ContentCallReason.mayNotBeCalled, ["reason": .reason(reason)])
            )
        } catch ContentFetchError.unavailable(let reason) {
            return Failure(
                reason: Reason(ContentCallReason.unreachable, ["reason": .reason(reason)])
            )
        }
    }

    private func fail(_ webhook: inout FactWebhook, _ failure: Failure, at time: Date) {
        let since = webhook.failingSince ?? time
        webhook.failingSince = since
        webhook.problem = failure.reason
        let pause = Self.pauses[min(webhook.failures, Self.pauses.count - 1)]
        webhook.failures += 1
        webhook.dueAt = time.addingTimeInterval(pause)
        if failure.isFinal || time.timeIntervalSince(since) >= Self.patience {
            webhook.state = .dead
            logger.warning(
                "facts are no longer sent to an address that does not take them",
                metadata: ["webhook.id": "\(webhook.id)", "webhook.problem": "\(failure.reason)"]
            )
        }
    }

    private static func body(_ facts: [Fact], at time: Date) -> String {
        JSONWriter.text([
            "type": "facts", "timestamp": .string(Timestamp.format(time)),
            "data": .array(facts.map { .object($0.object) }),
        ])
    }
}
