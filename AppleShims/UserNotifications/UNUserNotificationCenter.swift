import Foundation

/// The central object for notifications.
/// <https://developer.apple.com/documentation/usernotifications/unusernotificationcenter>
open class UNUserNotificationCenter: NSObject {
    private let storage = LockedStorage()

    fileprivate struct Storage {
        weak var delegate: (any UNUserNotificationCenterDelegate)?
        var categories: Set<UNNotificationCategory> = []
        var delivered: [UNNotification] = []
        var badge = 0
        var settings = UNNotificationSettings(shimStatus: .notDetermined)
        var prompt: (@Sendable (UNAuthorizationOptions) async -> Bool)?
        var onChange: (@Sendable () -> Void)?
    }

    // Apple's class is not `Sendable` either; the state is protected by a lock.
    private nonisolated(unsafe) static let processCenter = UNUserNotificationCenter(
        shimName: "process"
    )

    /// Shim only: a separate center, because several virtual phones share one process.
    public init(shimName: String) {
        super.init()
    }

    /// <https://developer.apple.com/documentation/usernotifications/unusernotificationcenter/current()>
    open class func current() -> UNUserNotificationCenter { processCenter }

    private func withStorage<Result>(_ body: (inout Storage) throws -> Result) rethrows -> Result {
        try storage.withLock(body)
    }

    /// Calls back on one of the system's threads, as Apple's center does.
    private func answer(_ body: @escaping @Sendable () -> Void) {
        DispatchQueue.global().async(execute: body)
    }

    /// <https://developer.apple.com/documentation/usernotifications/unusernotificationcenter/delegate>
    open weak var delegate: (any UNUserNotificationCenterDelegate)? {
        get { withStorage { $0.delegate } }
        set { withStorage { $0.delegate = newValue } }
    }

    /// <https://developer.apple.com/documentation/usernotifications/unusernotificationcenter/requestauthorization(options:completionhandler:)>
    open func requestAuthorization(
        options: UNAuthorizationOptions = [],
        completionHandler: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        let status = withStorage { $0.settings.authorizationStatus }
        if options.contains(.provisional), status == .notDetermined {
            shimSetAuthorization(.provisional)
            answer { completionHandler(true, nil) }
            return
        }
        let asks = status == .notDetermined || status == .provisional
        guard asks, let prompt = withStorage({ $0.prompt }) else {
            answer { completionHandler(status == .authorized || status == .provisional, nil) }
            return
        }
        let storage = storage
        Task {
            let isGranted = await prompt(options)
            let status = isGranted ? UNAuthorizationStatus.authorized : .denied
            storage.change { $0.settings = UNNotificationSettings(shimStatus: status) }
            completionHandler(isGranted, nil)
        }
    }

    /// <https://developer.apple.com/documentation/usernotifications/unusernotificationcenter/requestauthorization(options:completionhandler:)>
    open func requestAuthorization(options: UNAuthorizationOptions = []) async throws -> Bool {
        try await withCheckedThrowingContinuation { continuation in
            requestAuthorization(options: options) { isGranted, error in
                if let error {
                    continuation.resume(throwing: error)
                } else {
                    continuation.resume(returning: isGranted)
                }
            }
        }
    }

    /// <https://developer.apple.com/documentation/usernotifications/unusernotificationcenter/setnotificationcategories(_:)>
    open func setNotificationCategories(_ categories: Set<UNNotificationCategory>) {
        withStorage { $0.categories = categories }
    }

    /// <https://developer.apple.com/documentation/usernotifications/unusernotificationcenter/getnotificationcategories(completionhandler:)>
    open func getNotificationCategories(
        completionHandler: @escaping @Sendable (Set<UNNotificationCategory>) -> Void
    ) {
        let storage = storage
        answer { completionHandler(storage.withLock { $0.categories }) }
    }

    /// <https://developer.apple.com/documentation/usernotifications/unusernotificationcenter/getnotificationsettings(completionhandler:)>
    open func getNotificationSettings(
        completionHandler: @escaping @Sendable (UNNotificationSettings) -> Void
    ) {
        let storage = storage
        answer { completionHandler(storage.withLock { $0.settings }) }
    }

    /// <https://developer.apple.com/documentation/usernotifications/unusernotificationcenter/getdeliverednotifications(completionhandler:)>
    open func getDeliveredNotifications(
        completionHandler: @escaping @Sendable ([UNNotification]) -> Void
    ) {
        let storage = storage
        answer { completionHandler(storage.withLock { $0.delivered }) }
    }

