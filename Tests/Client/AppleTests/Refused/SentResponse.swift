// swift 6: sending
import UserNotifications

@MainActor
func use(_ response: UNNotificationResponse) {}

func forward(_ response: UNNotificationResponse) {
    Task { @MainActor in use(response) }
}
