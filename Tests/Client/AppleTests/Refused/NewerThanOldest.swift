// finding: :12: TimeZone.gmt is of iOS 16.0.0
// finding: :12: TimeZone.gmt is of macOS 13.0.0
// finding: :14: Duration is of
// finding: :16: URL.appending(path:directoryHint:) is of
// finding: :16: URL.DirectoryHint is of
// finding: :20: TimeZone.gmt is of
// finding: :27: TimeZone.gmt is of macOS 13.0.0
// finding: :29: UNUserNotificationCenter.setBadgeCount(_:withCompletionHandler:) is of
import Foundation
import UserNotifications

func unguarded() -> TimeZone { .gmt }

func typeOfAParameter() -> (Duration) -> Void { { _ in } }

func method(_ url: URL) -> URL { url.appending(path: "a") }

func otherBranch() -> TimeZone? {
    if #available(iOS 16, macOS 13, *) { return nil }
    guard #available(iOS 16, macOS 13, *) else { return .gmt }
    return .gmt
}

func forgottenSystem() -> TimeZone? {
    guard #available(iOS 16, *) else { return nil }
    // A Mac with macOS 12 gets here too.
    return .gmt
}
func badge(_ center: UNUserNotificationCenter) { center.setBadgeCount(0) }