    /// <https://developer.apple.com/documentation/usernotifications/unusernotificationcenter/removedeliverednotifications(withidentifiers:)>
    open func removeDeliveredNotifications(withIdentifiers identifiers: [String]) {
        changed { storage in
            storage.delivered.removeAll { identifiers.contains($0.request.identifier) }
        }
    }

    /// <https://developer.apple.com/documentation/usernotifications/unusernotificationcenter/removealldeliverednotifications()>
    open func removeAllDeliveredNotifications() {
        changed { $0.delivered = [] }
    }

    /// <https://developer.apple.com/documentation/usernotifications/unusernotificationcenter/setbadgecount(_:withcompletionhandler:)>
    @available(iOS 16.0, macOS 13.0, *)
    open func setBadgeCount(
        _ newBadgeCount: Int,
        withCompletionHandler completionHandler: (@Sendable ((any Error)?) -> Void)? = nil
    ) {
        guard newBadgeCount >= 0 else {
            answer { completionHandler?(UNError(.badgeInputInvalid)) }
            return
        }
        changed { $0.badge = newBadgeCount }
        answer { completionHandler?(nil) }
    }

    private func changed(_ body: (inout Storage) -> Void) {
        storage.change(body)
    }
}

/// The state of a center, whose methods may be called from any thread.
private final class LockedStorage: @unchecked Sendable {
    // `@unchecked` holds because `value` is touched only between `lock` and `unlock`.
    private let lock = NSLock()
    private var value = UNUserNotificationCenter.Storage()

    func withLock<Result>(
        _ body: (inout UNUserNotificationCenter.Storage) throws -> Result
    ) rethrows -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }

    /// Changes the state that the virtual phone shows, and notifies it.
    func change(_ body: (inout UNUserNotificationCenter.Storage) -> Void) {
        let onChange = withLock { value in
            body(&value)
            return value.onChange
        }
        onChange?()
    }
}

/// The methods with which a virtual phone simulates the system.
extension UNUserNotificationCenter {
    /// Shim only: the badge that the home screen shows.
    public var shimBadge: Int { withStorage { $0.badge } }

    /// Shim only: the notifications on the lock screen, oldest first.
    public var shimDelivered: [UNNotification] { withStorage { $0.delivered } }

    /// Shim only: the category `identifier` that the app has declared.
    public func shimCategory(_ identifier: String) -> UNNotificationCategory? {
        withStorage { $0.categories.first { $0.identifier == identifier } }
    }

    /// Shim only: the user's authorization.
    public var shimAuthorization: UNAuthorizationStatus {
        withStorage { $0.settings.authorizationStatus }
    }

    /// Shim only: sets the user's answer, or changes the system's settings.
    public func shimSetAuthorization(_ status: UNAuthorizationStatus) {
        changed { $0.settings = UNNotificationSettings(shimStatus: status) }
    }

    /// Shim only: sets the prompt; without one the first request is denied.
    public func shimSetPrompt(_ prompt: @escaping @Sendable (UNAuthorizationOptions) async -> Bool)
    {
        withStorage { $0.prompt = prompt }
    }

    /// Shim only: called after the badge, the settings or the lock screen changed.
    public func shimSetOnChange(_ onChange: @escaping @Sendable () -> Void) {
        withStorage { $0.onChange = onChange }
    }

    /// Shim only: shows a notification, replacing one with the same identifier.
    public func shimDeliver(_ notification: UNNotification) {
        changed { storage in
            storage.delivered.removeAll {
                $0.request.identifier == notification.request.identifier
            }
            storage.delivered.append(notification)
        }
    }
}

/// The user's notification settings for the app.
/// <https://developer.apple.com/documentation/usernotifications/unnotificationsettings>
open class UNNotificationSettings: NSObject {
    /// <https://developer.apple.com/documentation/usernotifications/unnotificationsettings/authorizationstatus>
    public let authorizationStatus: UNAuthorizationStatus

    /// Shim only: Apple's class is made by the system alone.
    public init(shimStatus status: UNAuthorizationStatus) {
        authorizationStatus = status
    }

    /// <https://developer.apple.com/documentation/usernotifications/unnotificationsettings/alertsetting>
    open var alertSetting: UNNotificationSetting { allowed }
    /// <https://developer.apple.com/documentation/usernotifications/unnotificationsettings/badgesetting>
    open var badgeSetting: UNNotificationSetting { allowed }
    /// <https://developer.apple.com/documentation/usernotifications/unnotificationsettings/soundsetting>
    open var soundSetting: UNNotificationSetting { allowed }

    private var allowed: UNNotificationSetting {
        switch authorizationStatus {
        case .authorized, .provisional, .ephemeral: .enabled
        case .denied, .notDetermined: .disabled
        }
    }
}
