import Foundation

/// A push token that a server hands over, of an app that has not run with the SDK yet.
package struct ImportedPushToken: Sendable, Hashable {
    /// The SDK key of the app, or its bundle identifier.
    package var app: String
    /// As it was sent; Apple's in hexadecimal digits.
    package var token: String
    /// The installation, where the sender knows it or its token stands for it.
    package var installation: UUID
    /// Its place in the list it came in.
    package var index = 0

    package init(app: String, token: String, installation: UUID) {
        self.app = app
        self.token = token
        self.installation = installation
    }
}
