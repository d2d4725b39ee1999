import Foundation
import UIKit
import UserNotifications

/// A view controller that draws an expanded notification.
/// <https://developer.apple.com/documentation/usernotificationsui/unnotificationcontentextension>
public protocol UNNotificationContentExtension: NSObjectProtocol {
    /// <https://developer.apple.com/documentation/usernotificationsui/unnotificationcontentextension/didreceive(_:)>
    @MainActor
    func didReceive(_ notification: UNNotification)

    /// <https://developer.apple.com/documentation/usernotificationsui/unnotificationcontentextension/didreceive(_:completionhandler:)>
    func didReceive(
        _ response: UNNotificationResponse,
        completionHandler completion:
            @escaping @Sendable (UNNotificationContentExtensionResponseOption) -> Void
    )
}

/// In Apple's protocol the second method is optional; without it a response closes the notification
/// and goes to the app.
extension UNNotificationContentExtension {
    public func didReceive(
        _ response: UNNotificationResponse,
        completionHandler completion:
            @escaping @Sendable (UNNotificationContentExtensionResponseOption) -> Void
    ) {
        completion(.dismissAndForwardAction)
    }
}

/// <https://developer.apple.com/documentation/usernotificationsui/unnotificationcontentextensionresponseoption>
public enum UNNotificationContentExtensionResponseOption: UInt, Sendable {
    case doNotDismiss = 0
    case dismiss = 1
    case dismissAndForwardAction = 2
}
