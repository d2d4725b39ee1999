/// What the person who holds a virtual phone does.
package enum VirtualPhoneAction: Sendable, Codable, Equatable {
    /// Opens the app from the home screen.
    case openApp
    /// Locks the phone, or leaves the app.
    case lock
    /// Ends the app, as by swiping it away.
    case quitApp
    /// Taps the notification `banner`.
    case tap(banner: String)
    /// Taps a button of the notification `banner`, with what was typed where it asks for text.
    case button(banner: String, button: String, text: String?)
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
    /// Has network again.
    case goOnline
    /// Chooses another language, a code such as `pt`.
    case changeLanguage(String)
    /// Does something in the app that it reports as an event.
    case logEvent(name: String)
}

/// Why a virtual phone cannot do what was asked.
package struct VirtualPhoneError: Error, Sendable, Equatable, CustomStringConvertible {
    package let message: String

    package init(_ message: String) {
        self.message = message
    }

    package var description: String { message }
}
