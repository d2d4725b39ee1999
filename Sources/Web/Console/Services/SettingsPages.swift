import Foundation
import Model

/// The workspace's apps and what they need to send.
package protocol AppPages: Sendable {
    func apps(for member: ConsoleMember) async throws -> [AppSettings]
    /// - Throws: ``SettingsRejected``.
    func addApp(_ draft: NewApp, for member: ConsoleMember) async throws
    /// - Throws: ``SettingsRejected`` when the key or certificate cannot be used.
    func saveCredentials(
        _ upload: CredentialUpload,
        app: Int64,
        for member: ConsoleMember
    ) async throws
    /// Tries what is stored for an app; empty when there is nothing to try.
    func testCredentials(app: Int64, for member: ConsoleMember) async throws -> [CredentialResult]
    /// What has to be done soon about keys and certificates, in words.
    func credentialWarnings(for member: ConsoleMember) async throws -> [CredentialWarning]
}

/// What has to be done soon about an app's key or certificate.
package struct CredentialWarning: Sendable, Hashable {
    /// The app's name.
    package var app: String
    package var text: String

    package init(app: String, text: String) {
        self.app = app
        self.text = text
    }
}

/// How a provider answered when an app's credentials were tried.
package struct CredentialResult: Sendable, Hashable {
    package enum Verdict: Sendable, Hashable {
        case works, refused, unanswered
    }

    /// Such as `APNs sandbox`.
    package var target: String
    package var verdict: Verdict
    /// Why, and what to do.
    package var detail: String

    package init(target: String, verdict: Verdict, detail: String) {
        self.target = target
        self.verdict = verdict
        self.detail = detail
    }
}

package enum AppPlatform: String, Sendable, Hashable, CaseIterable {
    case ios, android, web
}

package struct NewApp: Sendable, Hashable {
    package var name: String
    package var platform: AppPlatform
    /// Bundle id, package name or web origin.
    package var identifier: String

    package init(name: String, platform: AppPlatform, identifier: String) {
        self.name = name
        self.platform = platform
        self.identifier = identifier
    }
}

package struct AppSettings: Sendable, Hashable {
    package var id: Int64
    package var name: String
    package var platform: AppPlatform
    package var identifier: String
    /// What the app's SDK is configured with; not a secret.
    package var sdkKey: String
    package var credentials: [CredentialSummary]
    package var proof: UserProof

    package init(
        id: Int64,
        name: String,
        platform: AppPlatform,
        identifier: String,
        sdkKey: String,
        credentials: [CredentialSummary],
        proof: UserProof = UserProof()
    ) {
        self.id = id
        self.name = name
        self.platform = platform
        self.identifier = identifier
        self.sdkKey = sdkKey
        self.credentials = credentials
        self.proof = proof
    }
}

/// How an app's users prove who they are.
package struct UserProof: Sendable, Hashable {
    package enum Mode: String, Sendable, Hashable, CaseIterable {
        case disabled, optional, required
    }

    package var mode = Mode.disabled
    /// Devices that say they are a named user's.
    package var devices = 0
    /// Those of them that have not proved it.
    package var unproved = 0

    package init() {}
}

/// A key or certificate, without its secret.
package struct CredentialSummary: Sendable, Hashable {
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        case apnsKey, apnsCertificate, fcmAccount, vapidKey
    }

    package var kind: Kind
    /// What was read from it: key id and team, bundle id and environment, project, subject.
    package var description: String
    package var expiresAt: Date?
    /// What to do soon, or at once.
    package var warning: String?

    package init(kind: Kind, description: String, expiresAt: Date?, warning: String? = nil) {
        self.kind = kind
        self.description = description
        self.expiresAt = expiresAt
        self.warning = warning
    }
}

/// A key or certificate as it comes from the form.
package enum CredentialUpload: Sendable, Hashable {
    case apnsKey(p8: [UInt8], keyID: String, teamID: String)
    case apnsCertificate(p12: [UInt8], password: String)
    case fcmAccount(json: [UInt8])
    /// An empty private key keeps the one that is there, or makes one.
    case vapidKey(privateKey: String, contact: String, site: String)
}

/// Keys of the REST API.
package protocol KeyPages: Sendable {
    func apiKeys(for member: ConsoleMember) async throws -> [APIKeyRow]
    /// The permissions that a key may have, such as `users.track`, and `*` for all of them.
    func apiPermissions() -> [String]
    /// Makes a key and returns its secret, which is shown once.
    ///
    /// - Parameter addresses: Where it may be used from, such as `10.0.0.0/8`; empty for everywhere.
    /// - Throws: ``SettingsRejected``.
    func createAPIKey(
        name: String,
        permissions: [String],
        addresses: [String],
        for member: ConsoleMember
    ) async throws -> String
    func revokeAPIKey(name: String, for member: ConsoleMember) async throws
}

package struct APIKeyRow: Sendable, Hashable {
    package var name: String
    package var permissions: [String]
    /// Where it may be used from; empty for everywhere.
    package var addresses: [String]
    package var createdAt: Date
    package var lastUsedAt: Date?

    package init(
        name: String,
        permissions: [String],
        addresses: [String] = [],
        createdAt: Date,
        lastUsedAt: Date?
    ) {
        self.name = name
        self.permissions = permissions
        self.addresses = addresses
        self.createdAt = createdAt
        self.lastUsedAt = lastUsedAt
    }
}

/// Who works in the console.
package protocol TeamPages: Sendable {
    func members(for member: ConsoleMember) async throws -> [TeamMember]
    /// - Throws: ``SettingsRejected``.
    func addMember(
        name: String,
        email: String,
        password: String,
        role: Member.Role,
        for member: ConsoleMember
    ) async throws
    /// Gives another member another role; `false` when there is no such member.
    func setRole(_ role: Member.Role, ofMember id: Int64, for member: ConsoleMember) async throws
        -> Bool
    /// Removes another member and ends their sessions; `false` when there is no such member.
    func removeMember(id: Int64, for member: ConsoleMember) async throws -> Bool
}

package struct TeamMember: Sendable, Hashable {
    package var id: Int64
    package var name: String
    package var email: String
    package var role: Member.Role
    package var lastSignedInAt: Date?

    package init(
        id: Int64,
        name: String,
        email: String,
        role: Member.Role,
        lastSignedInAt: Date?
    ) {
        self.id = id
        self.name = name
        self.email = email
        self.role = role
        self.lastSignedInAt = lastSignedInAt
    }
}

/// Why a setting is not saved: the form's field and what to do.
package struct SettingsRejected: Error, Sendable, Hashable {
    package var field: String
    package var text: String

    package init(field: String, text: String) {
        self.field = field
        self.text = text
    }
}
