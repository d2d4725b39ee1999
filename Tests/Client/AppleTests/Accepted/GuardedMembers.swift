import Foundation
import UserNotifications

@available(iOS 16, macOS 13, *)
func onNewSystems() -> TimeZone { .gmt }

func guarded(_ center: UNUserNotificationCenter) -> TimeZone? {
    guard #available(iOS 16, macOS 13, *) else { return nil }
    center.setBadgeCount(0)
    return .gmt
}

func inABranch() -> TimeZone? {
    if #available(iOS 16, macOS 13, *) { .gmt } else { TimeZone(secondsFromGMT: 0) }
}
