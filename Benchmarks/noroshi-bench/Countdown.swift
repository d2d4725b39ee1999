import Synchronization

/// How much work is left, shared by many workers.
final class Countdown: Sendable {
    private let left: Atomic<Int>

    init(_ count: Int) {
        left = Atomic(count)
    }

    /// Takes one piece of work and says which; nil when there is none.
    func takeOne() -> Int? {
        let number = left.subtract(1, ordering: .relaxed).oldValue
        return number > 0 ? number : nil
    }
}
