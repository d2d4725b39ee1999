import Foundation
import Noroshi
import UIKit
import UserNotifications

// The calls of the guides' snippets, in an app, with the import and the type name changed.

/// The guide on push analytics: an app with handlers of its own forwards to the SDK.
@MainActor
final class AppDelegate: NSObject, UIApplicationDelegate {
    nonisolated(unsafe) static var noroshi: Noroshi?

    func application(
        _ application: UIApplication,
        didReceiveRemoteNotification userInfo: [AnyHashable: Any],
        fetchCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
    ) {
        if let noroshi = AppDelegate.noroshi,
            noroshi.notifications.handleBackgroundNotification(
                userInfo: userInfo,
                fetchCompletionHandler: completionHandler
            )
        {
            return
        }
        completionHandler(.noData)
    }
}

extension AppDelegate: UNUserNotificationCenterDelegate {
    nonisolated func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping () -> Void
    ) {
        if let noroshi = AppDelegate.noroshi,
            noroshi.notifications.handleUserNotification(
                response: response,
                withCompletionHandler: completionHandler
            )
        {
            return
        }
        completionHandler()
    }

    nonisolated func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        willPresent notification: UNNotification,
        withCompletionHandler completionHandler:
            @escaping (UNNotificationPresentationOptions) -> Void
    ) {
        if let noroshi = AppDelegate.noroshi {
            noroshi.notifications.handleForegroundNotification(notification: notification)
        }
        if #available(iOS 14.0, *) {
            completionHandler([.banner, .list, .sound])
        } else {
            completionHandler([.alert, .sound])
        }
    }
}

/// The guide's storage for what an extension leaves to the app.
enum RemoteStorageKey: String, CaseIterable {
    case pendingCustomEvents = "pending_custom_events"
    case pendingCustomAttributes = "pending_custom_attributes"
    case pendingUserAttributes = "pending_user_attributes"
}

/// The guide's pending user attribute.
enum UserAttribute: Hashable, Codable {
    case email(String?)

    private enum CodingKeys: String, CodingKey {
        case email
    }

    func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .email(let email): try values.encodeIfPresent(email, forKey: .email)
        }
    }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        self = .email(try values.decodeIfPresent(String.self, forKey: .email))
    }
}

/// The guides' sending of what an extension has left, as their apps do it at the start.
struct PendingSender {
    let remoteStorage: UserDefaults

    func logPendingCustomEventsIfNecessary() {
        guard
            let pendingEvents = remoteStorage.object(
                forKey: RemoteStorageKey.pendingCustomEvents.rawValue
            ) as? [[String: Any]]
        else { return }
        for event in pendingEvents {
            var eventName: String?
            var properties: [AnyHashable: Any] = [:]
            for (key, value) in event {
                if key == "event_name" {
                    if let eventNameValue = value as? String { eventName = eventNameValue }
                } else {
                    properties[key] = value
                }
            }
            if let eventName = eventName {
                AppDelegate.noroshi?.logCustomEvent(name: eventName, properties: properties)
                AppDelegate.noroshi?.logCustomEvent(eventName, properties: properties)
            }
        }
    }

    func setCustomAttributesWith(keysAndValues: [String: Any]) {
        for (key, value) in keysAndValues {
            if let value = value as? [String] {
                AppDelegate.noroshi?.user.setCustomAttributeArrayWithKey(key, andValue: value)
            } else {
                AppDelegate.noroshi?.user.setCustomAttributeWithKey(key, andValue: value)
            }
        }
    }

    func logPendingUserAttributesIfNecessary() {
        guard
            let pendingAttributes = remoteStorage.object(
                forKey: RemoteStorageKey.pendingUserAttributes.rawValue
            ) as? [Data]
        else { return }
        for attributeData in pendingAttributes {
            guard
                let userAttribute = try? PropertyListDecoder().decode(
                    UserAttribute.self,
                    from: attributeData
                )
            else { continue }
            switch userAttribute {
            case .email(let email):
                AppDelegate.noroshi?.user.set(email: email)
            }
        }
    }

    /// The older spelling of the same guide.
    func setEmail(_ email: String?) {
        let user = AppDelegate.noroshi?.user
        user?.email = email
    }
}
