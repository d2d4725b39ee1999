import Foundation
import Logging
import Model
import NIOCore
import PushHTTP
import Reasons
import _CryptoExtras

enum FCMAccessTokenError: Error {
    case refused(CredentialError)
    case unreachable(reason: String, retryAfter: Duration?)
}

/// Exchanges a service account for access tokens, and caches one until shortly before it expires.
actor FCMAccessTokens {
    private struct Token {
        var value: String
        var renewAt: Date
    }

    private struct Answer: Decodable {
        var access_token: String?
        var expires_in: Double?
        var error: String?
        var error_description: String?
    }

    private static let scope = "https://www.googleapis.com/auth/firebase.messaging"
    private static let renewEarly: TimeInterval = 300
    /// Google's tokens are valid for an hour; a longer validity than half a day is not trusted.
    private static let maxLifetime: TimeInterval = 12 * 3600
    private static let maxTokenLength = 4096
    private static let formHeaders = SharedHeaders([
        ("content-type", "application/x-www-form-urlencoded")
    ])

    private let credentials: FCMCredentials
    private let client: PushHTTPClient
    private let path: String
    private let now: @Sendable () -> Date
    private var token: Token?
    private var refresh: Task<Token, any Error>?

    /// - Parameter server: The token server; `nil` for the address in the service account.
    init(
        credentials: FCMCredentials,
        server: PushHTTPEndpoint?,
        limits: PushHTTPLimits,
        eventLoop: any EventLoop,
        logger: Logger,
        now: @escaping @Sendable () -> Date
    ) throws {
        self.credentials = credentials
        self.now = now
        guard let address = URLComponents(string: credentials.tokenURI),
            let host = address.host, address.scheme == "https"
        else { throw CredentialError(.accountWithout, ["name": "token_uri"]) }
        let port = address.port ?? 443
        // The file comes from a member; it may only name a Google host.
        guard (1...65_535).contains(port), server != nil || host.hasSuffix(".googleapis.com")
        else { throw CredentialError(.accountAddress) }
        path = address.percentEncodedPath.isEmpty ? "/token" : address.percentEncodedPath
        client = try PushHTTPClient(
            endpoint: server ?? PushHTTPEndpoint(host: host, port: port),
            limits: limits,
            eventLoop: eventLoop,
            logger: logger
        )
    }

    /// A valid token; one exchange serves all waiting callers.
    func current() async throws -> String {
        if let token, now() < token.renewAt { return token.value }
        if let refresh { return try await refresh.value.value }
        let task = Task { try await exchange() }
        refresh = task
        defer { refresh = nil }
        let fresh = try await task.value
        token = fresh
        return fresh.value
    }

    /// Invalidates a token that Google rejected.
    func forget(_ refused: String) {
        if token?.value == refused { token = nil }
    }

    /// Closes the connection once no request uses it.
    nonisolated func retire() {
        client.retire()
    }

    nonisolated func shutDown(grace: Duration) async {
        await client.shutDown(grace: grace)
    }

    private func exchange() async throws -> Token {
        let grant = "urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer"
        let request = PushHTTPRequest(
            path: path,
            sharedHeaders: Self.formHeaders,
            body: Array("grant_type=\(grant)&assertion=\(try assertion())".utf8)
        )
        switch await client.send(request, deadline: .seconds(20)) {
        case .response(let response):
            let answer = try? JSONDecoder().decode(Answer.self, from: Data(response.body))
            if response.status == 200, let value = answer?.access_token, Self.isToken(value) {
                let said = min(answer?.expires_in ?? 3600, Self.maxLifetime)
                let life = max(60, said - Self.renewEarly)
                return Token(value: value, renewAt: now() + life)
            }
            if response.status == 429 || response.status >= 500 {
                throw FCMAccessTokenError.unreachable(
                    reason: "the token server answered \(response.status)",
                    retryAfter: response.retryAfter
                )
            }
            let detail = answer?.error_description ?? answer?.error ?? "HTTP \(response.status)"
            throw FCMAccessTokenError.refused(
                Self.refused(PushHTTPResponse.line(detail, limit: 200))
            )
        case .notSent(let reason, let retryAfter):
            throw FCMAccessTokenError.unreachable(reason: reason, retryAfter: retryAfter)
        case .unanswered(let reason):
            throw FCMAccessTokenError.unreachable(reason: reason, retryAfter: nil)
        }
    }

    private static func refused(_ detail: String) -> CredentialError {
        CredentialError(.accountRefused, ["reason": .text(detail)])
    }

    /// Whether the text can stand in a header: a token is sent as it came.
    private static func isToken(_ text: String) -> Bool {
        (1...maxTokenLength).contains(text.utf8.count)
            && text.utf8.allSatisfy { (0x21..<0x7f).contains($0) }
    }

    /// The signed claims (RFC 7523).
    private func assertion() throws -> String {
        let issued = Int(now().timeIntervalSince1970)
        var header = JSONWriter()
        header.object { header in
            header.member("alg", "RS256")
            header.member("typ", "JWT")
            header.member("kid", credentials.privateKeyID)
        }
        var claims = JSONWriter()
        claims.object { claims in
            claims.member("iss", credentials.clientEmail)
            claims.member("scope", Self.scope)
            claims.member("aud", credentials.tokenURI)
            claims.member("iat", issued)
            claims.member("exp", issued + 3600)
        }
        let content = "\(Base64URL.encode(header.bytes)).\(Base64URL.encode(claims.bytes))"
        let key: _RSA.Signing.PrivateKey
        do {
            key = try _RSA.Signing.PrivateKey(pemRepresentation: credentials.privateKey)
        } catch {
            throw FCMAccessTokenError.refused(CredentialError(.accountKey))
        }
        let signature = try key.signature(
            for: Data(content.utf8),
            padding: .insecurePKCS1v1_5
        )
        return "\(content).\(Base64URL.encode(signature.rawRepresentation))"
    }
}
