import Crypto
import Foundation
import Model

/// Verifies provider tokens (JWT, ES256) like APNs.
struct APNsTokenVerifier {
    private struct Header: Decodable {
        var alg: String
        var kid: String
    }

    private struct Claims: Decodable {
        var iss: String
        var iat: IssueTime
    }

    /// A token whose signature has been verified.
    struct VerifiedToken {
        var text: String
        var teamID: String
        var keyID: String
        var issuedAt: Date
        var environments: Set<APNsEnvironment>
        var topics: Set<String>?
    }

    private static let lifetime: TimeInterval = 3600
    private static let rememberedTokens = 1000
    /// Apple's own are about two hundred bytes long.
    private static let maxTokenLength = 4096

    /// Maximum number of different tokens of a team within twenty minutes, on all connections
    /// together; `nil` means no limit.
    var tokensPerTeam: Int?
    private var keys: [String: APNsSigningKey] = [:]
    private var verified: [String: VerifiedToken] = [:]
    private var teams: [String: ProviderTokenHistory] = [:]

    mutating func register(_ key: APNsSigningKey) {
        keys[Self.name(key.teamID, key.keyID)] = key
        verified = [:]
    }

    mutating func revoke(teamID: String, keyID: String) {
        keys[Self.name(teamID, keyID)] = nil
        verified = [:]
    }

    /// Verifies the value of an `authorization` header.
    mutating func judge(
        _ authorization: String,
        now: Date
    ) -> Result<VerifiedToken, APNsErrorReply> {
        guard authorization.lowercased().hasPrefix("bearer ") else {
            return .failure(.invalidProviderToken)
        }
        let token = String(authorization.dropFirst(7))
        guard token.utf8.count <= Self.maxTokenLength, let found = known(token) else {
            return .failure(.invalidProviderToken)
        }
        let age = now.timeIntervalSince(found.issuedAt)
        if age > Self.lifetime { return .failure(.expiredProviderToken) }
        if age < -Self.lifetime { return .failure(.invalidProviderToken) }
        if let limit = tokensPerTeam {
            let isTaken = teams[found.teamID, default: ProviderTokenHistory()]
                .admit(token, limit: limit, now: now)
            guard isTaken else { return .failure(.tooManyProviderTokenUpdates) }
        }
        return .success(found)
    }

    private mutating func known(_ token: String) -> VerifiedToken? {
        if let known = verified[token] { return known }
        guard let fresh = verify(token) else { return nil }
        if verified.count >= Self.rememberedTokens { verified = [:] }
        verified[token] = fresh
        return fresh
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
            text: token,
            teamID: key.teamID,
            keyID: key.keyID,
            issuedAt: Date(timeIntervalSince1970: claims.iat.seconds),
            environments: key.environments,
            topics: key.topics
        )
    }

    private static func name(_ teamID: String, _ keyID: String) -> String { "\(teamID)/\(keyID)" }
}

/// When a token says it was made. Apple's guide asks for a number of seconds; senders in use write
/// whole numbers, fractions, and either as text, and Apple takes them all.
private struct IssueTime: Decodable {
    var seconds: Double

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let number = try? container.decode(Double.self) {
            seconds = number
            return
        }
        let text = try container.decode(String.self)
        let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        let isDecimal =
            parts.count <= 2
            && parts.allSatisfy { part in
                !part.isEmpty && part.allSatisfy { (0x30...0x39).contains($0) }
            }
        // Words for numbers ("nan") and exponents are not dates.
        guard isDecimal, text.utf8.count <= 32, let number = Double(text) else {
            throw DecodingError.dataCorruptedError(
                in: container,
                debugDescription: "iat is no number of seconds"
            )
        }
        seconds = number
    }
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
