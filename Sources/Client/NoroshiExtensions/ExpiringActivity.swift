import Foundation

#if canImport(UserNotifications)
import UserNotifications
#endif

/// Prevents the suspension of an extension while it exists, on systems that support this.
final class ExpiringActivity: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    /// Starts the activity; `onExpire` is called when the system stops waiting.
    init(onExpire: @escaping @Sendable () -> Void) {
        #if canImport(UserNotifications) && !os(macOS)
        let semaphore = semaphore
        // The activity lasts as long as the block runs, on one of the system's threads. When the
        // time has expired, the system calls the block again, concurrently with the first call.
        ProcessInfo.processInfo.performExpiringActivity(withReason: "Noroshi sends") { isExpired in
            if isExpired { onExpire() } else { semaphore.wait() }
        }
        #endif
    }

    func end() {
        semaphore.signal()
    }
}
