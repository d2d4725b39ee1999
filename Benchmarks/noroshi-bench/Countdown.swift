import Synchronization

/// The remaining work, shared by several workers.
final class Countdown: Sendable {
    private let left: Atomic<Int>

    init(_ count: Int) {
        left = Atomic(count)
    }

    /// Takes one job and returns its number; `nil` if none is left.
    func takeOne() -> Int? {
        let number = left.subtract(1, ordering: .relaxed).oldValue
        return number > 0 ? number : nil
    }
}
