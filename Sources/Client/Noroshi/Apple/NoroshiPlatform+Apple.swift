#if canImport(UIKit) && canImport(UserNotifications)
import Foundation
import UIKit
import UserNotifications

#if canImport(SafariServices)
import SafariServices
#endif

extension NoroshiPlatform {
    /// UIKit and UserNotifications. The app and the notification center are those of the process
    /// unless others are given, as on virtual phones.
    @available(iOSApplicationExtension, unavailable)
    package static func apple(
        application: @escaping @MainActor @Sendable () -> UIApplication = { .shared },
        observed: UIApplication? = nil,
        center: @escaping @Sendable () -> UNUserNotificationCenter = { .current() }
    ) -> NoroshiPlatform {
        NoroshiPlatform(
            open: { url in await open(url, with: application) },
            openInApp: { url in await browse(to: url, over: application) },
            setBadge: { count in setBadge(count, center: center, application: application) },
            pushAuthorization: { await authorization(from: center) },
            requestPushAuthorization: {
                let isGranted = await askForAuthorization(center: center)
                if isGranted { await application().registerForRemoteNotifications() }
                return isGranted
            },
            isActive: { await application().applicationState == .active },
            beginBackgroundWork: { onExpire in
                let task = BackgroundTask()
                // UIKit reports the app's life cycle on the main thread, and suspends the app soon
                // after.
                MainThread.run { task.begin(on: application(), onExpire: onExpire) }
                return { task.end() }
            },
            observeLifecycle: { onActive, onBackground in
                // The SDK may be created late, for example after a login.
                Task { @MainActor in
                    if application().applicationState == .active { onActive() }
                }
                return observe(
                    active: UIApplication.didBecomeActiveNotification,
                    background: UIApplication.didEnterBackgroundNotification,
                    of: observed,
                    onActive,
                    onBackground
                )
            }
        )
    }

    @MainActor
    private static func open(
        _ url: URL,
        with application: @MainActor @Sendable () -> UIApplication
    ) async -> Bool {
        await withCheckedContinuation { continuation in
            application().open(url, options: [:]) { continuation.resume(returning: $0) }
        }
    }

    /// Shows a page over the app's current screen; `false` if there is no screen, or UIKit rejects
    /// it.
    @MainActor
    private static func browse(
        to url: URL,
        over application: @MainActor @Sendable () -> UIApplication
    ) -> Bool {
        #if canImport(SafariServices)
        let window = application().connectedScenes.lazy
            .compactMap { $0 as? UIWindowScene }
            .first { $0.activationState == .foregroundActive }?
            .keyWindow
        guard var top = window?.rootViewController else { return false }
        while let next = top.presentedViewController, !next.isBeingDismissed { top = next }
        let page = SFSafariViewController(url: url)
        top.present(page, animated: true)
        return page.presentingViewController != nil
        #else
        return false
        #endif
    }

    private static func setBadge(
        _ count: Int,
        center: @Sendable () -> UNUserNotificationCenter,
        application: @escaping @MainActor @Sendable () -> UIApplication
    ) {
        if #available(iOS 16.0, macCatalyst 16.0, macOS 13.0, tvOS 16.0, *) {
            center().setBadgeCount(count)
        } else {
            Task { @MainActor in application().applicationIconBadgeNumber = count }
        }
    }
}

/// A request to the system not to suspend the app; it is ended exactly once.
private final class BackgroundTask: Sendable {
    private struct State {
        var end: (@Sendable () -> Void)?
        var hasEnded = false
    }

    private let state = Locked(State())

    @MainActor
    func begin(on application: UIApplication, onExpire: @escaping @Sendable () -> Void) {
        let identifier = application.beginBackgroundTask(withName: "Noroshi") { onExpire() }
        let isLate = state.withLock { state in
            state.end = { application.endBackgroundTask(identifier) }
            return state.hasEnded
        }
        if isLate { end() }
    }

    func end() {
        let end = state.withLock { state in
            defer { state.end = nil }
            state.hasEnded = true
            return state.end
        }
        end?()
    }
}
#endif
