import Foundation

/// A button of a notification.
/// <https://developer.apple.com/documentation/usernotifications/unnotificationaction>
open class UNNotificationAction: NSObject {
    /// <https://developer.apple.com/documentation/usernotifications/unnotificationaction/identifier>
    public let identifier: String
    /// <https://developer.apple.com/documentation/usernotifications/unnotificationaction/title>
    public let title: String
    /// <https://developer.apple.com/documentation/usernotifications/unnotificationaction/options>
    public let options: UNNotificationActionOptions

    public init(identifier: String, title: String, options: UNNotificationActionOptions = []) {
        self.identifier = identifier
        self.title = title
        self.options = options
    }
}

/// A button that asks for text.
/// <https://developer.apple.com/documentation/usernotifications/untextinputnotificationaction>
open class UNTextInputNotificationAction: UNNotificationAction {
    /// <https://developer.apple.com/documentation/usernotifications/untextinputnotificationaction/textinputbuttontitle>
    public let textInputButtonTitle: String
    /// <https://developer.apple.com/documentation/usernotifications/untextinputnotificationaction/textinputplaceholder>
    public let textInputPlaceholder: String

    public init(
        identifier: String,
        title: String,
        options: UNNotificationActionOptions = [],
        textInputButtonTitle: String,
        textInputPlaceholder: String
    ) {
        self.textInputButtonTitle = textInputButtonTitle
        self.textInputPlaceholder = textInputPlaceholder
        super.init(identifier: identifier, title: title, options: options)
    }
}

/// A kind of notification with its buttons.
/// <https://developer.apple.com/documentation/usernotifications/unnotificationcategory>
open class UNNotificationCategory: NSObject {
    /// <https://developer.apple.com/documentation/usernotifications/unnotificationcategory/identifier>
    public let identifier: String
    /// <https://developer.apple.com/documentation/usernotifications/unnotificationcategory/actions>
    public let actions: [UNNotificationAction]
    /// <https://developer.apple.com/documentation/usernotifications/unnotificationcategory/intentidentifiers>
    public let intentIdentifiers: [String]
    /// <https://developer.apple.com/documentation/usernotifications/unnotificationcategory/options>
    public let options: UNNotificationCategoryOptions

    public init(
        identifier: String,
        actions: [UNNotificationAction],
        intentIdentifiers: [String],
        options: UNNotificationCategoryOptions = []
    ) {
        self.identifier = identifier
        self.actions = actions
        self.intentIdentifiers = intentIdentifiers
        self.options = options
    }

    open override func isEqual(_ object: Any?) -> Bool {
        (object as? UNNotificationCategory)?.identifier == identifier
    }

    open override var hash: Int { identifier.hashValue }
}
