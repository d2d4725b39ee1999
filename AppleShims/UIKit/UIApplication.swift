import Foundation

/// The running app.
/// <https://developer.apple.com/documentation/uikit/uiapplication>
@MainActor
open class UIApplication: UIResponder {
    /// <https://developer.apple.com/documentation/uikit/uiapplication/shared>
    @available(iOSApplicationExtension, unavailable)
    public static let shared = UIApplication(shimRegister: nil, shimOpen: nil)

    private let register: (@Sendable () async throws -> Data)?
    private let openAddress: (@Sendable (URL) async -> Bool)?
    private var state = State.background
    private var isRegistered = false

    /// Shim only: a separate app, because several virtual phones share one process. `shimRegister`
    /// returns a device token, `shimOpen` opens a URL.
    public init(
        shimRegister: (@Sendable () async throws -> Data)?,
        shimOpen: (@Sendable (URL) async -> Bool)?
    ) {
        register = shimRegister
        openAddress = shimOpen
    }

    /// <https://developer.apple.com/documentation/uikit/uiapplication/delegate>
    open weak var delegate: (any UIApplicationDelegate)?

    /// <https://developer.apple.com/documentation/uikit/uiapplication/state>
    public enum State: Int, Sendable {
        case active = 0
        case inactive = 1
        case background = 2
    }

    /// <https://developer.apple.com/documentation/uikit/uiapplication/applicationstate>
    open var applicationState: State { state }

    /// Shim only: the screens of the app.
    public var shimScenes: Set<UIScene> = []

    /// <https://developer.apple.com/documentation/uikit/uiapplication/connectedscenes>
    open var connectedScenes: Set<UIScene> { shimScenes }

    /// <https://developer.apple.com/documentation/uikit/uiapplication/isregisteredforremotenotifications>
    open var isRegisteredForRemoteNotifications: Bool { isRegistered }

    /// <https://developer.apple.com/documentation/uikit/uiapplication/registerforremotenotifications()>
    open func registerForRemoteNotifications() {
        guard let register else { return }
        isRegistered = true
        Task {
            do {
                let token = try await register()
                delegate?.application(self, didRegisterForRemoteNotificationsWithDeviceToken: token)
            } catch {
                delegate?.application(self, didFailToRegisterForRemoteNotificationsWithError: error)
            }
        }
    }

    /// <https://developer.apple.com/documentation/uikit/uiapplication/unregisterforremotenotifications()>
    open func unregisterForRemoteNotifications() {
        isRegistered = false
    }

    /// <https://developer.apple.com/documentation/uikit/uiapplication/open(_:options:completionhandler:)>
    open func open(
        _ url: URL,
        options: [OpenExternalURLOptionsKey: Any] = [:],
        completionHandler completion: (@MainActor @Sendable (Bool) -> Void)? = nil
    ) {
        guard let openAddress else {
            completion?(false)
            return
        }
        Task {
            let isOpened = await openAddress(url)
            completion?(isOpened)
        }
    }

    /// <https://developer.apple.com/documentation/uikit/uiapplication/applicationiconbadgenumber>
    open var applicationIconBadgeNumber = 0

    private nonisolated let tasks = BackgroundTasks()

    /// <https://developer.apple.com/documentation/uikit/uiapplication/beginbackgroundtask(withname:expirationhandler:)>
    open nonisolated func beginBackgroundTask(
        withName taskName: String?,
        expirationHandler handler: (@MainActor @Sendable () -> Void)? = nil
    ) -> UIBackgroundTaskIdentifier {
        tasks.begin(handler)
    }

    /// <https://developer.apple.com/documentation/uikit/uiapplication/endbackgroundtask(_:)>
    open nonisolated func endBackgroundTask(_ identifier: UIBackgroundTaskIdentifier) {
        tasks.end(identifier)
    }

    /// Shim only: number of background tasks that keep the app from being suspended.
    public nonisolated var shimBackgroundTaskCount: Int { tasks.count }

    /// Shim only: ends the time in the background. An app that still has a task afterwards is
    /// killed by the system.
    public func shimExpireBackgroundTasks() {
        for handler in tasks.expirationHandlers { handler() }
    }

    /// Shim only: whether the system suspends the app's threads now.
    public var shimIsSuspended: Bool { state == .background && tasks.count == 0 }

    /// <https://developer.apple.com/documentation/uikit/uiapplication/openexternalurloptionskey>
    public struct OpenExternalURLOptionsKey: RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// <https://developer.apple.com/documentation/uikit/uiapplication/launchoptionskey>
    public struct LaunchOptionsKey: RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        public static let remoteNotification = LaunchOptionsKey(
            rawValue: "UIApplicationLaunchOptionsRemoteNotificationKey"
        )
        public static let url = LaunchOptionsKey(rawValue: "UIApplicationLaunchOptionsURLKey")
    }

    /// <https://developer.apple.com/documentation/uikit/uiapplication/didbecomeactivenotification>
    public nonisolated static let didBecomeActiveNotification = Notification.Name(
        "UIApplicationDidBecomeActiveNotification"
    )
    /// <https://developer.apple.com/documentation/uikit/uiapplication/didenterbackgroundnotification>
    public nonisolated static let didEnterBackgroundNotification = Notification.Name(
        "UIApplicationDidEnterBackgroundNotification"
    )
    /// <https://developer.apple.com/documentation/uikit/uiapplication/willterminatenotification>
    public nonisolated static let willTerminateNotification = Notification.Name(
        "UIApplicationWillTerminateNotification"
    )

    /// Shim only: moves the app to `state` and notifies its observers.
    public func shimMove(to state: State) {
        guard self.state != state else { return }
        self.state = state
        switch state {
        case .active:
            NotificationCenter.default.post(name: Self.didBecomeActiveNotification, object: self)
        case .background:
            NotificationCenter.default.post(name: Self.didEnterBackgroundNotification, object: self)
        case .inactive:
            break
        }
    }
}

/// <https://developer.apple.com/documentation/uikit/uiresponder>
@MainActor
open class UIResponder: NSObject {
    public nonisolated override init() {
        super.init()
    }
}

/// <https://developer.apple.com/documentation/uikit/uibackgroundtaskidentifier>
public struct UIBackgroundTaskIdentifier: RawRepresentable, Hashable, Sendable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// <https://developer.apple.com/documentation/uikit/uibackgroundtaskidentifier/invalid>
    public static let invalid = UIBackgroundTaskIdentifier(rawValue: 0)
}

/// The background tasks of an app, which begin and end on any thread.
private final class BackgroundTasks: @unchecked Sendable {
    // `@unchecked` holds because the two variables are touched only between `lock` and `unlock`.
    private let lock = NSLock()
    private var last = 0
    private var running: [Int: (@MainActor @Sendable () -> Void)?] = [:]

    func begin(_ handler: (@MainActor @Sendable () -> Void)?) -> UIBackgroundTaskIdentifier {
        lock.lock()
        defer { lock.unlock() }
        last += 1
        running[last] = .some(handler)
        return UIBackgroundTaskIdentifier(rawValue: last)
    }

    func end(_ identifier: UIBackgroundTaskIdentifier) {
        lock.lock()
        defer { lock.unlock() }
        running[identifier.rawValue] = nil
    }

    var count: Int {
        lock.lock()
        defer { lock.unlock() }
        return running.count
    }

    var expirationHandlers: [@MainActor @Sendable () -> Void] {
        lock.lock()
        defer { lock.unlock() }
        return running.values.compactMap { $0 }
    }
}
