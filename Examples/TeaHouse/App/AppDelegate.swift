import Foundation
import Noroshi
import NoroshiUI
import UIKit
import UserNotifications

/// All that the app does for the SDK.
@main
final class AppDelegate: UIResponder, UIApplicationDelegate {
    let noroshi = Noroshi(configuration: TeaHouse.configuration)
    lazy var shop = Shop(noroshi)
    private lazy var notifications = NoroshiNotificationDelegate(noroshi)
    private let messages = NoroshiInAppMessageUI()

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        let center = UNUserNotificationCenter.current()
        // Before the launch is over, or a tap that has launched the app is lost.
        center.delegate = notifications
        noroshi.notifications.declare(NoroshiNotifications.categories, with: center)
        noroshi.inAppMessages.presenter = messages
        // Without permission silent pushes arrive all the same; the token changes now and then.
        application.registerForRemoteNotifications()
        return true
    }

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
        let isHandled = noroshi.notifications.handleBackgroundNotification(
            userInfo: userInfo,
            fetchCompletionHandler: completionHandler
        )
        if !isHandled { completionHandler(.noData) }
    }
}
