import Foundation
import Front

/// What the console is told from outside.
package struct ConsoleSettings: Sendable {
    /// Marks the cookies as `Secure`; on when browsers reach the server by HTTPS.
    package var isSecure: Bool
    /// The address of the virtual phones, when there are any.
    package var phonesAddress: String?
    /// Tells where a request comes from.
    package var clientAddress: ClientAddress
    /// Reads the forms of those who are not logged in.
    package var strangers: StrangerBodies
    /// What links to the console begin with.
    package var linkOrigin: LinkOrigin
    package var now: @Sendable () -> Date
    /// An unguessable text of letters and digits.
    package var makeToken: @Sendable () -> String

    package init(
        isSecure: Bool = false,
        phonesAddress: String? = nil,
        clientAddress: ClientAddress = ClientAddress(),
        strangers: StrangerBodies = StrangerBodies(),
        linkOrigin: LinkOrigin = LinkOrigin(),
        now: @escaping @Sendable () -> Date,
        makeToken: @escaping @Sendable () -> String
    ) {
        self.isSecure = isSecure
        self.phonesAddress = phonesAddress
        self.clientAddress = clientAddress
        self.strangers = strangers
        self.linkOrigin = linkOrigin
        self.now = now
        self.makeToken = makeToken
    }
}
