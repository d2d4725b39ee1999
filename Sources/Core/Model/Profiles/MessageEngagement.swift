import Foundation

/// An event in the history between a user and a message.
package struct MessageEngagement: Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
        /// The provider accepted the push.
        case accepted
        /// The push was not sent, or was rejected.
        case failed(reason: String)
        /// The device reported the arrival.
        case received
        /// Opened, on this page of a push story.
        case opened(page: Int?)
        case dismissed
        /// An action button was chosen.
        case action(String)
        case inAppShown
        case inAppClicked(button: String?)
        case inAppDismissed
    }

    package var time: Date
    package var kind: Kind
    /// `nil` for in-app messages.
    package var send: SendID?
    /// The push's title, or its text if it has none; for an in-app message its identifier.
    package var name: String

    package init(time: Date, kind: Kind, send: SendID?, name: String) {
        self.time = time
        self.kind = kind
        self.send = send
        self.name = name
    }
}
