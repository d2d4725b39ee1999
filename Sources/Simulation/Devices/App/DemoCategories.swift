import UserNotifications

/// The kinds of notification that the demo app declares.
enum DemoCategories {
    static var all: Set<UNNotificationCategory> {
        [
            UNNotificationCategory(
                identifier: "noroshi_accept_decline",
                actions: [
                    UNNotificationAction(
                        identifier: "accept",
                        title: "Accept",
                        options: [.foreground]
                    ),
                    UNNotificationAction(
                        identifier: "decline",
                        title: "Decline",
                        options: [.destructive]
                    ),
                ],
                intentIdentifiers: [],
                options: [.customDismissAction]
            ),
            UNNotificationCategory(
                identifier: "noroshi_reply",
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
            ),
        ]
    }
}
