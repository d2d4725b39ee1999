import Foundation
import Model
import Ports
import Scheduling
import Synchronization

/// The circuit breakers of all lanes that this process uses.
final class CircuitBreakers: Sendable {
    private let breakers = Mutex<[DeliveryLane: CircuitBreaker]>([:])
    private let jitter: @Sendable () -> Double

    init(jitter: @escaping @Sendable () -> Double) {
        self.jitter = jitter
    }

    /// The capacity of lanes with a tripped breaker.
    func capacities(at now: Date) -> [DeliveryLane: Int] {
        breakers.withLock { breakers in breakers.compactMapValues { $0.capacity(at: now) } }
    }

    func recordAttempts(in lanes: Set<DeliveryLane>, at now: Date) {
        breakers.withLock { breakers in
            for lane in lanes { breakers[lane]?.recordAttempt(at: now) }
        }
    }

    /// - Returns: Whether the state of the breaker changed.
    func record(_ signal: CircuitBreaker.Signal, of lane: DeliveryLane, at now: Date) -> Bool {
        let jitter = jitter()
        return breakers.withLock { breakers in
            if case .responded = signal, breakers[lane] == nil { return false }
            return breakers[lane, default: CircuitBreaker()].record(signal, at: now, jitter: jitter)
        }
    }

    /// The state of a lane when a response arrives.
    struct Standing: Sendable {
        /// The end of the suspension; `nil` if the lane is not suspended.
        var suspendedUntil: Date?
        /// Whether the provider has accepted a push before.
        var isProven = false
    }

    func standing(of lane: DeliveryLane) -> Standing {
        breakers.withLock { breakers in
            guard let breaker = breakers[lane] else { return Standing() }
            switch breaker.state {
            case .open(_, _, let until), .halfOpen(_, _, let until):
                return Standing(suspendedUntil: until, isProven: breaker.isProven)
            case .closed:
                return Standing(isProven: breaker.isProven)
            }
        }
    }

    /// The time of the next probe of a suspended lane.
    func nextProbe() -> Date? {
        tripped().map(\.until).min()
    }

    /// All lanes that were heard of, and whether their pushes wait.
    var lanes: [DeliveryLane: Bool] {
        breakers.withLock { breakers in
            breakers.mapValues { breaker in
                if case .closed = breaker.state { false } else { true }
            }
        }
    }

    /// The suspended lanes.
    func tripped() -> [TrippedLane] {
        breakers.withLock { breakers in
            breakers.compactMap { lane, breaker in
                switch breaker.state {
                case .closed: nil
                case .open(let reason, let since, let until),
                    .halfOpen(let reason, let since, let until):
                    TrippedLane(lane: lane, reason: reason, since: since, until: until)
                }
            }
        }
    }
}
