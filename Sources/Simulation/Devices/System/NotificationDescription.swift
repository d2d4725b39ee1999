import Foundation
import NoroshiWire
import UserNotifications

/// A notification as a value, from which Apple's objects are created on demand.
struct NotificationDescription: Sendable, Equatable {
    var identifier: String
    var date: Date
    var payload: JSONValue
    var title: String
    var subtitle: String
    var body: String
    var badge: Int?
    var category: String
    var thread: String
    var attachments: [Attachment] = []

    /// A file that the service extension has attached.
    struct Attachment: Sendable, Equatable {
        var identifier: String
        var file: URL
    }

    /// Parses a payload like the system; throws an error with the problem.
    init(_ push: PhonePush, date: Date) throws {
        payload = try JSONDecoder().decode(JSONValue.self, from: push.payload)
        guard let aps = payload["aps"], aps.objectValue != nil else {
            throw VirtualPhoneError("the payload has no aps object")
        }
        identifier = push.collapseID ?? push.id.uuidString
        self.date = date
        let alert = aps["alert"]
        title = alert?["title"]?.stringValue ?? ""
        subtitle = alert?["subtitle"]?.stringValue ?? ""
        body = alert?.stringValue ?? alert?["body"]?.stringValue ?? ""
        badge = aps["badge"]?.integerValue.map { Int(clamping: $0) }
        category = aps["category"]?.stringValue ?? ""
        thread = aps["thread-id"]?.stringValue ?? ""
    }

    var userInfo: [AnyHashable: Any] { payload.anyValue as? [String: Any] ?? [:] }
    /// The app's own key-value pairs.
    var pairs: [String: String] {
        (payload.objectValue ?? [:])
            .filter { !PushPayloadKey.reserved.contains($0.key) }
            .compactMapValues(\.stringValue)
    }
    var isVisible: Bool { !title.isEmpty || !subtitle.isEmpty || !body.isEmpty }
    var isMutable: Bool { payload["aps"]?["mutable-content"]?.integerValue == 1 }
    var wakesApp: Bool { payload["aps"]?["content-available"]?.integerValue == 1 }

    /// Applies the changes of a service extension.
    mutating func apply(_ content: UNNotificationContent) {
        // Content without text is ignored, and the original is shown.
        guard !(content.title + content.subtitle + content.body).isEmpty else { return }
        title = content.title
        subtitle = content.subtitle
        body = content.body
        badge = content.badge?.intValue ?? badge
        category = content.categoryIdentifier
        thread = content.threadIdentifier
        attachments = content.attachments.map {
            Attachment(identifier: $0.identifier, file: $0.url)
        }
    }

    func request() -> UNNotificationRequest {
        let content = UNMutableNotificationContent()
        content.title = title
        content.subtitle = subtitle
        content.body = body
        content.badge = badge.map { NSNumber(value: $0) }
        content.categoryIdentifier = category
        content.threadIdentifier = thread
        content.userInfo = userInfo
        content.attachments = attachments.compactMap {
            try? UNNotificationAttachment(identifier: $0.identifier, url: $0.file)
        }
        return UNNotificationRequest(
            identifier: identifier,
            content: content,
            trigger: UNPushNotificationTrigger.shimTrigger()
        )
    }

    func notification() -> UNNotification {
        UNNotification(shimRequest: request(), date: date)
    }
}
