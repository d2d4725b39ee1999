import Foundation

/// The contents of a notification.
/// <https://developer.apple.com/documentation/usernotifications/unnotificationcontent>
open class UNNotificationContent: NSObject, NSCopying, NSMutableCopying {
    fileprivate var storage = Storage()

    fileprivate struct Storage {
        var attachments: [UNNotificationAttachment] = []
        var badge: NSNumber?
        var body = ""
        var subtitle = ""
        var title = ""
        var categoryIdentifier = ""
        var threadIdentifier = ""
        var sound: UNNotificationSound?
        var userInfo: [AnyHashable: Any] = [:]
        var targetContentIdentifier: String?
        var interruptionLevel = UNNotificationInterruptionLevel.active
        var relevanceScore = 0.0
    }

    public override init() {
        super.init()
    }

    fileprivate init(storage: Storage) {
        super.init()
        self.storage = storage
    }

    /// <https://developer.apple.com/documentation/usernotifications/unnotificationcontent/attachments>
    open var attachments: [UNNotificationAttachment] { storage.attachments }
    /// <https://developer.apple.com/documentation/usernotifications/unnotificationcontent/badge>
    open var badge: NSNumber? { storage.badge }
    /// <https://developer.apple.com/documentation/usernotifications/unnotificationcontent/body>
    open var body: String { storage.body }
    /// <https://developer.apple.com/documentation/usernotifications/unnotificationcontent/subtitle>
    open var subtitle: String { storage.subtitle }
    /// <https://developer.apple.com/documentation/usernotifications/unnotificationcontent/title>
    open var title: String { storage.title }
    /// <https://developer.apple.com/documentation/usernotifications/unnotificationcontent/categoryidentifier>
    open var categoryIdentifier: String { storage.categoryIdentifier }
    /// <https://developer.apple.com/documentation/usernotifications/unnotificationcontent/threadidentifier>
    open var threadIdentifier: String { storage.threadIdentifier }
    /// <https://developer.apple.com/documentation/usernotifications/unnotificationcontent/sound>
    open var sound: UNNotificationSound? { storage.sound }
    /// <https://developer.apple.com/documentation/usernotifications/unnotificationcontent/userinfo>
    open var userInfo: [AnyHashable: Any] { storage.userInfo }
    /// <https://developer.apple.com/documentation/usernotifications/unnotificationcontent/targetcontentidentifier>
    open var targetContentIdentifier: String? { storage.targetContentIdentifier }
    /// <https://developer.apple.com/documentation/usernotifications/unnotificationcontent/interruptionlevel>
    open var interruptionLevel: UNNotificationInterruptionLevel { storage.interruptionLevel }
    /// <https://developer.apple.com/documentation/usernotifications/unnotificationcontent/relevancescore>
    open var relevanceScore: Double { storage.relevanceScore }

    open func copy(with zone: NSZone? = nil) -> Any {
        UNNotificationContent(storage: storage)
    }

    open func mutableCopy(with zone: NSZone? = nil) -> Any {
        UNMutableNotificationContent(storage: storage)
    }
}

/// The editable contents of a notification.
/// <https://developer.apple.com/documentation/usernotifications/unmutablenotificationcontent>
open class UNMutableNotificationContent: UNNotificationContent {
    open override var attachments: [UNNotificationAttachment] {
        get { storage.attachments }
        set { storage.attachments = newValue }
    }
    open override var badge: NSNumber? {
        get { storage.badge }
        set { storage.badge = newValue }
    }
    open override var body: String {
        get { storage.body }
        set { storage.body = newValue }
    }
    open override var subtitle: String {
        get { storage.subtitle }
        set { storage.subtitle = newValue }
    }
    open override var title: String {
        get { storage.title }
        set { storage.title = newValue }
    }
    open override var categoryIdentifier: String {
        get { storage.categoryIdentifier }
        set { storage.categoryIdentifier = newValue }
    }
    open override var threadIdentifier: String {
        get { storage.threadIdentifier }
        set { storage.threadIdentifier = newValue }
    }
    open override var sound: UNNotificationSound? {
        get { storage.sound }
        set { storage.sound = newValue }
    }
    open override var userInfo: [AnyHashable: Any] {
        get { storage.userInfo }
        set { storage.userInfo = newValue }
    }
    open override var targetContentIdentifier: String? {
        get { storage.targetContentIdentifier }
        set { storage.targetContentIdentifier = newValue }
    }
    open override var interruptionLevel: UNNotificationInterruptionLevel {
        get { storage.interruptionLevel }
        set { storage.interruptionLevel = newValue }
    }
    open override var relevanceScore: Double {
        get { storage.relevanceScore }
        set { storage.relevanceScore = newValue }
    }
}
