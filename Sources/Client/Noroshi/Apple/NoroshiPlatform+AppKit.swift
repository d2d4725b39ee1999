#if canImport(AppKit) && canImport(UserNotifications) && !targetEnvironment(macCatalyst)
import AppKit
import Foundation
import NoroshiOutbox
import UserNotifications

extension NoroshiPlatform {
    /// AppKit and UserNotifications, for Macs. The app and the notification center are those of the
    /// process unless others are given.
    ///
    /// A Mac does not suspend its apps, so nothing must be finished when an app loses the focus.
    @available(iOSApplicationExtension, unavailable)
    package static func appKit(
        application: @escaping @MainActor @Sendable () -> NSApplication = { .shared },
        observed: NSApplication? = nil,
        center: @escaping @Sendable () -> UNUserNotificationCenter = { .current() }
    ) -> NoroshiPlatform {
        NoroshiPlatform(
            open: { url in await MainActor.run { NSWorkspace.shared.open(url) } },
            setBadge: { count in
                Task { @MainActor in
                    application().dockTile.badgeLabel = count > 0 ? "\(count)" : nil
                }
            },
            pushAuthorization: { await authorization(from: center) },
            requestPushAuthorization: {
                let isGranted = await askForAuthorization(center: center)
                if isGranted { await application().registerForRemoteNotifications() }
                return isGranted
            },
            isActive: { await application().isActive },
            observeLifecycle: { onActive, onBackground in
                // The SDK may be created late, for example after a login.
                Task { @MainActor in if application().isActive { onActive() } }
                return observe(
                    active: NSApplication.didBecomeActiveNotification,
                    background: NSApplication.didResignActiveNotification,
                    of: observed,
                    onActive,
                    onBackground
                )
            }
        )
    }
}
#endif
