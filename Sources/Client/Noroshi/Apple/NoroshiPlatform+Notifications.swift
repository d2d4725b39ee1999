#if canImport(UserNotifications)
import Foundation
import UserNotifications

// The part that Apple's platforms have in common.
extension NoroshiPlatform {
    /// The user's authorization, in the SDK's terms.
    static func authorization(
        from center: @Sendable () -> UNUserNotificationCenter
    ) async -> String {
        await withCheckedContinuation { continuation in
            center().getNotificationSettings { settings in
                continuation.resume(returning: name(of: settings.authorizationStatus))
            }
        }
    }

    /// Asks the user; returns whether notifications are allowed afterwards.
    static func askForAuthorization(
        center: @Sendable () -> UNUserNotificationCenter
    ) async -> Bool {
        await withCheckedContinuation { continuation in
            center().requestAuthorization(options: [.alert, .badge, .sound]) { isGranted, _ in
                continuation.resume(returning: isGranted)
            }
        }
    }

    /// Calls the functions when the system posts the notifications; returns a function that ends
    /// the observation.
    static func observe(
        active: Notification.Name,
        background: Notification.Name,
        of application: Any?,
        _ onActive: @escaping @Sendable () -> Void,
        _ onBackground: @escaping @Sendable () -> Void
    ) -> @Sendable () -> Void {
        let tokens = LifecycleTokens([
            NotificationCenter.default.addObserver(
                forName: active,
                object: application,
                queue: nil,
                using: { _ in onActive() }
            ),
            NotificationCenter.default.addObserver(
                forName: background,
                object: application,
                queue: nil,
                using: { _ in onBackground() }
            ),
        ])
        return { tokens.remove() }
    }

    private static func name(of status: UNAuthorizationStatus) -> String {
        switch status {
        case .authorized: return "authorized"
        case .denied: return "denied"
        case .provisional: return "provisional"
        #if !os(tvOS) && !os(macOS)
        case .ephemeral: return "ephemeral"
        #endif
        case .notDetermined: return "notDetermined"
        @unknown default: return "notDetermined"
        }
    }
}

/// The registrations with the notification center, each removed once.
private final class LifecycleTokens: @unchecked Sendable {
    // `@unchecked` holds because `tokens` is not changed after `init`, and removal is safe from
    // any thread.
    private let tokens: [any NSObjectProtocol]

    init(_ tokens: [any NSObjectProtocol]) {
        self.tokens = tokens
    }

    func remove() {
        for token in tokens { NotificationCenter.default.removeObserver(token) }
    }
}
#endif
