import Crypto
import Foundation
import Model

/// Judges provider tokens (JWT, ES256) as APNs does.
struct APNsTokenJudge {
    private struct Header: Decodable {
        var alg: String
        var kid: String
    }

    private struct Claims: Decodable {
        var iss: String
        var iat: Int
    }

    /// A token whose signature has been verified.
    struct VerifiedToken {
        var teamID: String
        var keyID: String
        var issuedAt: Date
        var environments: Set<APNsEnvironment>
        var topics: Set<String>?
    }

    private static let lifetime: TimeInterval = 3600
    private static let updateWindow: TimeInterval = 20 * 60
    private static let rememberedTokens = 1000

    /// How many different tokens of a team are taken within twenty minutes.
    var tokensPerWindow = 3
    private var keys: [String: APNsSigningKey] = [:]
    private var verified: [String: VerifiedToken] = [:]
    private var firstUses: [String: [Date]] = [:]

    mutating func register(_ key: APNsSigningKey) {
        keys[Self.name(key.teamID, key.keyID)] = key
        verified = [:]
    }

    mutating func revoke(teamID: String, keyID: String) {
        keys[Self.name(teamID, keyID)] = nil
        verified = [:]
    }

    /// Checks the value of an `authorization` header.
    mutating func judge(
        _ authorization: String,
        now: Date
    ) -> Result<VerifiedToken, APNsRefusal> {
        guard authorization.lowercased().hasPrefix("bearer ") else {
            return .failure(.invalidProviderToken)
        }
        let token = String(authorization.dropFirst(7))
        let found: VerifiedToken
        if let known = verified[token] {
            found = known
        } else {
            guard let fresh = verify(token) else { return .failure(.invalidProviderToken) }
            let recent = (firstUses[fresh.teamID] ?? []).filter {
                now.timeIntervalSince($0) < Self.updateWindow
            }
            guard recent.count < tokensPerWindow else {
                return .failure(.tooManyProviderTokenUpdates)
            }
            firstUses[fresh.teamID] = recent + [now]
            if verified.count >= Self.rememberedTokens { verified = [:] }
            verified[token] = fresh
            found = fresh
        }
        let age = now.timeIntervalSince(found.issuedAt)
        if age > Self.lifetime { return .failure(.expiredProviderToken) }
        if age < -Self.lifetime { return .failure(.invalidProviderToken) }
        return .success(found)
    }

    private func verify(_ token: String) -> VerifiedToken? {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3,
            let headerBytes = Base64Text.decode(parts[0]),
            let claimBytes = Base64Text.decode(parts[1]),
            let signatureBytes = Base64Text.decode(parts[2]),
            let header = try? JSONDecoder().decode(Header.self, from: headerBytes),
            let claims = try? JSONDecoder().decode(Claims.self, from: claimBytes),
            header.alg == "ES256",
            let key = keys[Self.name(claims.iss, header.kid)],
            let signature = try? P256.Signing.ECDSASignature(rawRepresentation: signatureBytes),
            key.publicKey.isValidSignature(signature, for: Data("\(parts[0]).\(parts[1])".utf8))
        else { return nil }
        return VerifiedToken(
            teamID: key.teamID,
            keyID: key.keyID,
            issuedAt: Date(timeIntervalSince1970: Double(claims.iat)),
            environments: key.environments,
            topics: key.topics
        )
    }

    private static func name(_ teamID: String, _ keyID: String) -> String { "\(teamID)/\(keyID)" }
}

/// Base64 with the URL-safe alphabet and without padding.
enum Base64Text {
    static func decode(_ text: some StringProtocol) -> Data? {
        var standard = text.replacingOccurrences(of: "-", with: "+")
            .replacingOccurrences(of: "_", with: "/")
            .replacingOccurrences(of: "=", with: "")
        while standard.utf8.count % 4 != 0 { standard.append("=") }
        return Data(base64Encoded: standard)
    }

    static func encode(_ bytes: some Sequence<UInt8>) -> String {
        Data(bytes).base64EncodedString()
            .replacingOccurrences(of: "+", with: "-")
            .replacingOccurrences(of: "/", with: "_")
            .replacingOccurrences(of: "=", with: "")
    }
}
