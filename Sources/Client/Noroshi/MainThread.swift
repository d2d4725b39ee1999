import Dispatch
import Foundation

/// Runs callbacks on the thread that Apple's systems expect.
enum MainThread {
    // On Linux any thread may serve the main queue, so the queue is checked instead.
    private static let mark: DispatchSpecificKey<Bool> = {
        let mark = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: mark, value: true)
        return mark
    }()

    private static var isCurrent: Bool {
        Thread.isMainThread || DispatchQueue.getSpecific(key: mark) == true
    }

    /// Runs `body` immediately if this is the main thread, otherwise asynchronously on it.
    static func run(_ body: @escaping @MainActor @Sendable () -> Void) {
        if isCurrent {
            MainActor.assumeIsolated { body() }
        } else {
            Task { @MainActor in body() }
        }
    }
}
