import Foundation
import Noroshi
import UIKit
import UserNotifications

/// The app on a virtual phone, written as an app developer would write it.
@MainActor
final class DemoAppDelegate: NSObject, UIApplicationDelegate {
    let noroshi: Noroshi
    private let center: UNUserNotificationCenter
    private let firstUser: String?
    private let show: @MainActor @Sendable (URL) -> Void
    private let log: @Sendable (String) -> Void

    init(
        noroshi: Noroshi,
        center: UNUserNotificationCenter,
        firstUser: String?,
        show: @escaping @MainActor @Sendable (URL) -> Void,
        log: @escaping @Sendable (String) -> Void
    ) {
        self.noroshi = noroshi
        self.center = center
        self.firstUser = firstUser
        self.show = show
        self.log = log
    }

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        center.delegate = self
        noroshi.notifications.declare(DemoCategories.all, with: center)
        if let firstUser, noroshi.user.id == nil {
            noroshi.changeUser(userId: firstUser)
        }
        noroshi.notifications.setLinkHandler { [show] context in show(context.url) }
        center.requestAuthorization(options: [.alert, .badge, .sound]) { [log] granted, _ in
            log(granted ? "Notifications are allowed" : "Notifications are not allowed")
            guard granted else { return }
            Task { @MainActor in application.registerForRemoteNotifications() }
        }
        return true
    }

    func application(
        _ application: UIApplication,
        didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data
    ) {
        noroshi.notifications.register(deviceToken: deviceToken)
        log("The device token is registered")
    }

    func application(
        _ application: UIApplication,
        didFailToRegisterForRemoteNotificationsWithError error: any Error
    ) {
        log("There is no device token: \(error)")
    }

    func application(
        _ application: UIApplication,
        didReceiveRemoteNotification userInfo: [AnyHashable: Any],
        fetchCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
    ) {
        if noroshi.notifications.handleBackgroundNotification(
            userInfo: userInfo,
            fetchCompletionHandler: completionHandler
        ) {
            log("The SDK handled a background push")
            return
        }
        completionHandler(.noData)
    }
}

extension DemoAppDelegate: UNUserNotificationCenterDelegate {
    nonisolated func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        willPresent notification: UNNotification,
        withCompletionHandler completionHandler:
            @escaping (UNNotificationPresentationOptions) -> Void
    ) {
        if noroshi.notifications.handleForegroundNotification(notification: notification) {
            log("The SDK handled a push in the foreground")
        }
        completionHandler([.banner, .list, .sound, .badge])
    }

    nonisolated func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping () -> Void
    ) {
        if noroshi.notifications.handleUserNotification(
            response: response,
            withCompletionHandler: completionHandler
        ) {
            log("The SDK handled the tap: \(response.actionIdentifier)")
            return
        }
        completionHandler()
    }
}
