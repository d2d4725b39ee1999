import Foundation

/// The complete state that the page of one phone draws, sent as JSON.
package struct PhoneState: Sendable, Hashable, Codable {
    package var id: String
    package var name: String
    /// The phone's own language, such as `ja`.
    package var language: String
    package var isOnline: Bool
    package var screen: PhoneScreen
    package var appName: String
    /// The number on the app's icon; 0 hides it.
    package var badge: Int
    package var permission: PhonePermission
    /// The external id of the logged-in user.
    package var user: String?
    /// Newest first, as in the notification center.
    package var notifications: [PhoneNotification]
    /// The content of the app, and how it was opened.
    package var app: PhoneAppState
    package var shop: PhoneShop
    /// The in-app message over the app.
    package var message: PhoneInAppMessage?
    /// The log of the SDK, oldest first; the page keeps about a hundred lines.
    package var log: [PhoneLogLine]
    /// How far the clock of phones and server was moved; `nil` if they go by the system's.
    package var secondsAhead: TimeInterval?

    package init(
        id: String,
        name: String,
        language: String,
        isOnline: Bool,
        screen: PhoneScreen,
        appName: String,
        badge: Int,
        permission: PhonePermission,
        user: String?,
        notifications: [PhoneNotification],
        app: PhoneAppState,
        shop: PhoneShop = PhoneShop(),
        message: PhoneInAppMessage? = nil,
        log: [PhoneLogLine]
    ) {
        self.id = id
        self.name = name
        self.language = language
        self.isOnline = isOnline
        self.screen = screen
        self.appName = appName
        self.badge = badge
        self.permission = permission
        self.user = user
        self.notifications = notifications
        self.app = app
        self.shop = shop
        self.message = message
        self.log = log
    }
}

/// The shop in the app.
package struct PhoneShop: Sendable, Hashable, Codable {
    package struct Tea: Sendable, Hashable, Codable {
        package var name: String
        package var price: Double

        package init(name: String, price: Double) {
            self.name = name
            self.price = price
        }
    }

    package var menu: [Tea]
    /// ISO 4217.
    package var currency: String
    /// The tea that was looked at last; `nil` for none.
    package var viewed: String?
    package var cart: [Tea]

    package init(
        menu: [Tea] = [],
        currency: String = "USD",
        viewed: String? = nil,
        cart: [Tea] = []
    ) {
        self.menu = menu
        self.currency = currency
        self.viewed = viewed
        self.cart = cart
    }
}

/// The visible screen.
package enum PhoneScreen: String, Sendable, Hashable, Codable {
    case locked, home, app
}

/// Whether the app may show notifications.
package enum PhonePermission: String, Sendable, Hashable, Codable {
    case notDetermined, granted, denied, provisional
}

/// One notification on the phone.
package struct PhoneNotification: Sendable, Hashable, Codable {
    package var id: String
    /// The title of the banner; the app's name if the push has none.
    package var title: String
    package var subtitle: String
    package var body: String
    package var receivedAt: Date
    /// The thread of the notification, by which banners are stacked; empty for none.
    package var threadID: String
    /// A picture as a `data:` URL or a path of this server; the page loads nothing from other
    /// hosts.
    package var image: String?
    package var isTimeSensitive: Bool
    package var buttons: [PhoneButton]
    /// What the content extension draws in the expanded notification; `nil` for nothing.
    package var content: PhoneContentElement?
    /// The pages of a push story; `nil` for an ordinary push.
    package var story: PhoneStory?

    package init(
        id: String,
        title: String,
        subtitle: String = "",
        body: String,
        receivedAt: Date,
        threadID: String = "",
        image: String? = nil,
        isTimeSensitive: Bool = false,
        buttons: [PhoneButton] = [],
        content: PhoneContentElement? = nil,
        story: PhoneStory? = nil
    ) {
        self.id = id
        self.title = title
        self.subtitle = subtitle
        self.body = body
        self.receivedAt = receivedAt
        self.threadID = threadID
        self.image = image
        self.isTimeSensitive = isTimeSensitive
        self.buttons = buttons
        self.content = content
        self.story = story
    }
}

/// A push story in an expanded notification.
package struct PhoneStory: Sendable, Hashable, Codable {
    package struct Page: Sendable, Hashable, Codable {
        package var title: String
        package var subtitle: String
        /// The address of the picture, on another host; shown by its name where there is no file.
        package var address: String
        /// A path of this server; `nil` if the phone has no picture.
        package var image: String?

        package init(title: String, subtitle: String, address: String, image: String?) {
            self.title = title
            self.subtitle = subtitle
            self.address = address
            self.image = image
        }
    }

    package var pages: [Page]
    /// The visible page, from 1.
    package var number: Int
    /// Whether the pages turn by themselves.
    package var isAdvancing: Bool
    /// How long each page is shown then.
    package var pageSeconds: Double

    package init(pages: [Page], number: Int, isAdvancing: Bool, pageSeconds: Double) {
        self.pages = pages
        self.number = number
        self.isAdvancing = isAdvancing
        self.pageSeconds = pageSeconds
    }
}

/// An action button of a notification.
package struct PhoneButton: Sendable, Hashable, Codable {
    package var id: String
    package var title: String
    package var isDestructive: Bool
    /// The placeholder of the text field, if the button asks for a text first.
    package var textHint: String?

    package init(id: String, title: String, isDestructive: Bool = false, textHint: String? = nil) {
        self.id = id
        self.title = title
        self.isDestructive = isDestructive
        self.textHint = textHint
    }
}

/// The content of the app.
package struct PhoneAppState: Sendable, Hashable, Codable {
    /// The title of the notification that opened the app; `nil` if its icon did.
    package var openedBy: String?
    /// The action button that opened it.
    package var button: String?
    /// The web address or deep link that the SDK passed to the app.
    package var url: String?
    /// The app's own pairs of the push.
    package var pairs: [PhonePair]

    package init(
        openedBy: String? = nil,
        button: String? = nil,
        url: String? = nil,
        pairs: [PhonePair] = []
    ) {
        self.openedBy = openedBy
        self.button = button
        self.url = url
        self.pairs = pairs
    }
}

package struct PhonePair: Sendable, Hashable, Codable {
    package var key: String
    package var value: String

    package init(key: String, value: String) {
        self.key = key
        self.value = value
    }
}

/// One line of the phone's log.
package struct PhoneLogLine: Sendable, Hashable, Codable {
    package enum Kind: String, Sendable, Hashable, Codable {
        /// An arrival from the push provider.
        case push
        /// A decision or a record of the SDK.
        case sdk
        /// A request to the server.
        case network
        /// An action of the user.
        case person
    }

    package var at: Date
    package var kind: Kind
    package var text: String

    package init(at: Date, kind: Kind, text: String) {
        self.at = at
        self.kind = kind
        self.text = text
    }
}
