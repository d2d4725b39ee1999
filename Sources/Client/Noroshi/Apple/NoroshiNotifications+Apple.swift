#if canImport(UserNotifications)
import Foundation
import NoroshiOutbox
import UserNotifications

extension NoroshiNotifications {
    /// Handles the user's response to a notification; call it from the delegate's
    /// `userNotificationCenter(_:didReceive:withCompletionHandler:)`.
    ///
    /// For one of Noroshi's notifications, it records the open, the button or the dismissal, routes
    /// its link, calls `completionHandler` on the main thread, and returns `true`. If the app stays
    /// in the background, the system suspends it after that call, so it may take a few seconds for
    /// sending. For other notifications it does nothing and returns `false`.
    @discardableResult
    public func handleUserNotification(
        response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping () -> Void
    ) -> Bool {
        let kind = Self.kind(of: response)
        let userInfo = response.notification.request.content.userInfo
        guard handle(userInfo, response: kind) else { return false }
        // Apple permits calling it on any thread; here it is called once, on the main thread.
        nonisolated(unsafe) let completionHandler = completionHandler
        complete(afterSending: !opensApp(kind)) { completionHandler() }
        return true
    }

    /// Handles the user's response to a notification; call it from the `async` form of the
    /// delegate's `userNotificationCenter(_:didReceive:)`. It returns when the system may suspend
    /// the app.
    /// - Returns: Whether the notification is Noroshi's.
    @discardableResult
    public func handleUserNotification(
        response: UNNotificationResponse,
        isolation: isolated (any Actor)? = #isolation
    ) async -> Bool {
        let kind = Self.kind(of: response)
        let userInfo = response.notification.request.content.userInfo
        guard handle(userInfo, response: kind) else { return false }
        if !opensApp(kind) { await sendBeforeSuspension() }
        return true
    }

    private static func kind(of response: UNNotificationResponse) -> Response {
        switch response.actionIdentifier {
        case UNNotificationDefaultActionIdentifier: .opened
        case UNNotificationDismissActionIdentifier: .dismissed
        default: .action(response.actionIdentifier)
        }
    }

    /// Handles a notification that arrives while the app is in the foreground; call it from the
    /// delegate's `userNotificationCenter(_:willPresent:withCompletionHandler:)`. The app chooses
    /// the presentation. Returns `false` if the notification is not Noroshi's.
    @discardableResult
    public func handleForegroundNotification(notification: UNNotification) -> Bool {
        let userInfo = notification.request.content.userInfo
        guard let payload = PushPayload(userInfo: userInfo) else { return false }
        received(payload, userInfo: userInfo)
        return true
    }
}
#endif

extension NoroshiNotifications {
    /// Handles a notification that wakes the app on a Mac; call it from the app delegate's
    /// `application(_:didReceiveRemoteNotification:)`. Returns `false` if it is not Noroshi's.
    @discardableResult
    public func handleBackgroundNotification(userInfo: [AnyHashable: Any]) -> Bool {
        guard let payload = PushPayload(userInfo: userInfo) else { return false }
        received(payload, userInfo: userInfo)
        return true
    }

    /// Handles a notification that wakes the app; call it from the `async` form of the app
    /// delegate's `application(_:didReceiveRemoteNotification:)`. It returns when the receipt is
    /// sent and the system may suspend the app.
    /// - Returns: Whether the notification is Noroshi's.
    @discardableResult
    public func handleBackgroundNotification(
        userInfo: [AnyHashable: Any],
        isolation: isolated (any Actor)? = #isolation
    ) async -> Bool {
        guard let payload = PushPayload(userInfo: userInfo) else { return false }
        received(payload, userInfo: userInfo)
        await sendBeforeSuspension()
        return true
    }
}

#if canImport(UIKit)
import UIKit

extension NoroshiNotifications {
    /// Handles a notification that wakes the app; call it from the app delegate's
    /// `application(_:didReceiveRemoteNotification:fetchCompletionHandler:)`.
    ///
    /// For one of Noroshi's notifications, it sends the receipt, which may take a few seconds,
    /// calls `fetchCompletionHandler` on the main thread, and returns `true`. For other
    /// notifications it does nothing and returns `false`.
    @discardableResult
    public func handleBackgroundNotification(
        userInfo: [AnyHashable: Any],
        fetchCompletionHandler: @escaping (UIBackgroundFetchResult) -> Void
    ) -> Bool {
        guard let payload = PushPayload(userInfo: userInfo) else { return false }
        received(payload, userInfo: userInfo)
        // As above.
        nonisolated(unsafe) let fetchCompletionHandler = fetchCompletionHandler
        complete(afterSending: true) { fetchCompletionHandler(.newData) }
        return true
    }
}
#endif
