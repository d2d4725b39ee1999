import Foundation

/// A file shown with a notification.
/// <https://developer.apple.com/documentation/usernotifications/unnotificationattachment>
open class UNNotificationAttachment: NSObject {
    /// <https://developer.apple.com/documentation/usernotifications/unnotificationattachment/identifier>
    public let identifier: String
    /// <https://developer.apple.com/documentation/usernotifications/unnotificationattachment/url>
    public let url: URL
    /// <https://developer.apple.com/documentation/usernotifications/unnotificationattachment/type>
    public let type: String

    /// The types that Apple's page on attachments lists, with the most bytes of each.
    private static let types: [String: (identifier: String, bytes: Int)] = [
        "jpg": ("public.jpeg", 10 << 20), "jpeg": ("public.jpeg", 10 << 20),
        "png": ("public.png", 10 << 20), "gif": ("com.compuserve.gif", 10 << 20),
        "aif": ("public.aiff-audio", 5 << 20), "aiff": ("public.aiff-audio", 5 << 20),
        "wav": ("com.microsoft.waveform-audio", 5 << 20), "mp3": ("public.mp3", 5 << 20),
        "m4a": ("public.mpeg-4-audio", 5 << 20), "mpg": ("public.mpeg", 50 << 20),
        "mpeg": ("public.mpeg", 50 << 20), "mp4": ("public.mpeg-4", 50 << 20),
        "avi": ("public.avi", 50 << 20),
    ]

    public init(identifier: String, url: URL, options: [AnyHashable: Any]? = nil) throws {
        guard url.isFileURL, FileManager.default.fileExists(atPath: url.path) else {
            throw UNError(.attachmentInvalidURL)
        }
        let hint = options?[UNNotificationAttachmentOptionsTypeHintKey] as? String
        let known = Self.types.values.first { $0.identifier == hint }
        guard let type = known ?? Self.types[url.pathExtension.lowercased()] else {
            throw UNError(.attachmentUnrecognizedType)
        }
        let attributes = try FileManager.default.attributesOfItem(atPath: url.path)
        guard let size = attributes[.size] as? NSNumber, size.intValue <= type.bytes else {
            throw UNError(.attachmentInvalidFileSize)
        }
        self.identifier = identifier.isEmpty ? UUID().uuidString : identifier
        self.url = url
        self.type = type.identifier
    }
}

/// <https://developer.apple.com/documentation/usernotifications/unnotificationattachmentoptionstypehintkey>
public let UNNotificationAttachmentOptionsTypeHintKey =
    "UNNotificationAttachmentOptionsTypeHintKey"

/// An error of the notification system.
/// <https://developer.apple.com/documentation/usernotifications/unerror>
public struct UNError: Error, Sendable {
    /// <https://developer.apple.com/documentation/usernotifications/unerror/code>
    public enum Code: Int, Sendable {
        case notificationsNotAllowed = 1
        case attachmentInvalidURL = 100
        case attachmentUnrecognizedType = 101
        case attachmentInvalidFileSize = 102
        case attachmentNotInDataStore = 103
        case attachmentMoveIntoDataStoreFailed = 104
        case attachmentCorrupt = 105
        case notificationInvalidNoDate = 1400
        case notificationInvalidNoContent = 1401
        @available(iOS 16.0, macOS 13.0, *)
        case badgeInputInvalid = 1600
    }

    public let code: Code

    public init(_ code: Code, userInfo: [String: Any] = [:]) {
        self.code = code
    }
}

/// The sound of a notification.
/// <https://developer.apple.com/documentation/usernotifications/unnotificationsound>
open class UNNotificationSound: NSObject {
    /// Shim only: the name of the sound file; `nil` for the default sound.
    public let shimName: String?

    /// <https://developer.apple.com/documentation/usernotifications/unnotificationsound/default>
    open class var `default`: UNNotificationSound { UNNotificationSound(shimName: nil) }

    public init(named name: UNNotificationSoundName) {
        shimName = name.rawValue
    }

    private init(shimName: String?) {
        self.shimName = shimName
    }
}

/// <https://developer.apple.com/documentation/usernotifications/unnotificationsoundname>
public struct UNNotificationSoundName: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
}
