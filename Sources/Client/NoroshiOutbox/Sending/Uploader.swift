import Foundation
import NoroshiWire

/// Sends the records in the outbox batch by batch, and deletes those that the server has
/// acknowledged.
package actor Uploader {
    /// Approximate maximum size of the records in one request, in bytes.
    private static let batchBytes = 400_000
    /// How long one request may keep other processes from sending, in seconds: slightly longer than
    /// its timeout.
    private static let leaseSeconds: TimeInterval = 40
    /// Number of consecutive rejections of signed tokens after which nothing is sent until the next
    /// start.
    private static let signatureFailureMaximum = 50

    /// An event reported to the rest of the SDK.
    package enum Event: Sendable {
        /// The server has stored `count` records.
        case acknowledged(count: Int)
        /// The server has rejected these records permanently.
        case rejected([SDKRejection])
        /// The server has rejected the signed token of the user `externalID`.
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

    /// Whether a request is already scheduled, so that not every record schedules one.
    nonisolated let isPlanned = Locked(false)

    private var batchLimit = SDKBatch.recordLimit
    private var attempt = 0
    private var notBefore: Date?
    private var signatureFailures = 0
    private var awaitsSignature = false
    private var stopReason: String?
    private var timer: (task: Task<Void, Never>, due: Date)?
    private let holder: UUID
    /// The task that is sending; outside of the actor, so that it can be cancelled immediately.
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

    /// Sends within `delay` seconds, or earlier if a request is due.
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

    /// Sends all waiting records; returns when they are sent or sending must pause. Another process
    /// that is sending is waited for, for at most `patience` seconds.
    package func flush(waitingForOthers patience: TimeInterval = 0) async {
        while let task = running.withLock({ $0 }) { await task.value }
        let task = Task {
            await sendAll(patience)
            // Cleared before the task ends, or waiting callers would find the finished task.
            running.withLock { $0 = nil }
        }
        running.withLock { $0 = task }
        await task.value
    }

    /// Cancels the current request, so that a process about to be suspended holds no resource that
    /// others wait for. Unacknowledged records are kept.
    package nonisolated func cancel() {
        running.withLock { $0 }?.cancel()
    }

    /// Retries after the app has set a new signed token.
    package func signatureChanged() async {
        awaitsSignature = false
        notBefore = nil
        await flush()
    }

    private func sendAll(_ patience: TimeInterval) async {
        isPlanned.withLock { $0 = false }
        guard stopReason == nil, !awaitsSignature else { return }
        if let notBefore, notBefore > dependencies.now() {
            schedule(after: notBefore.timeIntervalSince(dependencies.now()))
            return
        }
        do {
            guard try await acquireUploadLock(within: patience) else { return }
            while !Task.isCancelled {
                guard try await sendBatch() else { break }
                guard try acquireUploadLock() else { return }
            }
            try store.releaseSending(by: holder)
        } catch {
            configuration.logger.log(.error, "the outbox could not be read: \(error)")
        }
    }

    /// Tries to acquire the lease for sending until `patience` seconds have passed.
    private func acquireUploadLock(within patience: TimeInterval) async throws -> Bool {
        let pause: TimeInterval = 0.05
        for _ in 0..<Int(patience / pause) where !Task.isCancelled {
            if try acquireUploadLock() { return true }
            try? await dependencies.sleep(pause)
        }
        return try !Task.isCancelled && acquireUploadLock()
    }

    /// Acquires or renews the lease for sending; if another process has it, schedules another
    /// attempt.
    private func acquireUploadLock() throws -> Bool {
        let now = dependencies.now()
        let isOurs = try store.acquireUploadLock(
            by: holder,
            until: now.addingTimeInterval(Self.leaseSeconds),
            now: now
        )
        if !isOurs, configuration.api.requestPolicy == .automatic { schedule(after: 2) }
        return isOurs
    }

    /// Sends one batch; `false` if nothing more can be done now.
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
            // The process is about to be suspended: the next request is scheduled after it wakes
            // up.
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

    /// Schedules the next attempt.
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
            // The app may cut short a delay that the SDK chose, but not one that the server
            // requested.
            notBefore = retryAfter == nil ? nil : dependencies.now().addingTimeInterval(delay)
        default:
            break
        }
        if configuration.api.requestPolicy == .automatic { schedule(after: delay) }
        return false
    }

    /// Deletes the records that the receipt covers; `false` if it covers none of those that were
    /// sent.
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
    /// The description sent with every batch.
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
