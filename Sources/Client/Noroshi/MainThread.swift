import Dispatch
import Foundation

/// Where Apple's systems call the app and want to be called back.
enum MainThread {
    // On Linux the main queue may be served by any thread, so it is asked for instead.
    private static let mark: DispatchSpecificKey<Bool> = {
        let mark = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: mark, value: true)
        return mark
    }()

    private static var isCurrent: Bool {
        Thread.isMainThread || DispatchQueue.getSpecific(key: mark) == true
    }

    /// Does `body` at once if this is the main thread, and otherwise there as soon as possible.
    static func run(_ body: @escaping @MainActor @Sendable () -> Void) {
        if isCurrent {
            MainActor.assumeIsolated { body() }
        } else {
            Task { @MainActor in body() }
        }
    }
}
