import Foundation
import Logging
import Model
import Ports
import Scheduling

/// Claims dispatches, renders them and hands them to the providers. Outcomes go to the recorder as
/// they arrive, so that a push waiting for its response delays no other.
struct DeliveryWorker: Sendable {
    let store: any DeliveryStore
    let delivery: DispatchProcessor
    let renderers: RendererCache
    let window: InFlightWindow
    let breakers: CircuitBreakers
    let results: ResultQueue
    let settings: DeliveryService.Settings
    let now: @Sendable () -> Date
    let metrics: DeliveryMetrics
    let logger: Logger

    /// Runs until cancellation, and then until all pushes in flight have ended.
    func run(wake: WakeSignal) async {
        await withDiscardingTaskGroup { group in
            while !Task.isCancelled {
                let seen = wake.generation
                var nextPollAt: Date?
                do {
                    let claim = try await deliverChunk(&group)
                    if !claim.rows.isEmpty { continue }
                    nextPollAt = claim.nextPollAt
                } catch is CancellationError {
                    return
                } catch {
                    logger.error(
                        "a step failed and will be repeated",
                        metadata: ["delivery.step": "claiming", "delivery.error": "\(error)"]
                    )
                }
                await wake.wait(after: seen, atMost: pause(before: nextPollAt))
            }
        }
    }

    private func pause(before nextPollAt: Date?) -> Duration {
        let next = [nextPollAt, breakers.nextProbe()].compactMap(\.self).min()
        guard let next else { return settings.idlePause }
        let wait = Duration.seconds(max(0.005, next.timeIntervalSince(now())))
        return min(wait, settings.idlePause)
    }

    /// Claims due dispatches, at most one batch, and starts to send them.
    private func deliverChunk(_ group: inout DiscardingTaskGroup) async throws -> ClaimedBatch {
        var reserved = await window.take(upTo: settings.chunk)
        guard reserved > 0 else { throw CancellationError() }
        defer { window.giveBack(reserved) }
        let start = now()
        var laneLimits = window.laneRoom
        for (lane, capacity) in breakers.capacities(at: start) {
            laneLimits[lane] = min(capacity, laneLimits[lane] ?? capacity)
        }
        let claim = try await store.claimDispatches(
            ClaimRequest(
                limit: reserved,
                owner: settings.owner,
                leaseEnd: start.addingTimeInterval(settings.lease),
                now: start,
                laneLimits: laneLimits
            )
        )
        breakers.recordAttempts(in: Set(claim.rows.compactMap(\.lane)), at: start)
        var known: [SendID: SendRenderer] = [:]
        // A dispatch that is not started by then is left to be claimed again when its lease
        // expires, so that no other worker sends it at the same time.
        let latest = start.addingTimeInterval(settings.lease / 2)
        for row in claim.rows {
            guard now() < latest else { return claim }
            reserved -= 1
            do {
                let renderer: SendRenderer
                if let found = known[row.send] {
                    renderer = found
                } else {
                    renderer = try await renderers.renderer(of: row.send)
                    known[row.send] = renderer
                }
                guard !renderer.asksQuestions else {
                    // Other dispatches do not wait for the answers.
                    group.addTask { await prepareAndSend(row, renderer) }
                    continue
                }
                switch try await delivery.step(for: row, renderer) {
                case .record(let change):
                    add(change, for: row)
                case .send(let push, let transport):
                    let bytes = started(push, row)
                    group.addTask { await send(push, transport, row, renderer, bytes) }
                }
            } catch is CancellationError {
                // The dispatches stay claimed; the next start sends them.
                return claim
            } catch {
                add(delivery.change(failed: "StoreError: \(error)", for: row), for: row)
            }
        }
        return claim
    }

    private func prepareAndSend(_ row: ClaimedDispatch, _ renderer: SendRenderer) async {
        do {
            switch try await delivery.step(for: row, renderer) {
            case .record(let change):
                add(change, for: row)
            case .send(let push, let transport):
                await send(push, transport, row, renderer, started(push, row))
            }
        } catch is CancellationError {
            // The dispatch stays claimed.
        } catch {
            add(delivery.change(failed: "StoreError: \(error)", for: row), for: row)
        }
    }

    /// Records that a push is about to be sent, and its size.
    private func started(_ push: OutgoingPush, _ row: ClaimedDispatch) -> Int {
        let bytes = push.message.approximateBytes
        if let lane = row.lane { window.started(in: lane, bytes: bytes) }
        return bytes
    }

    private func send(
        _ push: OutgoingPush,
        _ transport: any PushTransport,
        _ row: ClaimedDispatch,
        _ renderer: SendRenderer,
        _ bytes: Int
    ) async {
        let start = metrics.uptime()
        let outcome = await transport.send(push)
        if let provider = row.lane?.provider { metrics.answered(provider, since: start) }
        // Stopped before a response: the dispatch stays claimed and is sent again, under the same
        // id, by the next start.
        if case .unknown = outcome, Task.isCancelled { return }
        var standing = CircuitBreakers.Standing()
        if let lane = row.lane {
            if let signal = DispatchProcessor.signal(of: outcome),
                breakers.record(signal, of: lane, at: now())
            {
                tell(lane)
            }
            standing = breakers.standing(of: lane)
        }
        let change = delivery.change(outcome, for: row, renderer, standing)
        add(
            change,
            for: row,
            lane: row.lane,
            bytes: bytes,
            isUnreported: !push.message.isReported(at: push.address)
        )
    }

    private func add(
        _ change: DispatchUpdate.Change,
        for row: ClaimedDispatch,
        lane: DeliveryLane? = nil,
        bytes: Int = 0,
        isUnreported: Bool = false
    ) {
        var result = DispatchUpdate(send: row.send, device: row.device.id, change: change)
        result.token = row.device.push?.token
        result.isUnreported = isUnreported
        metrics.ended(change, provider: row.device.push?.provider)
        results.add(ResultQueue.Entry(result: result, lane: lane, bytes: bytes))
    }

    private func tell(_ lane: DeliveryLane) {
        if let tripped = breakers.tripped().first(where: { $0.lane == lane }) {
            logger.warning(
                "a provider cannot be used for now; its pushes wait",
                metadata: [
                    "delivery.lane": "\(lane)", "delivery.reason": "\(tripped.reason)",
                    "delivery.until": "\(tripped.until)",
                ]
            )
        } else {
            logger.notice("a provider works again", metadata: ["delivery.lane": "\(lane)"])
        }
    }
}

extension ClaimedDispatch {
    /// The lane of the dispatch; `nil` for a device without a token.
    var lane: DeliveryLane? {
        device.push.map { DeliveryLane(app: app.id, provider: $0.provider) }
    }
}

extension PushMessage {
    /// Approximate size of a message in memory.
    var approximateBytes: Int {
        512 + title.utf8.count + subtitle.utf8.count + body.utf8.count
            + (customVariables?.utf8.count ?? 0)
            + keyValuePairs.reduce(0) { $0 + $1.key.utf8.count + $1.value.utf8.count }
    }
}
