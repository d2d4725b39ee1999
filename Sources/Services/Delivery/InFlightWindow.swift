import Model
import Synchronization

/// Limits the work in flight by count, by bytes and per lane, so that an unresponsive provider
/// leaves capacity for the others.
final class InFlightWindow: Sendable {
    private struct State {
        var count = 0
        var bytes = 0
        var lanes: [DeliveryLane: Int] = [:]
        var nextWaiter = 0
        var waiters: [Int: CheckedContinuation<Void, Never>] = [:]
    }

    private let maxCount: Int
    private let maxBytes: Int
    private let maxPerLane: Int
    /// The minimum that is acquired at once, so that each transaction is worthwhile even if the
    /// window is nearly full.
    private let piece: Int
    private let state = Mutex(State())

    init(maxCount: Int, maxBytes: Int, maxPerLane: Int) {
        self.maxCount = maxCount
        self.maxBytes = maxBytes
        self.maxPerLane = maxPerLane
        piece = max(1, maxCount / 8)
    }

    private func hasRoom(_ state: State, for count: Int) -> Bool {
        state.count + count <= maxCount && state.bytes < maxBytes
    }

    /// Waits until an eighth of the window (or `wanted`, if that is less) is free, then acquires up
    /// to `wanted` permits.
    ///
    /// - Returns: The number of acquired permits, to be released with `giveBack` or, per dispatch,
    ///   with `ended`; 0 after cancellation.
    func take(upTo wanted: Int) async -> Int {
        let enough = min(wanted, piece)
        while !Task.isCancelled {
            let taken = state.withLock { state -> Int in
                guard hasRoom(state, for: enough) else { return 0 }
                let taken = min(wanted, maxCount - state.count)
                state.count += taken
                return taken
            }
            if taken > 0 { return taken }
            await wait { self.hasRoom($0, for: enough) }
        }
        return 0
    }

    func giveBack(_ count: Int) {
        guard count > 0 else { return }
        change { $0.count -= count }
    }

    /// Free capacity of the lanes with work in flight.
    var laneRoom: [DeliveryLane: Int] {
        state.withLock { state in state.lanes.mapValues { max(0, maxPerLane - $0) } }
    }

    /// What is in flight at the moment.
    var load: DeliveryLoad {
        state.withLock { state in
            var load = DeliveryLoad()
            load.claimed = state.count
            load.inFlight = state.lanes
            load.inFlightBytes = state.bytes
            return load
        }
    }

    func started(in lane: DeliveryLane, bytes: Int) {
        state.withLock { state in
            state.lanes[lane, default: 0] += 1
            state.bytes += bytes
        }
    }

    /// Releases the capacity of recorded dispatches.
    func ended(_ entries: [ResultQueue.Entry]) {
        change { state in
            state.count -= entries.count
            for entry in entries {
                guard let lane = entry.lane else { continue }
                state.bytes -= entry.bytes
                let left = state.lanes[lane, default: 1] - 1
                state.lanes[lane] = left > 0 ? left : nil
            }
        }
    }

    private func change(_ body: (inout sending State) -> Void) {
        let waiters = state.withLock { state -> [CheckedContinuation<Void, Never>] in
            body(&state)
            guard hasRoom(state, for: piece) else { return [] }
            defer { state.waiters = [:] }
            return Array(state.waiters.values)
        }
        for waiter in waiters { waiter.resume() }
    }

    private func wait(unless isOver: @Sendable (State) -> Bool) async {
        let id = state.withLock { state in
            state.nextWaiter += 1
            return state.nextWaiter
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let goesOn = state.withLock { state in
                    if isOver(state) || Task.isCancelled { return true }
                    state.waiters[id] = continuation
                    return false
                }
                if goesOn { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiters.removeValue(forKey: id) }?.resume()
        }
    }
}
