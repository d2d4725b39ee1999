import Foundation
import Noroshi
import UIKit
import UserNotifications

@available(iOSApplicationExtension, unavailable)
@MainActor
final class AppDelegate: NSObject, UIApplicationDelegate {
    let noroshi = Noroshi(
        configuration: Noroshi.Configuration(apiKey: "key", endpoint: "push.example.com")
    )

    func application(
        _ application: UIApplication,
        didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data
    ) {
        noroshi.notifications.register(deviceToken: deviceToken)
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
            return
        }
        completionHandler(.noData)
    }
}

final class CenterDelegate: NSObject, UNUserNotificationCenterDelegate {
    let noroshi: Noroshi

    init(noroshi: Noroshi) {
        self.noroshi = noroshi
    }

    func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping () -> Void
    ) {
        if noroshi.notifications.handleUserNotification(
            response: response,
            withCompletionHandler: completionHandler
        ) {
            return
        }
        completionHandler()
    }
}
