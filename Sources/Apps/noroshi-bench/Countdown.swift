import Synchronization

/// How much work is left, shared by many workers.
final class Countdown: Sendable {
    private let left: Atomic<Int>

    init(_ count: Int) {
        left = Atomic(count)
    }

    /// Takes one piece of work; false when there is none.
    func takeOne() -> Bool {
        left.subtract(1, ordering: .relaxed).oldValue > 0
    }
}
