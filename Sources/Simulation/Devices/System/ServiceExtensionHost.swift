import Foundation
import NoroshiOutbox
import UserNotifications

/// Runs a notification service extension like the system: with a timeout, after which the extension
/// is warned and the original is shown if it delivers nothing.
enum ServiceExtensionHost {
    static func run(
        _ make: @escaping @Sendable () -> UNNotificationServiceExtension,
        on description: NotificationDescription,
        time: TimeInterval
    ) async -> NotificationDescription {
        await withCheckedContinuation { continuation in
            let waiting = Locked<CheckedContinuation<NotificationDescription, Never>?>(continuation)
            let finish: @Sendable (NotificationDescription) -> Void = { result in
                let continuation = waiting.withLock { waiting in
                    defer { waiting = nil }
                    return waiting
                }
                continuation?.resume(returning: result)
            }
            Task {
                let service = make()
                service.didReceive(description.request()) { content in
                    var changed = description
                    changed.apply(content)
                    finish(changed)
                }
                // The wait is not cancelled, so it cannot fail.
                try? await Task.sleep(nanoseconds: UInt64(time * 1_000_000_000))
                if waiting.withLock({ $0 != nil }) {
                    service.serviceExtensionTimeWillExpire()
                    finish(description)
                }
            }
        }
    }
}
