import Noroshi
import UserNotifications

/// The notification categories that the demo app declares: the SDK's own, and one of the app.
enum DemoCategories {
    static var all: Set<UNNotificationCategory> {
        NoroshiNotifications.categories.union([reply])
    }

    private static var reply: UNNotificationCategory {
        UNNotificationCategory(
            identifier: "teahouse_reply",
            actions: [
                UNTextInputNotificationAction(
                    identifier: "reply",
                    title: "Reply",
                    textInputButtonTitle: "Send",
                    textInputPlaceholder: "Message"
                )
            ],
            intentIdentifiers: [],
            options: [.customDismissAction]
        )
    }
}
