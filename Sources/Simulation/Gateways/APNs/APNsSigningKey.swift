import Crypto
import Model

/// A provider's signing key, as Apple knows it.
package struct APNsSigningKey: Sendable {
    package var teamID: String
    package var keyID: String
    let publicKey: P256.Signing.PublicKey
    /// The environments the key is good for.
    package var environments: Set<APNsEnvironment>
    /// The topics a scoped key is limited to; nil for all topics of the team.
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
