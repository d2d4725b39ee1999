#if canImport(UserNotifications)
import Foundation
import NoroshiOutbox
import UserNotifications

extension NoroshiNotifications {
    /// Handles the user's response to a notification; call it from the delegate's
    /// `userNotificationCenter(_:didReceive:withCompletionHandler:)`.
    ///
    /// If the notification is Noroshi's, the open, the button or the dismissal is recorded, the
    /// address behind it is routed, `completionHandler` is called on the main thread, and the
    /// answer is `true`. If the app stays in the background, the system suspends it after that
    /// call, so a few seconds may go by for sending. Otherwise nothing happens and the answer is
    /// `false`.
    @discardableResult
    public func handleUserNotification(
        response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping () -> Void
    ) -> Bool {
        let kind = Self.kind(of: response)
        let userInfo = response.notification.request.content.userInfo
        guard handle(userInfo, response: kind) else { return false }
        // Apple lets it be called on any thread; it is called once, on the main one.
        nonisolated(unsafe) let completionHandler = completionHandler
        complete(afterSending: !opensApp(kind)) { completionHandler() }
        return true
    }

    /// Handles the user's response to a notification; call it from the delegate's
    /// `userNotificationCenter(_:didReceive:)`, the form with `async`. It returns when the system may
    /// suspend the app.
    /// - Returns: whether the notification is Noroshi's.
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

    /// Handles a notification that arrives while the app is in front; call it from the delegate's
    /// `userNotificationCenter(_:willPresent:withCompletionHandler:)`. How it is presented stays
    /// the app's choice. `false` if it is not Noroshi's.
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
    /// `application(_:didReceiveRemoteNotification:)`. `false` if it is not Noroshi's.
    @discardableResult
    public func handleBackgroundNotification(userInfo: [AnyHashable: Any]) -> Bool {
        guard let payload = PushPayload(userInfo: userInfo) else { return false }
        received(payload, userInfo: userInfo)
        return true
    }

    /// Handles a notification that wakes the app; call it from the app delegate's
    /// `application(_:didReceiveRemoteNotification:)`, the form with `async`. It returns when the
    /// receipt is sent and the system may suspend the app.
    /// - Returns: whether the notification is Noroshi's.
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
    /// If it is Noroshi's, the receipt is sent, for which a few seconds may go by,
    /// `fetchCompletionHandler` is called on the main thread, and the answer is `true`. Otherwise
    /// nothing happens and the answer is `false`.
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
