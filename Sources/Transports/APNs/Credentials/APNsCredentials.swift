import Foundation
import Model
import Reasons

/// The credentials with which an app is allowed to push through Apple.
package enum APNsCredentials: Sendable, Hashable, Codable {
    /// A signing key (`.p8`): key id and team id of ten characters, the key as PEM.
    case token(keyID: String, teamID: String, privateKeyPEM: String)
    /// A certificate with its private key (`.p12`); `password` is nil for a file without one.
    case certificate(p12: [UInt8], password: String?)
}

extension APNsCredentials {
    /// Checks the credentials locally.
    ///
    /// - Returns: The first problem, or `nil` if there is none.
    package func problem(
        bundleID: String,
        environment: APNsEnvironment,
        now: Date
    ) -> CredentialError? {
        do {
            switch self {
            case .token(let keyID, let teamID, let pem):
                _ = try APNsTokenSource(keyID: keyID, teamID: teamID, privateKeyPEM: pem)
                return nil
            case .certificate(let p12, let password):
                return try APNsCertificateSummary(p12: p12, password: password)
                    .problem(bundleID: bundleID, environment: environment, now: now)
            }
        } catch {
            return error
        }
    }
}

/// Looks up the credentials of an app by its bundle identifier and the environment of the token;
/// `nil` if the app has none.
package typealias APNsCredentialLookup =
    @Sendable (_ bundleID: String, _ environment: APNsEnvironment) async throws -> APNsCredentials?

extension CredentialError {
    /// A short name of the problem, as it stands in the ledger.
    var ledgerName: String {
        switch code {
        case .keyIdentifier: "BadKeyID"
        case .signingKey: "BadSigningKey"
        case .certificateNamesNoApp: "NotAPushCertificate"
        case .certificateExpired: "ExpiredCertificate"
        case .certificateEarly: "CertificateNotYetValid"
        case .certificateEnvironment: "BadCertificateEnvironment"
        case .certificateApp: "TopicDisallowed"
        case .appleCredentialsMissing: "MissingCredentials"
        case .serverMissing: "MissingServer"
        default: "BadCertificateFile"
        }
    }
}
