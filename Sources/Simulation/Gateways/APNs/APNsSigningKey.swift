import Crypto
import Model

/// A provider's signing key, as registered with Apple.
package struct APNsSigningKey: Sendable {
    package var teamID: String
    package var keyID: String
    let publicKey: P256.Signing.PublicKey
    /// The environments for which the key is valid.
    package var environments: Set<APNsEnvironment>
    /// The topics of a scoped key; `nil` means all topics of the team.
    package var topics: Set<String>?

    package init(
        teamID: String,
        keyID: String,
        publicKeyPEM: String,
        environments: Set<APNsEnvironment> = [.production, .sandbox],
        topics: Set<String>? = nil
    ) throws {
        self.teamID = teamID
        self.keyID = keyID
        publicKey = try P256.Signing.PublicKey(pemRepresentation: publicKeyPEM)
        self.environments = environments
        self.topics = topics
    }
}
