import Foundation

/// A notification that was delivered.
/// <https://developer.apple.com/documentation/usernotifications/unnotification>
open class UNNotification: NSObject {
    /// <https://developer.apple.com/documentation/usernotifications/unnotification/date>
    public let date: Date
    /// <https://developer.apple.com/documentation/usernotifications/unnotification/request>
    public let request: UNNotificationRequest

    /// Shim only: Apple's class is made by the system alone.
    public init(shimRequest request: UNNotificationRequest, date: Date) {
        self.request = request
        self.date = date
    }
}

/// A request for a notification.
/// <https://developer.apple.com/documentation/usernotifications/unnotificationrequest>
open class UNNotificationRequest: NSObject {
    /// <https://developer.apple.com/documentation/usernotifications/unnotificationrequest/identifier>
    public let identifier: String
    /// <https://developer.apple.com/documentation/usernotifications/unnotificationrequest/content>
    public let content: UNNotificationContent
    /// <https://developer.apple.com/documentation/usernotifications/unnotificationrequest/trigger>
    public let trigger: UNNotificationTrigger?

    public init(
        identifier: String,
        content: UNNotificationContent,
        trigger: UNNotificationTrigger?
    ) {
        self.identifier = identifier
        self.content = content
        self.trigger = trigger
    }
}

/// The trigger of a notification.
/// <https://developer.apple.com/documentation/usernotifications/unnotificationtrigger>
open class UNNotificationTrigger: NSObject {
    /// <https://developer.apple.com/documentation/usernotifications/unnotificationtrigger/repeats>
    open var repeats: Bool { false }
}

/// The trigger of a remote notification.
/// <https://developer.apple.com/documentation/usernotifications/unpushnotificationtrigger>
open class UNPushNotificationTrigger: UNNotificationTrigger {
    /// Shim only: Apple's class is made by the system alone.
    public static func shimTrigger() -> UNPushNotificationTrigger { UNPushNotificationTrigger() }
}

/// The user's response to a notification.
/// <https://developer.apple.com/documentation/usernotifications/unnotificationresponse>
open class UNNotificationResponse: NSObject {
    /// <https://developer.apple.com/documentation/usernotifications/unnotificationresponse/notification>
    public let notification: UNNotification
    /// <https://developer.apple.com/documentation/usernotifications/unnotificationresponse/actionidentifier>
    public let actionIdentifier: String

    /// Shim only: Apple's class is made by the system alone.
    public init(shimNotification notification: UNNotification, actionIdentifier: String) {
        self.notification = notification
        self.actionIdentifier = actionIdentifier
    }
}

/// The text that the user typed into a notification.
/// <https://developer.apple.com/documentation/usernotifications/untextinputnotificationresponse>
open class UNTextInputNotificationResponse: UNNotificationResponse {
    /// <https://developer.apple.com/documentation/usernotifications/untextinputnotificationresponse/usertext>
    public let userText: String

    /// Shim only: Apple's class is made by the system alone.
    public init(
        shimNotification notification: UNNotification,
        actionIdentifier: String,
        userText: String
    ) {
        self.userText = userText
        super.init(shimNotification: notification, actionIdentifier: actionIdentifier)
    }
}

/// The action of opening the app from a notification.
/// <https://developer.apple.com/documentation/usernotifications/unnotificationdefaultactionidentifier>
public let UNNotificationDefaultActionIdentifier =
    "com.apple.UNNotificationDefaultActionIdentifier"
/// The action of dismissing a notification.
/// <https://developer.apple.com/documentation/usernotifications/unnotificationdismissactionidentifier>
public let UNNotificationDismissActionIdentifier =
    "com.apple.UNNotificationDismissActionIdentifier"
