import Foundation

/// A push token that a server imports, for an app that has not run with the SDK yet.
package struct ImportedPushToken: Sendable, Hashable {
    /// The SDK key of the app, or its bundle identifier.
    package var app: String
    /// As it was sent; Apple's in hexadecimal digits.
    package var token: String
    /// The installation, as given by the sender or derived from the token.
    package var installation: UUID
    /// The index in its list.
    package var index = 0

    package init(app: String, token: String, installation: UUID) {
        self.app = app
        self.token = token
        self.installation = installation
    }
}
