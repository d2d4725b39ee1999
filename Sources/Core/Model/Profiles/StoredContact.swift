import Foundation

/// Something that happened between a user and a message.
package struct StoredContact: Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
        /// The push service took it.
        case accepted
        /// It was not sent, or was refused.
        case failed(reason: String)
        /// The device said so.
        case received
        case opened
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
    /// The push's title, or its text where it has none; the in-app message's identifier.
    package var name: String

    package init(time: Date, kind: Kind, send: SendID?, name: String) {
        self.time = time
        self.kind = kind
        self.send = send
        self.name = name
    }
}
