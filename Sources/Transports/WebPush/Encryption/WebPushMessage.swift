/// Content for a subscription, whose keys are in base64url.
package struct WebPushMessage: Sendable {
    package var content: [UInt8]
    /// `p256dh`
    package var publicKey: String
    /// `auth`
    package var authenticationSecret: String

    package init(content: [UInt8], publicKey: String, authenticationSecret: String) {
        self.content = content
        self.publicKey = publicKey
        self.authenticationSecret = authenticationSecret
    }
}
