/// Where a push goes.
package enum PushAddress: Sendable, Hashable, Codable {
    /// Apple: the token in hex, the app's bundle identifier and the token's environment.
    case apns(token: String, topic: String, environment: APNsEnvironment)
    /// Firebase: the registration token and the Firebase project of the app.
    case fcm(token: String, project: String)
    /// A browser's subscription: endpoint, `p256dh` and `auth` (base64url).
    case webPush(endpoint: String, publicKey: String, authenticationSecret: String)
}

/// A token belongs to one of Apple's two environments.
package enum APNsEnvironment: String, Sendable, Hashable, Codable, CaseIterable {
    case production, sandbox
}
