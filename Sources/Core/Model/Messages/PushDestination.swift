/// The destination of a push.
package enum PushDestination: Sendable, Hashable, Codable {
    /// Apple: the token in hex, the app's bundle identifier and the token's environment.
    case apns(token: String, topic: String, environment: APNsEnvironment)
    /// Firebase: the registration token, and the app whose service account names the project.
    case fcm(token: String, app: AppID)
    /// A browser's subscription: endpoint, `p256dh` and `auth` (base64url), and the app whose
    /// VAPID key the browser subscribed with.
    case webPush(app: AppID, endpoint: String, publicKey: String, authenticationSecret: String)
}

/// A token belongs to one of Apple's two environments.
package enum APNsEnvironment: String, Sendable, Hashable, Codable, CaseIterable {
    case production, sandbox
}

extension PushMessage {
    /// Whether our code runs when the push arrives and can report it: always in a browser's worker
    /// and in an Android app, in an iPhone's service extension if the push is mutable, and in its
    /// app if it is silent.
    package func isReported(at address: PushDestination) -> Bool {
        switch address {
        case .apns: isMutable || attachment != nil || isSilent
        case .fcm, .webPush: true
        }
    }
}
