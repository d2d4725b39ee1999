// swift 6: conformance of 'Delegate' to protocol 'UNUserNotificationCenterDelegate' crosses into main
import Foundation
import UserNotifications

@MainActor
final class Delegate: NSObject, UNUserNotificationCenterDelegate {
    func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping @Sendable () -> Void
    ) {
        completionHandler()
    }
}
