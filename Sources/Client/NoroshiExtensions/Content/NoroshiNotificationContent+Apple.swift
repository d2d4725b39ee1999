#if canImport(UserNotifications)
import Foundation
import UserNotifications

extension NoroshiNotificationContent {
    /// The contents of a notification that a content extension received.
    public init(
        _ notification: UNNotification,
        categories: Set<String> = []
    ) throws(NoroshiContentError) {
        let content = notification.request.content
        try self.init(userInfo: content.userInfo, categories: categories)
        // A service extension may have changed the visible content.
        title = content.title
        body = content.body
        for attachment in content.attachments {
            guard let page = StoryPicture.page(ofAttachment: attachment.identifier) else {
                continue
            }
            storyPictures[page] = attachment.url
        }
    }
}
#endif

#if canImport(UserNotificationsUI)
import UserNotificationsUI

extension NoroshiContentResponse {
    /// The system's value.
    public var option: UNNotificationContentExtensionResponseOption {
        switch self {
        case .dismiss: .dismiss
        case .doNotDismiss: .doNotDismiss
        case .dismissAndForward: .dismissAndForwardAction
        }
    }
}

extension UNNotificationContentExtensionResponseOption {
    /// The name that guides use for `.dismissAndForwardAction`.
    public static var dismissAndForward: UNNotificationContentExtensionResponseOption {
        .dismissAndForwardAction
    }
}
#endif
