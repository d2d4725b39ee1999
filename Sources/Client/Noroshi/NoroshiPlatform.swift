import Foundation

/// The services that the SDK needs from the system, in the SDK's own terms.
public struct NoroshiPlatform: Sendable {
    /// Opens a URL; `false` if no app could open it.
    public var open: @Sendable (URL) async -> Bool
    /// Shows a web page (`http` or `https`) over the app's screen; `false` if there is no screen.
    public var openInApp: @Sendable (URL) async -> Bool
    /// Sets the number on the app's icon.
    public var setBadge: @Sendable (Int) -> Void
    /// The user's authorization: `authorized`, `provisional`, `ephemeral`, `denied` or
    /// `notDetermined`.
    public var pushAuthorization: @Sendable () async -> String
    /// Asks the user for permission to send notifications and, if it is granted, registers for
    /// them; returns whether it was granted.
    public var requestPushAuthorization: @Sendable () async -> Bool
    /// Whether the app is in the foreground now.
    public var isActive: @Sendable () async -> Bool
    /// Asks the system not to suspend the app yet; calls `onExpire` when the system stops waiting.
    /// Returns a function that ends the request.
    public var beginBackgroundWork:
        @Sendable (_ onExpire: @escaping @Sendable () -> Void) -> @Sendable () -> Void
    /// Calls the first function whenever the app has come to the foreground, and immediately if it
    /// is there already, and the second when it has left it; returns a function that ends the
    /// observation.
    public var observeLifecycle:
        @Sendable (
            _ onActive: @escaping @Sendable () -> Void,
            _ onBackground: @escaping @Sendable () -> Void
        ) -> @Sendable () -> Void

    /// A platform with these functions.
    public init(
        open: @escaping @Sendable (URL) async -> Bool,
        openInApp: @escaping @Sendable (URL) async -> Bool = { _ in false },
        setBadge: @escaping @Sendable (Int) -> Void,
        pushAuthorization: @escaping @Sendable () async -> String,
        requestPushAuthorization: @escaping @Sendable () async -> Bool = { false },
        isActive: @escaping @Sendable () async -> Bool,
        beginBackgroundWork:
            @escaping @Sendable (_ onExpire: @escaping @Sendable () -> Void)
            -> @Sendable () -> Void = { _ in {} },
        observeLifecycle:
            @escaping @Sendable (
                _ onActive: @escaping @Sendable () -> Void,
                _ onBackground: @escaping @Sendable () -> Void
            ) -> @Sendable () -> Void
    ) {
        self.open = open
        self.openInApp = openInApp
        self.setBadge = setBadge
        self.pushAuthorization = pushAuthorization
        self.requestPushAuthorization = requestPushAuthorization
        self.isActive = isActive
        self.beginBackgroundWork = beginBackgroundWork
        self.observeLifecycle = observeLifecycle
    }

    /// A system without a screen: nothing opens, and the app calls `applicationDidBecomeActive()`
    /// and `applicationDidEnterBackground()` itself.
    public static let none = NoroshiPlatform(
        open: { _ in false },
        setBadge: { _ in },
        pushAuthorization: { "notDetermined" },
        isActive: { false },
        observeLifecycle: { _, _ in {} }
    )

    /// The system that this code runs on.
    @available(iOSApplicationExtension, unavailable)
    public static var current: NoroshiPlatform {
        #if os(Linux)
        .none
        #elseif canImport(UIKit) && canImport(UserNotifications)
        .apple()
        #elseif canImport(AppKit) && canImport(UserNotifications)
        .appKit()
        #else
        .none
        #endif
    }
}

/// Observes the app's life cycle until it is released.
final class LifecycleObserver: Sendable {
    private let end: @Sendable () -> Void

    init(
        platform: NoroshiPlatform,
        onActive: @escaping @Sendable () -> Void,
        onBackground: @escaping @Sendable () -> Void
    ) {
        end = platform.observeLifecycle(onActive, onBackground)
    }

    deinit {
        end()
    }
}
