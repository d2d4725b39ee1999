// swift 6: capture of 'center' with non-Sendable type 'UNUserNotificationCenter'
import UserNotifications

func keep(_ center: UNUserNotificationCenter) {
    center.getNotificationCategories { center.setNotificationCategories($0) }
}
