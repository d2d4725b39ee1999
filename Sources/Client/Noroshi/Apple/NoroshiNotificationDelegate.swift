#if canImport(UserNotifications)
import Foundation
import NoroshiOutbox
import UserNotifications

/// A delegate of the notification center for apps that need none of their own.
///
/// ```swift
/// let delegate = NoroshiNotificationDelegate(noroshi)
/// UNUserNotificationCenter.current().delegate = delegate
/// ```
/// Set it before the app has finished launching, and keep it: the center does not. Noroshi's
/// notifications are handled; of others it is only said how they are shown.
public final class NoroshiNotificationDelegate: NSObject, UNUserNotificationCenterDelegate {
    private let noroshi: Noroshi
    private let presentation: UNNotificationPresentationOptions

    /// A delegate for `noroshi` that shows notifications as `presentation` says while the app is in
    /// front.
    public init(
        _ noroshi: Noroshi,
        presentation: UNNotificationPresentationOptions = [.banner, .list, .sound, .badge]
    ) {
        self.noroshi = noroshi
        self.presentation = presentation
    }

    /// Records the arrival of a notification and chooses its presentation.
    public func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        willPresent notification: UNNotification,
        withCompletionHandler completionHandler:
            @escaping @Sendable (UNNotificationPresentationOptions) -> Void
    ) {
        noroshi.notifications.handleForegroundNotification(notification: notification)
        completionHandler(presentation)
    }

    /// Handles the user's response to a notification.
    public func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping @Sendable () -> Void
    ) {
        let isOurs = noroshi.notifications.handleUserNotification(
            response: response,
            withCompletionHandler: completionHandler
        )
        if !isOurs { completionHandler() }
    }
}
#endif
