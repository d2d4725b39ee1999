/// An action of a phone's user. On the wire it is an object with `action` and its arguments:
/// `{"action": "tap", "notification": "…"}`.
package enum PhoneAction: Sendable, Hashable {
    case tap(notification: String)
    case press(button: String, notification: String, text: String?)
    case expand(notification: String)
    /// Closes an expanded notification again.
    case collapse(notification: String)
    /// Touches a button in the content of an expanded notification.
    case touch(element: String, notification: String)
    /// Types into a field in the content of an expanded notification.
    case type(text: String, element: String, notification: String)
    /// Turns the pages of the push story in an expanded notification.
    case turnPage(notification: String, turn: PhonePageTurn)
    /// Taps the visible page of the push story in an expanded notification.
    case tapPage(notification: String)
    case dismiss(notification: String)
    case clearAll
    /// Taps the in-app message, or one of its buttons.
    case tapMessage(button: String?)
    case closeMessage
    case openApp, goHome, lock, unlock
    case goOffline, goOnline
    case logIn(user: String)
    case logOut
    /// Looks at a tea on the menu of the app's shop.
    case viewTea(String)
    /// Puts the tea that was looked at last into the cart.
    case addToCart
    case buy
    case signUp(user: String)
    case chooseLanguage(String)
}

/// How the pages of a push story are turned.
package enum PhonePageTurn: String, Sendable, Hashable, Decodable {
    case forward, back
    /// Because the time of a page is over.
    case byItself
}

extension PhoneAction: Decodable {
    private enum Key: String, CodingKey {
        case turn, tea, element
        case action, notification, button, text, user, language
    }

    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        func text(_ key: Key) throws -> String { try values.decode(String.self, forKey: key) }
        switch try text(.action) {
        case "tap": self = .tap(notification: try text(.notification))
        case "press":
            self = .press(
                button: try text(.button),
                notification: try text(.notification),
                text: try values.decodeIfPresent(String.self, forKey: .text)
            )
        case "expand": self = .expand(notification: try text(.notification))
        case "collapse": self = .collapse(notification: try text(.notification))
        case "touch":
            self = .touch(element: try text(.element), notification: try text(.notification))
        case "type":
            self = .type(
                text: try text(.text),
                element: try text(.element),
                notification: try text(.notification)
            )
        case "turnPage":
            self = .turnPage(
                notification: try text(.notification),
                turn: try values.decode(PhonePageTurn.self, forKey: .turn)
            )
        case "tapPage": self = .tapPage(notification: try text(.notification))
        case "dismiss": self = .dismiss(notification: try text(.notification))
        case "clearAll": self = .clearAll
        case "tapMessage":
            self = .tapMessage(button: try values.decodeIfPresent(String.self, forKey: .button))
        case "closeMessage": self = .closeMessage
        case "openApp": self = .openApp
        case "goHome": self = .goHome
        case "lock": self = .lock
        case "unlock": self = .unlock
        case "goOffline": self = .goOffline
        case "goOnline": self = .goOnline
        case "logIn": self = .logIn(user: try text(.user))
        case "logOut": self = .logOut
        case "viewTea": self = .viewTea(try text(.tea))
        case "addToCart": self = .addToCart
        case "buy": self = .buy
        case "signUp": self = .signUp(user: try text(.user))
        case "chooseLanguage": self = .chooseLanguage(try text(.language))
        case let other:
            throw DecodingError.dataCorruptedError(
                forKey: .action,
                in: values,
                debugDescription: "a phone cannot \(other)"
            )
        }
    }
}
