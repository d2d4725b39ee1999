// swift 6: conformance of 'Screen' to protocol 'UNNotificationContentExtension' crosses into main actor
import UIKit
import UserNotifications
import UserNotificationsUI

final class Screen: UIViewController, UNNotificationContentExtension {
    func didReceive(_ notification: UNNotification) {}

    func didReceive(
        _ response: UNNotificationResponse,
        completionHandler completion:
            @escaping @Sendable (UNNotificationContentExtensionResponseOption) -> Void
    ) {
        completion(.dismiss)
    }
}
