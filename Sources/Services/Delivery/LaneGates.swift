import Foundation
import Model
import Ports
import Scheduling
import Synchronization

/// The circuit breakers of all lanes that this process uses.
final class LaneGates: Sendable {
    private let gates = Mutex<[DeliveryLane: LaneGate]>([:])
    private let jitter: @Sendable () -> Double

    init(jitter: @escaping @Sendable () -> Double) {
        self.jitter = jitter
    }

    /// The capacity of lanes with a tripped breaker.
    func room(at now: Date) -> [DeliveryLane: Int] {
        gates.withLock { gates in gates.compactMapValues { $0.room(at: now) } }
    }

    func started(_ lanes: Set<DeliveryLane>, at now: Date) {
        gates.withLock { gates in
            for lane in lanes { gates[lane]?.started(at: now) }
        }
    }

    /// - Returns: Whether the state of the breaker changed.
    func report(_ report: LaneGate.Report, of lane: DeliveryLane, at now: Date) -> Bool {
        let jitter = jitter()
        return gates.withLock { gates in
            if case .works = report, gates[lane] == nil { return false }
            return gates[lane, default: LaneGate()].report(report, at: now, jitter: jitter)
        }
    }

    /// The state of a lane when a response arrives.
    struct Standing: Sendable {
        /// The end of the suspension; `nil` if the lane is not suspended.
        var closedUntil: Date?
        /// Whether the provider has accepted a push before.
        var isProven = false
    }

    func standing(of lane: DeliveryLane) -> Standing {
        gates.withLock { gates in
            guard let gate = gates[lane] else { return Standing() }
            switch gate.state {
            case .closed(_, _, let until), .probing(_, _, let until):
                return Standing(closedUntil: until, isProven: gate.isProven)
            case .open:
                return Standing(isProven: gate.isProven)
            }
        }
    }

    /// The time of the next probe of a suspended lane.
    func nextTrial() -> Date? {
        closed().map(\.until).min()
    }

    /// All lanes that were heard of, and whether their pushes wait.
    var lanes: [DeliveryLane: Bool] {
        gates.withLock { gates in
            gates.mapValues { gate in
                if case .open = gate.state { false } else { true }
            }
        }
    }

    func closed() -> [TrippedLane] {
        gates.withLock { gates in
            gates.compactMap { lane, gate in
                switch gate.state {
                case .open: nil
                case .closed(let reason, let since, let until),
                    .probing(let reason, let since, let until):
                    TrippedLane(lane: lane, reason: reason, since: since, until: until)
                }
            }
        }
    }
}
