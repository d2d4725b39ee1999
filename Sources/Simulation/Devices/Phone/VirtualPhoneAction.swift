/// An action of a virtual phone's user.
package enum VirtualPhoneAction: Sendable, Codable, Equatable {
    /// Opens the app from the home screen.
    case openApp
    /// Locks the phone, or leaves the app.
    case lock
    /// Terminates the app, for example by swiping it away.
    case quitApp
    /// Taps the notification `banner`.
    case tap(banner: String)
    /// Taps a button of the notification `banner`, with the typed text if the button asks for text.
    case button(banner: String, button: String, text: String?)
    /// Expands the notification `banner`, whose content the app's extension may draw.
    case expand(banner: String)
    /// Closes the expanded notification `banner` again.
    case collapse(banner: String)
    /// Touches a button in the content of the expanded notification `banner`.
    case touch(banner: String, element: String)
    /// Types into a field in the content of the expanded notification `banner`; `text` is all that it
    /// then holds.
    case type(banner: String, element: String, text: String)
    /// Turns the pages of the push story in the expanded notification `banner`.
    case turnPage(banner: String, StoryTurn)
    /// Taps the visible page of the push story in the expanded notification `banner`.
    case tapPage(banner: String)
    /// Swipes the notification `banner` away.
    case dismiss(banner: String)
    /// Taps the in-app message on the screen, or its button of this identifier.
    case tapMessage(button: String?)
    /// Closes the in-app message on the screen.
    case closeMessage
    /// Answers the question about notifications.
    case answerPermission(Bool)
    /// Logs in as a user in the app.
    case logIn(user: String)
    /// Loses the network.
    case goOffline
    /// Restores the network.
    case goOnline
    /// Chooses another language, a code such as `pt`.
    case changeLanguage(String)
    /// Performs an action in the app that is recorded as an event.
    case logEvent(name: String)
    /// Does something in the app's shop.
    case shop(ShopAction)
    /// Logs out: the next user of the phone begins as somebody new.
    case logOut
}

/// What a guest does in the shop of the demo app.
package enum ShopAction: Sendable, Codable, Equatable {
    /// Looks at a tea of the menu.
    case view(tea: String)
    /// Puts the tea that was looked at last into the cart.
    case addToCart
    /// Buys what is in the cart.
    case buy
    /// Makes an account; what was done without one moves to it.
    case signUp(user: String)
}

/// The reason why a virtual phone cannot perform an action.
package struct VirtualPhoneError: Error, Sendable, Equatable, CustomStringConvertible {
    package let message: String

    package init(_ message: String) {
        self.message = message
    }

    package var description: String { message }
}
