import Foundation

/// The running app on a Mac.
/// <https://developer.apple.com/documentation/appkit/nsapplication>
@MainActor
open class NSApplication: NSObject {
    /// <https://developer.apple.com/documentation/appkit/nsapplication/shared>
    public static let shared = NSApplication(shimRegister: nil)

    private let register: (@Sendable () -> Void)?

    /// Shim only: a separate app; `shimRegister` is called to register for notifications.
    public init(shimRegister: (@Sendable () -> Void)?) {
        register = shimRegister
    }

    /// <https://developer.apple.com/documentation/appkit/nsapplication/isactive>
    open private(set) var isActive = false

    /// <https://developer.apple.com/documentation/appkit/nsapplication/docktile>
    public let dockTile = NSDockTile()

    /// <https://developer.apple.com/documentation/appkit/nsapplication/registerforremotenotifications()>
    open func registerForRemoteNotifications() {
        register?()
    }

    /// <https://developer.apple.com/documentation/appkit/nsapplication/didbecomeactivenotification>
    public nonisolated static let didBecomeActiveNotification = Notification.Name(
        "NSApplicationDidBecomeActiveNotification"
    )
    /// <https://developer.apple.com/documentation/appkit/nsapplication/didresignactivenotification>
    public nonisolated static let didResignActiveNotification = Notification.Name(
        "NSApplicationDidResignActiveNotification"
    )

    /// Shim only: brings the app to the front, or sends it back, and notifies its observers.
    public func shimSetActive(_ isActive: Bool) {
        guard self.isActive != isActive else { return }
        self.isActive = isActive
        NotificationCenter.default.post(
            name: isActive ? Self.didBecomeActiveNotification : Self.didResignActiveNotification,
            object: self
        )
    }
}

/// <https://developer.apple.com/documentation/appkit/nsdocktile>
@MainActor
open class NSDockTile: NSObject {
    nonisolated override init() {
        super.init()
    }

    /// <https://developer.apple.com/documentation/appkit/nsdocktile/badgelabel>
    open var badgeLabel: String?
}

/// <https://developer.apple.com/documentation/appkit/nsworkspace>
open class NSWorkspace: NSObject {
    /// <https://developer.apple.com/documentation/appkit/nsworkspace/shared>
    // The object has no mutable state.
    public nonisolated(unsafe) static let shared = NSWorkspace()

    override init() {
        super.init()
    }

    /// Nothing opens on Linux.
    /// <https://developer.apple.com/documentation/appkit/nsworkspace/open(_:)>
    open func open(_ url: URL) -> Bool { false }
}
