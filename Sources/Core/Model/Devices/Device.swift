import Foundation

/// An installation of an app, and its push registration.
package struct Device: Sendable, Hashable {
    package var id: DeviceID
    /// Created by the SDK at the first start of the installation.
    package var installation: UUID
    package var app: AppID
    /// The logged-in user; a token always belongs to exactly one user.
    package var profile: ProfileID
    package var platform: String
    package var model: String?
    package var osVersion: String?
    package var appVersion: String?
    package var sdkVersion: String?
    package var locale: String?
    package var timeZone: String?
    package var push: PushRegistration?
    /// The user for whom the device was verified: by a signed token that named the user, or by a
    /// server with an API key.
    package var provedFor: ProfileID?
    package var updatedAt: Date

    package init(
        id: DeviceID,
        installation: UUID,
        app: AppID,
        profile: ProfileID,
        platform: String,
        updatedAt: Date
    ) {
        self.id = id
        self.installation = installation
        self.app = app
        self.profile = profile
        self.platform = platform
        self.updatedAt = updatedAt
    }

    /// Whether the device was verified for its user. An anonymous user needs no verification.
    package func isProved(for user: Profile) -> Bool {
        user.externalID == nil || provedFor == user.id
    }
}

/// A push token and its permissions.
package struct PushRegistration: Sendable, Hashable {
    package var provider: PushProvider
    package var token: String
    package var environment: APNsEnvironment?
    package var authorization: PushAuthorization
    package var publicKey: String?
    package var authenticationSecret: String?
    package var registeredAt: Date

    package init(
        provider: PushProvider,
        token: String,
        environment: APNsEnvironment? = nil,
        authorization: PushAuthorization,
        publicKey: String? = nil,
        authenticationSecret: String? = nil,
        registeredAt: Date
    ) {
        self.provider = provider
        self.token = token
        self.environment = environment
        self.authorization = authorization
        self.publicKey = publicKey
        self.authenticationSecret = authenticationSecret
        self.registeredAt = registeredAt
    }
}

package enum PushProvider: String, Sendable, Hashable, Codable, CaseIterable {
    case apns, fcm
    case webPush = "webpush"
}

/// The user's permission for visible notifications.
package enum PushAuthorization: String, Sendable, Hashable, Codable {
    case authorized, provisional, ephemeral, denied, notDetermined
}
