import APNs
import Foundation

/// What the vault keeps of an app for Apple.
package enum StoredAPNsCredentials: Codable, Sendable {
    case token(keyID: String, teamID: String, privateKeyPEM: String)
    case certificate(p12: Data, password: String?)

    var credentials: APNsCredentials {
        switch self {
        case .token(let keyID, let teamID, let privateKeyPEM):
            .token(keyID: keyID, teamID: teamID, privateKeyPEM: privateKeyPEM)
        case .certificate(let p12, let password):
            .certificate(p12: Array(p12), password: password)
        }
    }
}
