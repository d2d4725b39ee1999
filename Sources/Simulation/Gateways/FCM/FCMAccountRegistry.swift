import Crypto
import Foundation
import _CryptoExtras

/// The service accounts of the simulator, and the access tokens it has issued.
struct FCMAccountRegistry {
    private struct Account {
        var project: String
        var key: _RSA.Signing.PublicKey
    }

    private struct AccessToken {
        var project: String
        var expires: Date
    }

    private struct Claims: Decodable {
        var iss: String
        var scope: String
        var aud: String
        var iat: Double
        var exp: Double
    }

    private static let scopes: Set = [
        "https://www.googleapis.com/auth/firebase.messaging",
        "https://www.googleapis.com/auth/cloud-platform",
    ]
    private static let lifetime: TimeInterval = 3599
    /// The audience that Google's guide names, whatever the URL of the exchange: google-auth and
    /// libraries based on it write this URL into every assertion.
    private static let audience = "https://oauth2.googleapis.com/token"
    /// Maximum number of remembered access tokens; older ones count as expired.
    private static let rememberedTokens = 10_000

    private var accounts: [String: Account] = [:]
    private var tokens: [String: AccessToken] = [:]
    /// Number of issued access tokens.
    private(set) var tokenCount = 0

    /// Creates a service account and its JSON file, with a new key unless one is given.
    mutating func makeAccount(
        project: String,
        privateKeyPEM: String?,
        tokenURI: String
    ) throws -> [UInt8] {
        let key =
            try privateKeyPEM.map { try _RSA.Signing.PrivateKey(pemRepresentation: $0) }
            ?? _RSA.Signing.PrivateKey(keySize: .bits2048)
        let email = "firebase-adminsdk@\(project).iam.gserviceaccount.com"
        accounts[email] = Account(project: project, key: key.publicKey)
        return RecordText.json([
            "type": "service_account", "project_id": project, "client_email": email,
            "private_key_id": UUID().uuidString.lowercased(),
            "private_key": key.pkcs8PEMRepresentation, "token_uri": tokenURI,
        ])
    }

    /// Expires all access tokens, as after an hour.
    mutating func expireTokens() {
        tokens = [:]
    }

    /// The project that an access token is for.
    func project(authorization: String?, now: Date) -> String? {
        guard let authorization, authorization.hasPrefix("Bearer "),
            let token = tokens[String(authorization.dropFirst(7))], now < token.expires
        else { return nil }
        return token.project
    }

    /// Exchanges a signed assertion for an access token.
    mutating func exchange(form: String, tokenURI: String, now: Date) -> GatewayResponse {
        var fields: [String: String] = [:]
        for pair in form.split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1)
            guard parts.count == 2 else { continue }
            let value = parts[1].replacingOccurrences(of: "+", with: " ")
            fields[String(parts[0])] = value.removingPercentEncoding
        }
        guard fields["grant_type"] == "urn:ietf:params:oauth:grant-type:jwt-bearer" else {
            return Self.refusal("unsupported_grant_type", "Invalid grant_type")
        }
        guard let (claims, account) = fields["assertion"].flatMap(verify) else {
            return Self.refusal("invalid_grant", "Invalid JWT Signature.")
        }
        guard claims.aud == tokenURI || claims.aud == Self.audience else {
            return Self.refusal(
                "invalid_grant",
                "Invalid JWT: aud is neither \(tokenURI) nor \(Self.audience)"
            )
        }
        let seconds = now.timeIntervalSince1970
        guard claims.exp > seconds, claims.iat < seconds + 300, claims.exp - claims.iat <= 3600
        else {
            return Self.refusal(
                "invalid_grant",
                "Invalid JWT: Token must be a short-lived token (60 minutes)"
            )
        }
        guard
            claims.scope.split(separator: " ").contains(where: { Self.scopes.contains(String($0)) })
        else { return Self.refusal("invalid_scope", "No scope for messaging") }
        tokenCount += 1
        let token = "ya29.\(UUID().uuidString)"
        if tokens.count >= Self.rememberedTokens { forgetOldest(now: now) }
        tokens[token] = AccessToken(project: account.project, expires: now + Self.lifetime)
        return GatewayControl.response(
            200,
            Array(
                """
                {"access_token":"\(token)","expires_in":\(Int(Self.lifetime)),\
                "token_type":"Bearer"}
                """.utf8
            )
        )
    }

    private mutating func forgetOldest(now: Date) {
        tokens = tokens.filter { now < $0.value.expires }
        let surplus = tokens.count - Self.rememberedTokens / 2
        guard surplus > 0 else { return }
        let oldest = tokens.sorted { $0.value.expires < $1.value.expires }.prefix(surplus)
        for (token, _) in oldest { tokens[token] = nil }
    }

    private func verify(_ assertion: String) -> (Claims, Account)? {
        let parts = assertion.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3,
            let claims = Base64Text.decode(parts[1]).flatMap({
                try? JSONDecoder().decode(Claims.self, from: $0)
            }),
            let account = accounts[claims.iss],
            let signature = Base64Text.decode(parts[2]),
            account.key.isValidSignature(
                _RSA.Signing.RSASignature(rawRepresentation: signature),
                for: Data("\(parts[0]).\(parts[1])".utf8),
                padding: .insecurePKCS1v1_5
            )
        else { return nil }
        return (claims, account)
    }

    private static func refusal(_ error: String, _ description: String) -> GatewayResponse {
        GatewayControl.json(["error": error, "error_description": description], status: 400)
    }
}
