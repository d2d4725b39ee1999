import Foundation
import Synchronization

/// Plays a fault script: decides what goes wrong with each request.
final class FaultInjector: Sendable {
    private struct State {
        var script: FaultScript
        var startedAt: Date
        var random: SeededRandom
        var fitting: [Int]
        var happened: [Int]
    }

    private let state: Mutex<State>

    init(_ script: FaultScript, startedAt: Date) {
        state = Mutex(Self.begin(script, at: startedAt))
    }

    func replace(_ script: FaultScript, at now: Date) {
        state.withLock { $0 = Self.begin(script, at: now) }
    }

    private static func begin(_ script: FaultScript, at now: Date) -> State {
        State(
            script: script,
            startedAt: now,
            random: SeededRandom(seed: script.seed),
            fitting: Array(repeating: 0, count: script.faults.count),
            happened: Array(repeating: 0, count: script.faults.count)
        )
    }

    /// The general latency, and the fault that happens to this request.
    func next(token: String, now: Date) -> (latency: Duration, fault: Fault?) {
        state.withLock { state in
            let latency = Duration.milliseconds(state.script.latencyMilliseconds)
            for (index, fault) in state.script.faults.enumerated()
            where Self.fits(fault, token: token, elapsed: now.timeIntervalSince(state.startedAt)) {
                state.fitting[index] += 1
                if let skip = fault.skip, state.fitting[index] <= skip { continue }
                if let times = fault.times, state.happened[index] >= times { continue }
                if let probability = fault.probability,
                    Double.random(in: 0..<1, using: &state.random) >= probability
                {
                    continue
                }
                state.happened[index] += 1
                return (latency, fault)
            }
            return (latency, nil)
        }
    }

    private static func fits(_ fault: Fault, token: String, elapsed: TimeInterval) -> Bool {
        if let wanted = fault.token, wanted != token { return false }
        let start = fault.afterSeconds ?? 0
        if elapsed < start { return false }
        if let length = fault.forSeconds, elapsed >= start + length { return false }
        return true
    }
}

/// A small generator with a seed (SplitMix64), so that a run can be repeated.
struct SeededRandom: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }
}
