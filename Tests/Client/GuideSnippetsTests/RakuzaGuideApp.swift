import Foundation
import NoroshiRakuza
import UIKit
import UserNotifications

// The calls of the Rakuza guide's snippets, with the import changed.

/// What the guide's snippets print.
@MainActor
final class RakuzaGuideApp: NSObject, UIApplicationDelegate {
    private(set) var printed: [String] = []
    private func print(_ items: Any...) {
        printed.append(items.map { "\($0)" }.joined(separator: " "))
    }

    func application(
        _ application: UIApplication,
        didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data
    ) {
        let userAccessToken = "xxx"
        let deviceTokenStr = deviceToken.map { data in String(format: "%02.2hhx", data) }.joined()
        RKZService.sharedInstance().registPushDeviceToken(
            userAccessToken,
            deviceToken: deviceTokenStr
        ) { statusCode, responseStatus in
            if responseStatus.isSuccess {
                self.print("registered")
            } else {
                self.print("statusCode:", responseStatus.statusCode.rawValue)
                self.print("message:", responseStatus.message ?? "")
            }
        }
    }

    func registUser() {
        let user = RKZUserData()
        user.user_name = "People Taro"
        user.attributes = [
            "push_device_token": "00ff",
            "smartphonesb_cd": "0002",
        ]
        RKZService.sharedInstance().registUser(user) { user, responseStatus in
            if responseStatus.isSuccess, let user = user {
                self.print("user_no:", user.user_no ?? "")
                self.print("user_access_token:", user.user_access_token ?? "")
                self.print("user_name:", user.user_name ?? "")
                self.print("push_device_token:", user.attributes?["push_device_token"] ?? "")
            } else {
                self.print("statusCode:", responseStatus.statusCode.rawValue)
                self.print("message:", responseStatus.message ?? "")
            }
        }
    }

    func open(_ userInfo: [AnyHashable: Any]) {
        let userAccessToken = "xxx"
        if let pushNo = userInfo["push_no"] as? String, let pushNo = Int(pushNo) {
            RKZService.sharedInstance().openPush(
                userAccessToken,
                pushNo: NSNumber(value: pushNo)
            ) { statusCode, responseStatus in
                if responseStatus.isSuccess {
                    self.print("measured")
                } else {
                    self.print("statusCode:", responseStatus.statusCode.rawValue)
                    self.print("message:", responseStatus.message ?? "")
                }
            }
        }
    }

    func clear() {
        let userAccessToken = "xxx"
        RKZService.sharedInstance().clearPushDeviceToken(userAccessToken) {
            statusCode,
            responseStatus in
            if responseStatus.isSuccess {
                self.print("cleared")
            } else {
                self.print("statusCode:", responseStatus.statusCode.rawValue)
                self.print("message:", responseStatus.message ?? "")
            }
        }
    }
}

/// The guide's way to ask for permission and to register.
@MainActor
final class RegisteringAppDelegate: NSObject, UIApplicationDelegate {
    let center: UNUserNotificationCenter
    private(set) var tokens: [Data] = []

    init(center: UNUserNotificationCenter) {
        self.center = center
    }

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        center.requestAuthorization(
            options: [.sound, .alert, .badge],
            completionHandler: { (granted, error) in
                guard error == nil else { return }
                if granted {
                    DispatchQueue.main.async {
                        application.registerForRemoteNotifications()
                    }
                }
            }
        )
        return true
    }

    func application(
        _ application: UIApplication,
        didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data
    ) {
        tokens.append(deviceToken)
    }
}

/// An app and a device token for tests, which may not import UIKit beside Testing on Linux.
@MainActor
enum GuideDevice {
    static func register(_ delegate: RegisteringAppDelegate) -> UIApplication {
        let application = UIApplication(shimRegister: { Data([0xAB]) }, shimOpen: nil)
        application.delegate = delegate
        _ = delegate.application(application, didFinishLaunchingWithOptions: nil)
        return application
    }

    static func give(_ token: Data, to app: RakuzaGuideApp) {
        app.application(.shared, didRegisterForRemoteNotificationsWithDeviceToken: token)
    }

    static func wake(_ app: AppDelegate, with userInfo: [AnyHashable: Any]) -> String {
        var result = ""
        app.application(.shared, didReceiveRemoteNotification: userInfo) { result = "\($0)" }
        return result
    }
}
