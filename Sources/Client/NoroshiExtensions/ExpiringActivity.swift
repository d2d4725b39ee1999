import Foundation

#if canImport(UserNotifications)
import UserNotifications
#endif

/// Keeps an extension from being suspended as long as it lasts, where the system knows such a thing.
final class ExpiringActivity: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    /// Begins; `onExpire` is called when the system will wait no longer.
    init(onExpire: @escaping @Sendable () -> Void) {
        #if canImport(UserNotifications) && !os(macOS)
        let semaphore = semaphore
        // The activity lasts as long as the block runs, on a thread of the system's. When the time
        // is over, the block is called once more, beside the first one.
        ProcessInfo.processInfo.performExpiringActivity(withReason: "Noroshi sends") { isExpired in
            if isExpired { onExpire() } else { semaphore.wait() }
        }
        #endif
    }

    func end() {
        semaphore.signal()
    }
}
