/// The content and actions of a push on every platform; its texts may be Liquid templates until
/// they are rendered for a user.
package struct PushMessage: Sendable, Hashable, Codable {
    package var title: String
    package var subtitle: String
    package var body: String
    /// The texts in other languages, by ISO 639 code; `nil` for none.
    package var translations: [String: PushTranslation]?
    /// The target of a tap: a web address or a deep link.
    package var uri: String?
    package var useWebView: Bool
    /// The app's own pairs, at the root of the payload.
    package var keyValuePairs: [String: String]
    /// Custom JSON (`custom_vars`), as validated text.
    package var customVariables: String?
    package var badge: BadgeChange
    package var sound: String?
    package var category: String?
    package var buttons: [PushButton]
    package var threadID: String?
    /// Android's notification channel; `nil` means the one in the app's credentials.
    package var channelID: String?
    package var interruptionLevel: InterruptionLevel?
    package var relevanceScore: Double?
    package var attachment: PushAttachment?
    /// The pages that people turn in the expanded notification; `nil` for an ordinary push.
    package var story: [StoryPage]?
    /// Runs the app's notification service extension; always the case with an attachment.
    package var isMutable: Bool
    /// A background update without alert, sound or badge.
    package var isSilent: Bool
    /// The news item that the push announces, if any.
    package var news: NewsReference?

    /// What lists call it: its title, or its text where it has none.
    package var headline: String { title.isEmpty ? body : title }

    package init(title: String = "", body: String) {
        self.title = title
        subtitle = ""
        self.body = body
        translations = nil
        uri = nil
        useWebView = false
        keyValuePairs = [:]
        customVariables = nil
        badge = .unchanged
        sound = nil
        category = nil
        buttons = []
        threadID = nil
        channelID = nil
        interruptionLevel = nil
        relevanceScore = nil
        attachment = nil
        story = nil
        isMutable = false
        isSilent = false
        news = nil
    }
}

/// How a push changes the number on the app's icon.
package enum BadgeChange: Sendable, Hashable, Codable {
    case unchanged
    /// Sets the number; 0 clears it.
    case set(Int)

    /// The value of `aps.badge`; `nil` leaves the key out.
    package var number: Int? {
        switch self {
        case .unchanged: nil
        case .set(let number): number
        }
    }
}

/// How prominently Apple's systems present a push.
package enum InterruptionLevel: String, Sendable, Hashable, Codable, CaseIterable {
    case passive, active
    case timeSensitive = "time-sensitive"
    case critical
}

/// An action button and its target.
package struct PushButton: Sendable, Hashable, Codable {
    package var actionID: String
    package var title: String
    package var uri: String?

    package init(actionID: String, title: String, uri: String? = nil) {
        self.actionID = actionID
        self.title = title
        self.uri = uri
    }
}

/// A picture, sound or video that the device downloads.
package struct PushAttachment: Sendable, Hashable, Codable {
    package var url: String
    /// The file type, such as `png`.
    package var type: String

    package init(url: String, type: String) {
        self.url = url
        self.type = type
    }
}

/// The news item a push announces.
package struct NewsReference: Sendable, Hashable, Codable {
    package var id: String
    package var tenantID: String?

    package init(id: String, tenantID: String? = nil) {
        self.id = id
        self.tenantID = tenantID
    }
}
