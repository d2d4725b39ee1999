import Foundation

/// <https://developer.apple.com/documentation/uikit/uiaccessibility>
public struct UIAccessibility {
    /// <https://developer.apple.com/documentation/uikit/uiaccessibility/notification>
    public struct Notification: RawRepresentable, Hashable, Sendable {
        public let rawValue: UInt32
        public init(rawValue: UInt32) { self.rawValue = rawValue }

        public static let announcement = Notification(rawValue: 1008)
    }

    /// Shim only: what the user has chosen.
    @MainActor public static var shimIsVoiceOverRunning = false
    /// Shim only: what the user has chosen.
    @MainActor public static var shimIsReduceMotionEnabled = false
    /// Shim only: what has been said, the newest last.
    @MainActor public static var shimAnnouncements: [String] = []

    /// <https://developer.apple.com/documentation/uikit/uiaccessibility/isvoiceoverrunning>
    @MainActor public static var isVoiceOverRunning: Bool { shimIsVoiceOverRunning }

    /// <https://developer.apple.com/documentation/uikit/uiaccessibility/isreducemotionenabled>
    @MainActor public static var isReduceMotionEnabled: Bool { shimIsReduceMotionEnabled }

    /// <https://developer.apple.com/documentation/uikit/uiaccessibility/post(notification:argument:)>
    @MainActor
    public static func post(notification: UIAccessibility.Notification, argument: Any?) {
        if let text = argument as? String { shimAnnouncements.append(text) }
    }
}
