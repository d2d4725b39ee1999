import Foundation
import Model
import _CryptoExtras

/// Verifies users' signed tokens: JWT (RFC 7519) signed with RS256 (RFC 7518, section 3.3).
package enum SDKTokenVerifier {
    /// Maximum number of seconds that the signer's clock may be ahead of ours.
    private static let clockTolerance = 60.0

    /// - Throws: `SDKAuthenticationError` unless `token` is signed by one of `publicKeys`, names
    ///   the user `externalID`, and is valid at `now`.
    package static func verify(
        _ token: String?,
        of externalID: String,
        publicKeys: [String],
        now: Date
    ) throws(SDKAuthenticationError) {
        guard let token, !token.isEmpty else { throw .missingToken }
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3,
            let header = decode(Header.self, parts[0]),
            let signature = bytes(parts[2])
        else { throw .decodingError }
        guard header.alg == "RS256" else { throw .incorrectAlgorithm }
        guard let payload = bytes(parts[1]) else { throw .decodingError }
        let signed = Data((parts[0] + "." + parts[1]).utf8)
        guard try isSigned(signed, signature, by: publicKeys) else { throw .noMatchingPublicKeys }
        try check(payload, externalID, now)
    }

    /// Whether `text` is an RSA public key in PEM that can verify tokens.
    package static func isPublicKey(_ text: String) -> Bool {
        (try? _RSA.Signing.PublicKey(pemRepresentation: text)) != nil
    }

    private static func isSigned(
        _ signed: Data,
        _ signature: Data,
        by publicKeys: [String]
    ) throws(SDKAuthenticationError) -> Bool {
        for text in publicKeys {
            let key: _RSA.Signing.PublicKey
            do {
                key = try _RSA.Signing.PublicKey(pemRepresentation: text)
            } catch {
                throw .publicKeyError
            }
            let isValid = key.isValidSignature(
                _RSA.Signing.RSASignature(rawRepresentation: signature),
                for: signed,
                padding: .insecurePKCS1v1_5
            )
            if isValid { return true }
        }
        return false
    }

    private static func check(
        _ payload: Data,
        _ externalID: String,
        _ now: Date
    ) throws(SDKAuthenticationError) {
        let claims: Claims
        do {
            claims = try JSONDecoder().decode(Claims.self, from: payload)
        } catch {
            throw .invalidPayload
        }
        guard let subject = claims.sub else { throw .invalidPayload }
        guard let expiration = claims.exp else { throw .expirationRequired }
        guard subject == externalID else { throw .subjectMismatch }
        guard now.timeIntervalSince1970 < expiration else { throw .expired }
        if let start = claims.nbf, now.timeIntervalSince1970 + clockTolerance < start {
            throw .notYetValid
        }
    }

    private struct Header: Decodable {
        var alg: String
    }

    private struct Claims: Decodable {
        var sub: String?
        /// Seconds since 1970.
        var exp: Double?
        var nbf: Double?
    }

    private static func decode<Value: Decodable>(_ type: Value.Type, _ part: Substring) -> Value? {
        bytes(part).flatMap { try? JSONDecoder().decode(type, from: $0) }
    }

    /// Base64url without padding (RFC 4648, section 5).
    private static func bytes(_ part: Substring) -> Data? {
        var text = part.replacing("-", with: "+").replacing("_", with: "/")
        text += String(repeating: "=", count: (4 - text.count % 4) % 4)
        return Data(base64Encoded: String(text))
    }
}
