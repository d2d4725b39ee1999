import Foundation
import NoroshiExtensions
import UserNotifications
import UserNotificationsUI

// The calls of the guides' content-extension snippets.

/// The guides' controller of an expanded notification.
@MainActor
final class NotificationViewController: NSObject, @preconcurrency UNNotificationContentExtension {
    private(set) var values: [String] = []
    private(set) var problem: String?

    func didReceive(_ notification: UNNotification) {
        let userInfo = notification.request.content.userInfo
        guard
            let value = userInfo["YOUR-KEY-VALUE-PAIR"] as? String,
            let otherValue = userInfo["YOUR-OTHER-KEY-VALUE-PAIR"] as? String
        else {
            // Where the guides end the process, the SDK says what is missing.
            do {
                let content = try NoroshiNotificationContent(notification)
                values = [
                    try content.text("YOUR-KEY-VALUE-PAIR"),
                    try content.text("YOUR-OTHER-KEY-VALUE-PAIR"),
                ]
            } catch {
                problem = "\(error)"
            }
            return
        }
        values = [value, otherValue]
    }

    func didReceive(
        _ response: UNNotificationResponse,
        completionHandler completion:
            @escaping (UNNotificationContentExtensionResponseOption) -> Void
    ) {
        switch response.actionIdentifier {
        case "YOUR-REGISTER-IDENTIFIER": completion(.dismiss)
        case "YOUR-OTHER-IDENTIFIER": completion(.doNotDismiss)
        default: completion(.dismissAndForward)
        }
    }
}
