import Accounts
import Crypto
import Foundation
import JSON
import Liquid
import Model
import NoroshiWire
import Ports
import Reasons
import Synchronization
import _CryptoExtras

/// A provider of OpenID Connect behind a fetcher: it publishes its document and keys, and exchanges
/// codes for what a test says.
final class TestProvider: ContentFetcher, Sendable {
    static let issuer = "https://login.example.com"
    static let client = "noroshi"
    static let secret = "a client's secret / 100%"

    enum SigningKey: Sendable {
        case rsa(_RSA.Signing.PrivateKey)
        case p256(P256.Signing.PrivateKey)
    }

    struct State: Sendable {
        var document: [String: JSONValue]
        var keys: [(id: String?, key: SigningKey)]
        /// The ID tokens of codes.
        var tokens: [String: String] = [:]
        /// What the token endpoint answers instead.
        var refusal: (status: Int, error: String)?
        var userInfo: [String: JSONValue]?
        /// What was asked, in order.
        var requests: [ConnectedContentRequest] = []
        var isDown = false
    }

    let state: Mutex<State>

    /// One key for all tests: making one takes long.
    static let rsa = Result { try _RSA.Signing.PrivateKey(keySize: .bits2048) }

    init(keys: [(id: String?, key: SigningKey)]) {
        state = Mutex(State(document: Self.document, keys: keys))
    }

    static func withRSA() throws -> TestProvider {
        TestProvider(keys: [("one", .rsa(try rsa.get()))])
    }

    static let document: [String: JSONValue] = [
        "issuer": .string(issuer),
        "authorization_endpoint": .string(issuer + "/authorize?realm=tea"),
        "token_endpoint": .string(issuer + "/token"),
        "jwks_uri": .string(issuer + "/keys"),
        "response_types_supported": ["code", "id_token"],
        "id_token_signing_alg_values_supported": ["RS256", "ES256"],
        "token_endpoint_auth_methods_supported": ["client_secret_post", "client_secret_basic"],
        "code_challenge_methods_supported": ["S256"],
    ]

    func change(_ change: (inout sending State) -> Void) {
        state.withLock { change(&$0) }
    }

    /// The requests to a path.
    func requests(to path: String) -> [ConnectedContentRequest] {
        state.withLock { $0.requests.filter { $0.url == Self.issuer + path } }
    }

    func fetch(
        _ request: ConnectedContentRequest,
        for workspace: WorkspaceID
    ) async throws -> ConnectedContentResponse {
        let state = state.withLock { state in
            state.requests.append(request)
            return state
        }
        if state.isDown {
            throw ContentFetchError.unavailable(.noHostAddress, ["host": "login.example.com"])
        }
        func json(_ object: [String: JSONValue], status: Int = 200) -> ConnectedContentResponse {
            ConnectedContentResponse(status: status, body: Array(JSONWriter.text(object).utf8))
        }
        switch request.url {
        case Self.issuer + "/.well-known/openid-configuration": return json(state.document)
        case Self.issuer + "/keys":
            return json(["keys": .array(state.keys.map { .object(Self.publicKey($0.key, $0.id)) })])
        case Self.issuer + "/userinfo":
            return state.userInfo.map { json($0) } ?? json([:], status: 404)
        case Self.issuer + "/token":
            if let refusal = state.refusal {
                return json(["error": .string(refusal.error)], status: refusal.status)
            }
            let code = Self.fields(request.body ?? "")["code"] ?? ""
            guard let token = state.tokens[code] else {
                return json(["error": "invalid_grant"], status: 400)
            }
            return json(["id_token": .string(token), "access_token": .string("access-\(code)")])
        default: return json([:], status: 404)
        }
    }

    // MARK: Tokens

    /// A signed token.
    static func token(
        _ claims: [String: JSONValue],
        by key: SigningKey,
        header: [String: JSONValue] = [:]
    ) throws -> String {
        let algorithm =
            switch key {
            case .rsa: "RS256"
            case .p256: "ES256"
            }
        let head: [String: JSONValue] = ["alg": .string(algorithm), "kid": "one"]
        let signed =
            part(head.merging(header) { $1 }.filter { $0.value != .null })
            + "." + part(claims.filter { $0.value != .null })
        let signature =
            switch key {
            case .rsa(let key):
                try key.signature(for: Data(signed.utf8), padding: .insecurePKCS1v1_5)
                    .rawRepresentation
            case .p256(let key): try key.signature(for: Data(signed.utf8)).rawRepresentation
            }
        return signed + "." + Base64URL.text(signature)
    }

    static func part(_ object: [String: JSONValue]) -> String {
        Base64URL.text(Data(JSONWriter.text(object).utf8))
    }

    static func fields(_ text: String) -> [String: String] {
        var fields: [String: String] = [:]
        for pair in text.split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            fields[String(parts[0])] = parts.last.map(String.init)?.removingPercentEncoding
        }
        return fields
    }

    static func publicKey(_ key: SigningKey, _ id: String?) -> [String: JSONValue] {
        var members: [String: JSONValue] = ["use": "sig"]
        members["kid"] = id.map(JSONValue.string)
        switch key {
        case .rsa(let key):
            let numbers = try? key.publicKey.getKeyPrimitives()
            members["kty"] = "RSA"
            members["n"] = .string(Base64URL.text(numbers?.modulus ?? Data()))
            members["e"] = .string(Base64URL.text(numbers?.publicExponent ?? Data()))
        case .p256(let key):
            let point = key.publicKey.x963Representation
            members["kty"] = "EC"
            members["crv"] = "P-256"
            members["x"] = .string(Base64URL.text(point[1..<33]))
            members["y"] = .string(Base64URL.text(point[33...]))
        }
        return members
    }
}
