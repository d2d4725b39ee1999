import Accounts
import ConnectedContent
import Crypto
import Foundation
import HTTPTypes
import Hummingbird
import JSON
import Logging
import NoroshiWire
import Synchronization

/// A provider of OpenID Connect on a port of this computer: it lets in whom a test names, and gives
/// a token only for the right code, verifier, redirect and secret.
final class HTTPProvider: Sendable {
    static let client = "noroshi console"
    static let secret = "s%e c/r:et"

    /// Somebody who was let in and whose code was not exchanged yet.
    private struct Entrance: Sendable {
        var begun: [String: String]
        var claims: [String: JSONValue]
    }

    private let key = P256.Signing.PrivateKey()
    private let now: @Sendable () -> Date
    private let port = Mutex(0)
    private let entrances = Mutex<[String: Entrance]>([:])

    init(now: @escaping @Sendable () -> Date) {
        self.now = now
    }

    var issuer: String { "http://127.0.0.1:\(port.withLock { $0 })" }

    /// Runs the provider while `work` is done.
    static func run(
        now: @escaping @Sendable () -> Date,
        _ work: @escaping @Sendable (HTTPProvider) async throws -> Void
    ) async throws {
        let provider = HTTPProvider(now: now)
        let (running, announce) = AsyncStream.makeStream(of: Int.self)
        let application = Application(
            router: provider.router(),
            configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { announce.yield($0.localAddress?.port ?? 0) },
            logger: Logger(label: "provider") { _ in SwiftLogNoOpLogHandler() }
        )
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await application.run() }
            var ports = running.makeAsyncIterator()
            let found = await ports.next() ?? 0
            provider.port.withLock { $0 = found }
            try await work(provider)
            group.cancelAll()
        }
    }

    /// Lets a person in who came with an address of ``issuer``.
    ///
    /// - Returns: Path and query with which the browser comes back.
    func letIn(
        _ address: String,
        subject: String = "s-1",
        email: String,
        _ changes: [String: JSONValue] = [:]
    ) throws -> String {
        let parts = URLComponents(string: address)
        var begun: [String: String] = [:]
        for item in parts?.queryItems ?? [] { begun[item.name] = item.value }
        let code = UUID().uuidString
        let time = Int64(now().timeIntervalSince1970)
        let claims: [String: JSONValue] = [
            "iss": .string(issuer), "sub": .string(subject), "aud": .string(Self.client),
            "exp": .integer(time + 60), "iat": .integer(time),
            "nonce": .string(begun["nonce"] ?? ""), "email": .string(email),
            "email_verified": true, "name": "Yui Abe",
        ]
        entrances.withLock {
            $0[code] = Entrance(begun: begun, claims: claims.merging(changes) { $1 })
        }
        var back = URLComponents(string: begun["redirect_uri"] ?? "") ?? URLComponents()
        back.queryItems = [
            URLQueryItem(name: "state", value: begun["state"]),
            URLQueryItem(name: "code", value: code),
        ]
        return back.percentEncodedPath + "?" + (back.percentEncodedQuery ?? "")
    }

    private func router() -> Router<BasicRequestContext> {
        let router = Router()
        router.get("/.well-known/openid-configuration") { _, _ in
            Self.json([
                "issuer": .string(self.issuer),
                "authorization_endpoint": .string(self.issuer + "/authorize"),
                "token_endpoint": .string(self.issuer + "/token"),
                "jwks_uri": .string(self.issuer + "/keys"),
                "id_token_signing_alg_values_supported": ["ES256"],
            ])
        }
        router.get("/keys") { _, _ in
            let point = self.key.publicKey.x963Representation
            return Self.json([
                "keys": [
                    [
                        "kty": "EC", "crv": "P-256", "kid": "1",
                        "x": .string(Base64URL.text(point[1..<33])),
                        "y": .string(Base64URL.text(point[33...])),
                    ]
                ]
            ])
        }
        // What must not be followed.
        router.get("/moved/.well-known/openid-configuration") { _, _ in
            Response(
                status: .found,
                headers: [.location: self.issuer + "/.well-known/openid-configuration"]
            )
        }
        router.post("/token") { request, _ in
            let body = String(buffer: try await request.body.collect(upTo: 10_000))
            var fields: [String: String] = [:]
            for item in URLComponents(string: "?" + body)?.queryItems ?? [] {
                fields[item.name] = item.value
            }
            return try self.exchange(fields, authorization: request.headers[.authorization] ?? "")
        }
        return router
    }

    private func exchange(_ fields: [String: String], authorization: String) throws -> Response {
        let pair = "noroshi%20console:s%25e%20c%2Fr%3Aet"
        guard authorization == "Basic \(Data(pair.utf8).base64EncodedString())" else {
            return Self.json(["error": "invalid_client"], status: .unauthorized)
        }
        let challenge = SHA256.hash(data: Data((fields["code_verifier"] ?? "").utf8))
        guard let entrance = entrances.withLock({ $0.removeValue(forKey: fields["code"] ?? "") }),
            fields["grant_type"] == "authorization_code",
            fields["redirect_uri"] == entrance.begun["redirect_uri"],
            Base64URL.text(Data(challenge)) == entrance.begun["code_challenge"]
        else { return Self.json(["error": "invalid_grant"], status: .badRequest) }
        let signed =
            Self.part(["alg": "ES256", "kid": "1"]) + "." + Self.part(entrance.claims)
        let signature = try key.signature(for: Data(signed.utf8)).rawRepresentation
        return Self.json([
            "token_type": "Bearer", "access_token": "opaque",
            "id_token": .string(signed + "." + Base64URL.text(signature)),
        ])
    }

    private static func part(_ object: [String: JSONValue]) -> String {
        Base64URL.text(Data(JSONWriter.text(object).utf8))
    }

    private static func json(
        _ object: [String: JSONValue],
        status: HTTPResponse.Status = .ok
    ) -> Response {
        Response(
            status: status,
            headers: [.contentType: "application/json"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: JSONWriter.text(object)))
        )
    }
}
