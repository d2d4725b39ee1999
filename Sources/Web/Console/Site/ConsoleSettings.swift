import Foundation
import Front

/// The console's settings.
package struct ConsoleSettings: Sendable {
    /// Whether cookies are marked as `Secure`; true if browsers reach the server by HTTPS.
    package var isSecure: Bool
    /// The address of the virtual phones; `nil` if there are none.
    package var phonesAddress: String?
    /// Where a phone is asked for on which a user is logged in; `nil` if there are none.
    package var phoneGuestsAddress: String?
    /// Determines the client's address of a request.
    package var clientAddress: ClientAddress
    /// Reads the forms of clients that are not logged in.
    package var strangers: StrangerBodies
    /// The prefix of links to the console.
    package var linkOrigin: LinkOrigin
    package var now: @Sendable () -> Date
    /// An unguessable text of letters and digits.
    package var makeToken: @Sendable () -> String

    package init(
        isSecure: Bool = false,
        phonesAddress: String? = nil,
        phoneGuestsAddress: String? = nil,
        clientAddress: ClientAddress = ClientAddress(),
        strangers: StrangerBodies = StrangerBodies(),
        linkOrigin: LinkOrigin = LinkOrigin(),
        now: @escaping @Sendable () -> Date,
        makeToken: @escaping @Sendable () -> String
    ) {
        self.isSecure = isSecure
        self.phonesAddress = phonesAddress
        self.phoneGuestsAddress = phoneGuestsAddress
        self.clientAddress = clientAddress
        self.strangers = strangers
        self.linkOrigin = linkOrigin
        self.now = now
        self.makeToken = makeToken
    }
}
