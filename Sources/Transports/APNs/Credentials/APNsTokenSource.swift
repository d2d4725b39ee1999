import Crypto
import Foundation
import Model
import PushHTTP
import Reasons
import Synchronization

/// Makes provider tokens from one signing key and shares each for most of an hour.
///
/// Apple refuses tokens older than an hour, and senders that make new ones more often than every
/// twenty minutes.
package final class APNsTokenSource: Sendable {
    private struct Token {
        var bearer: String
        var issuedAt: Date
    }

    private static let lifetime: TimeInterval = 50 * 60
    private static let minLifetime: TimeInterval = 20 * 60

    private let keyID: String
    private let teamID: String
    private let key: P256.Signing.PrivateKey
    private let current = Mutex<Token?>(nil)

    package init(
        keyID: String,
        teamID: String,
        privateKeyPEM: String
    ) throws(CredentialError) {
        for (name, value) in [("key id", keyID), ("team id", teamID)]
        where value.utf8.count != 10 || !value.utf8.allSatisfy(Self.isLetterOrDigit) {
            throw CredentialError(.keyIdentifier, ["name": "\(name)", "value": .text(value)])
        }
        do {
            key = try P256.Signing.PrivateKey(pemRepresentation: privateKeyPEM)
        } catch {
            throw CredentialError(
                .signingKey,
                ["reason": .reason(Reason(Self.kind(of: privateKeyPEM)))]
            )
        }
        self.keyID = keyID
        self.teamID = teamID
    }

    /// What a file is that is not a P-256 private key.
    private static func kind(of text: String) -> CredentialReason {
        if text.allSatisfy(\.isWhitespace) { return .signingKeyEmpty }
        if text.contains("BEGIN RSA PRIVATE KEY") { return .signingKeyRSA }
        if text.contains("BEGIN CERTIFICATE") { return .signingKeyCertificate }
        if text.contains("PRIVATE KEY") { return .signingKeyOther }
        // DER, as a .p12 file begins.
        if text.utf8.first == 0x30 { return .signingKeyBinary }
        return .signingKeyNoPEM
    }

    /// The value of the `authorization` header.
    package func authorization(now: Date) throws -> String {
        try current.withLock { current in
            if let token = current, abs(now.timeIntervalSince(token.issuedAt)) < Self.lifetime {
                return token.bearer
            }
            let token = try make(now: now)
            current = token
            return token.bearer
        }
    }

    /// A new token to replace one that Apple called expired; `nil` if that token is younger than
    /// twenty minutes, because Apple would reject a new one as well.
    package func renew(refused: String, now: Date) throws -> String? {
        try current.withLock { current in
            if let token = current {
                if token.bearer != refused { return token.bearer }
                let age = now.timeIntervalSince(token.issuedAt)
                if age >= 0, age < Self.minLifetime { return nil }
            }
            let token = try make(now: now)
            current = token
            return token.bearer
        }
    }

    private func make(now: Date) throws -> Token {
        let header = #"{"alg":"ES256","kid":"\#(keyID)"}"#
        let claims = #"{"iss":"\#(teamID)","iat":\#(Int(now.timeIntervalSince1970))}"#
        let content = "\(Base64URL.encode(header.utf8)).\(Base64URL.encode(claims.utf8))"
        let signature = try key.signature(for: Data(content.utf8)).rawRepresentation
        return Token(
            bearer: "bearer \(content).\(Base64URL.encode(signature))",
            issuedAt: now
        )
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "A")...UInt8(ascii: "Z"):
            true
        default: false
        }
    }
}
