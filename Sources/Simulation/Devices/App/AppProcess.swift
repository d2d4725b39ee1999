import Foundation
@_spi(Testing) import Noroshi
@_spi(Testing) import NoroshiOutbox
import NoroshiWire
import UIKit
import UserNotifications

/// One process of the app on a phone, from launch to termination.
@MainActor
final class AppProcess {
    let application: UIApplication
    let delegate: DemoAppDelegate
    let inAppMessages: DemoInAppMessages
    private let center: UNUserNotificationCenter

    init(
        configuration: NoroshiConfiguration,
        dependencies: NoroshiDependencies,
        center: UNUserNotificationCenter,
        firstUser: String?,
        register: @escaping @Sendable () async throws -> Data,
        show: @escaping @MainActor @Sendable (URL) -> Void,
        showMessage: @escaping @Sendable (InAppMessage?) -> Void,
        log: @escaping @Sendable (String) -> Void
    ) {
        inAppMessages = DemoInAppMessages(show: showMessage)
        let application = UIApplication(
            shimRegister: register,
            shimOpen: { url in
                await show(url)
                return true
            }
        )
        self.application = application
        self.center = center
        // Called from any thread, like Apple's class, which is not marked `Sendable` either.
        nonisolated(unsafe) let sharedCenter = center
        delegate = DemoAppDelegate(
            noroshi: Noroshi(
                configuration: configuration,
                dependencies: dependencies,
                platform: .apple(
                    application: { application },
                    observed: application,
                    center: { sharedCenter }
                )
            ),
            center: center,
            firstUser: firstUser,
            show: show,
            log: log
        )
        application.delegate = delegate
        delegate.noroshi.inAppMessages.presenter = inAppMessages
        _ = delegate.application(application, didFinishLaunchingWithOptions: nil)
    }

    var noroshi: Noroshi { delegate.noroshi }

    func move(to state: UIApplication.State) {
        application.shimMove(to: state)
    }

    /// Asks the app how to present a notification that arrives while it is in the foreground.
    func present(
        _ description: NotificationDescription
    ) async -> UNNotificationPresentationOptions {
        await withCheckedContinuation { continuation in
            guard let handler = center.delegate else {
                continuation.resume(returning: [])
                return
            }
            handler.userNotificationCenter(center, willPresent: description.notification()) {
                continuation.resume(returning: $0)
            }
        }
    }

    /// Passes the user's response to the app.
    func respond(
        to description: NotificationDescription,
        action: String,
        text: String?
    ) async {
        await withCheckedContinuation { continuation in
            guard let handler = center.delegate else {
                continuation.resume()
                return
            }
            let notification = description.notification()
            let response =
                text.map {
                    UNTextInputNotificationResponse(
                        shimNotification: notification,
                        actionIdentifier: action,
                        userText: $0
                    )
                }
                ?? UNNotificationResponse(
                    shimNotification: notification,
                    actionIdentifier: action
                )
            handler.userNotificationCenter(center, didReceive: response) {
                continuation.resume()
            }
        }
    }

    /// Logs out, and registers for pushes again for whoever comes next.
    func logOut() async {
        await noroshi.logout()
        noroshi.enabled = true
        application.registerForRemoteNotifications()
    }

    /// Wakes the app with a silent push.
    func wake(with description: NotificationDescription) async {
        await withCheckedContinuation { continuation in
            delegate.application(
                application,
                didReceiveRemoteNotification: description.userInfo
            ) { _ in continuation.resume() }
        }
    }
}
