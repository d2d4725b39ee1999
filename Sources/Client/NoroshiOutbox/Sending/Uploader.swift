import Foundation
import NoroshiWire

/// Sends what waits in the outbox, batch after batch, and deletes what the server has answered for.
package actor Uploader {
    /// About how many bytes of records go into one request.
    private static let batchBytes = 400_000
    /// Seconds that one request may keep others from sending: a little more than it may last.
    private static let leaseSeconds: TimeInterval = 40
    /// Refusals of signed tokens in a row after which nothing is sent until the next start.
    private static let signatureFailureMaximum = 50

    /// What the rest of the SDK hears of sending.
    package enum Event: Sendable {
        /// The server has stored `count` records.
        case acknowledged(count: Int)
        /// The server will never store these.
        case rejected([SDKRejection])
        /// The server refuses the signed token of the user `externalID`.
        case signatureRefused(
            SDKAuthenticationFailure,
            externalID: String?,
            signature: String?
        )
    }

    private let configuration: NoroshiConfiguration
    private let dependencies: NoroshiDependencies
    private let store: InstallationStore
    private let report: @Sendable (Event) -> Void

    /// Whether a request is planned already, so that not every record needs to plan one.
    nonisolated let isPlanned = Locked(false)

    private var batchLimit = SDKBatch.recordLimit
    private var attempt = 0
    private var notBefore: Date?
    private var signatureFailures = 0
    private var awaitsSignature = false
    private var stopReason: String?
    private var timer: (task: Task<Void, Never>, due: Date)?
    private let holder: UUID
    /// The sending that is under way; beside the actor, so that it can be given up at once.
    private nonisolated let running = Locked<Task<Void, Never>?>(nil)

    package init(
        configuration: NoroshiConfiguration,
        dependencies: NoroshiDependencies,
        store: InstallationStore,
        report: @escaping @Sendable (Event) -> Void
    ) {
        self.configuration = configuration
        self.dependencies = dependencies
        self.store = store
        self.report = report
        holder = dependencies.makeID()
    }

    deinit {
        timer?.task.cancel()
    }

    /// Sends within `delay` seconds, unless a request is due earlier.
    package func schedule(after delay: TimeInterval) {
        let now = dependencies.now()
        var due = now.addingTimeInterval(delay)
        if let notBefore, notBefore > due { due = notBefore }
        if let timer {
            guard due < timer.due else { return }
            timer.task.cancel()
        }
        let wait = max(0, due.timeIntervalSince(now))
        let sleep = dependencies.sleep
        timer = (
            Task { [weak self] in
                do {
                    try await sleep(wait)
                } catch {
                    return  // Cancelled: an earlier time was set.
                }
                await self?.timerFired()
            }, due
        )
    }

    private func timerFired() async {
        timer = nil
        await flush()
    }

    /// Sends all that waits; returns when it is sent or when sending has to pause.
    package func flush() async {
        while let task = running.withLock({ $0 }) { await task.value }
        let task = Task {
            await sendAll()
            // Before the end of the task, or those who wait for it would find it again at once.
            running.withLock { $0 = nil }
        }
        running.withLock { $0 = task }
        await task.value
    }

    /// Gives up the request that is under way, so that a process that is about to be suspended
    /// holds nothing that others wait for. What was not answered for is kept.
    package nonisolated func cancel() {
        running.withLock { $0 }?.cancel()
    }

    /// Tries again after the app has given a new signed token.
    package func signatureChanged() async {
        awaitsSignature = false
        notBefore = nil
        await flush()
    }

    private func sendAll() async {
        isPlanned.withLock { $0 = false }
        guard stopReason == nil, !awaitsSignature else { return }
        if let notBefore, notBefore > dependencies.now() {
            schedule(after: notBefore.timeIntervalSince(dependencies.now()))
            return
        }
        do {
            while !Task.isCancelled {
                guard try claimSending() else { return }
                guard try await sendBatch() else { break }
            }
            try store.releaseSending(by: holder)
        } catch {
            configuration.logger.log(.error, "the outbox could not be read: \(error)")
        }
    }

    /// Takes or renews the right to send; if somebody else has it, plans to ask again.
    private func claimSending() throws -> Bool {
        let now = dependencies.now()
        let isOurs = try store.claimSending(
            by: holder,
            until: now.addingTimeInterval(Self.leaseSeconds),
            now: now
        )
        if !isOurs, configuration.api.requestPolicy == .automatic { schedule(after: 2) }
        return isOurs
    }

    /// Sends one batch; `false` when there is nothing more to do now.
    private func sendBatch() async throws -> Bool {
        let (waiting, unreadable, state) = try store.oldestRecords(
            count: batchLimit,
            bytes: Self.batchBytes
        )
        guard state.isEnabled else { return false }
        if !unreadable.isEmpty {
            configuration.logger.log(.error, "\(unreadable.count) unreadable records are dropped")
            try store.delete(Set(unreadable))
        }
        guard let first = waiting.first else { return !unreadable.isEmpty }
        let records =
            configuration.api.sdkAuthentication
            ? Array(waiting.prefix { $0.user == first.user }) : waiting
        let signature = signature(for: first.user, state)
        let batch = SDKBatch(
            device: dependencies.device.described(id: state.deviceID),
            records: records,
            signature: signature
        )
        let outcome: RetryPolicy.Outcome
        var receipt = SDKBatchReceipt(acknowledged: [])
        do {
            let response = try await dependencies.transport.send(try request(for: batch))
            let answered = RetryPolicy.outcome(of: response, now: dependencies.now())
            if answered == .accepted {
                receipt = try JSONDecoder().decode(SDKBatchReceipt.self, from: response.body)
            }
            outcome = answered
        } catch {
            configuration.logger.log(.info, "sending has to wait: \(error)")
            // The process is about to be suspended: whoever wakes it plans the next request.
            if Task.isCancelled { return false }
            outcome = .unavailable(retryAfter: nil)
        }
        if outcome == .accepted, try !settle(receipt, sent: records) {
            return pause(for: .unavailable(retryAfter: nil))
        }
        return try decide(outcome, records: records, signature: signature)
    }

    private func decide(
        _ outcome: RetryPolicy.Outcome,
        records: [SDKRecord],
        signature: String?
    ) throws -> Bool {
        switch RetryPolicy.decision(
            attempt: attempt + 1,
            outcome: outcome,
            random: dependencies.random()
        ) {
        case .proceed:
            attempt = 0
            signatureFailures = 0
            notBefore = nil
            batchLimit = min(SDKBatch.recordLimit, batchLimit * 2)
            return true
        case .retry:
            return pause(for: outcome)
        case .split(let reason):
            if records.count == 1 {
                configuration.logger.log(.error, "the server refuses a record: \(reason)")
                try store.delete(Set(records.map(\.id)))
                report(
                    .rejected(records.map { SDKRejection(id: $0.id, field: "", message: reason) })
                )
            } else {
                batchLimit = records.count / 2
            }
            return true
        case .stop(let reason):
            configuration.logger.log(.error, "nothing is sent until the next start: \(reason)")
            stopReason = reason
            return false
        case .awaitSignature(let failure):
            awaitsSignature = true
            signatureFailures += 1
            if signatureFailures >= Self.signatureFailureMaximum {
                stopReason = "signed tokens were refused \(signatureFailures) times in a row"
            }
            configuration.logger.log(.error, "the signed token is refused: \(failure.reason)")
            var externalID: String?
            if case .external(let id) = records.first?.user { externalID = id }
            report(.signatureRefused(failure, externalID: externalID, signature: signature))
            return false
        }
    }

    /// Plans the next attempt.
    private func pause(for outcome: RetryPolicy.Outcome) -> Bool {
        attempt += 1
        let decision = RetryPolicy.decision(
            attempt: attempt,
            outcome: outcome,
            random: dependencies.random()
        )
        guard case .retry(let delay) = decision else { return false }
        switch outcome {
        case .unavailable(let retryAfter), .throttled(let retryAfter):
            // A pause of our own choice may be cut short by the app; one of the server's may not.
            notBefore = retryAfter == nil ? nil : dependencies.now().addingTimeInterval(delay)
        default:
            break
        }
        if configuration.api.requestPolicy == .automatic { schedule(after: delay) }
        return false
    }

    /// Deletes what the receipt answers for; `false` if it answers for nothing that was sent.
    private func settle(_ receipt: SDKBatchReceipt, sent: [SDKRecord]) throws -> Bool {
        let answered = Set(receipt.acknowledged).union(receipt.rejected.map(\.id))
        let settled = answered.intersection(sent.map(\.id))
        try store.delete(settled)
        if !receipt.acknowledged.isEmpty {
            report(.acknowledged(count: receipt.acknowledged.count))
        }
        if !receipt.rejected.isEmpty {
            for rejection in receipt.rejected {
                configuration.logger.log(
                    .error,
                    "the server refuses a record: \(rejection.field): \(rejection.message)"
                )
            }
            report(.rejected(receipt.rejected))
        }
        return !settled.isEmpty
    }

    private func signature(for user: SDKUser, _ state: InstallationState) -> String? {
        guard configuration.api.sdkAuthentication, case .external(let id) = user else { return nil }
        return state.signatures[id]
    }

    private func request(for batch: SDKBatch) throws -> NoroshiRequest {
        guard let base = configuration.api.url else {
            throw NoroshiError(
                code: .configuration,
                field: "endpoint",
                message: "\(configuration.api.endpoint) is not the address of a server"
            )
        }
        return NoroshiRequest(
            url: base.appendingPathComponent("sdk/v1/batch"),
            headers: [
                "Authorization": "Bearer \(configuration.api.key)",
                "Content-Type": "application/json",
            ],
            body: try JSONEncoder().encode(batch)
        )
    }
}

extension NoroshiDevice {
    /// The description that goes along with every batch.
    func described(id: UUID) -> SDKDevice {
        SDKDevice(
            id: id,
            platform: platform,
            model: model,
            osVersion: osVersion,
            appVersion: appVersion,
            sdkVersion: NoroshiVersion.current,
            locale: locale,
            timeZone: timeZone
        )
    }
}
