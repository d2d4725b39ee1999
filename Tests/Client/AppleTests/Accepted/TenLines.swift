import Foundation
import Noroshi
import UIKit
import UserNotifications

/// All that an app needs for its first push.
@available(iOSApplicationExtension, unavailable)
@MainActor
final class TenLines: NSObject, UIApplicationDelegate {
    let noroshi = Noroshi(configuration: .init(apiKey: "key", endpoint: "push.example.com"))
    lazy var delegate = NoroshiNotificationDelegate(noroshi)

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        UNUserNotificationCenter.current().delegate = delegate
        Task { await noroshi.notifications.requestAuthorization() }
        return true
    }

    func application(
        _ application: UIApplication,
        didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data
    ) {
        noroshi.notifications.register(deviceToken: deviceToken)
    }
}

/// The forms with `async`, from wherever they are called.
final class AsyncHandlers: NSObject {
    let noroshi: Noroshi

    init(noroshi: Noroshi) {
        self.noroshi = noroshi
    }

    func respond(to response: UNNotificationResponse) async {
        _ = await noroshi.notifications.handleUserNotification(response: response)
    }

    @MainActor
    func wake(with userInfo: [AnyHashable: Any]) async -> UIBackgroundFetchResult {
        await noroshi.notifications.handleBackgroundNotification(userInfo: userInfo)
            ? .newData : .noData
    }
}
