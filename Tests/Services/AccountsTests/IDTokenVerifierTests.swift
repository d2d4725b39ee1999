import Accounts
import Crypto
import Foundation
import JSON
import Model
import NoroshiWire
import Reasons
import Testing
import _CryptoExtras

/// OpenID Connect Core 1.0, section 3.1.3.7: what an ID token has to say.
@Suite("ID tokens")
struct IDTokenVerifierTests {
    private static let now = Date(timeIntervalSince1970: 1_780_000_000)
    private static let time = JSONValue.integer(1_780_000_000)

    private static func claims(_ changes: [String: JSONValue] = [:]) -> [String: JSONValue] {
        let right: [String: JSONValue] = [
            "iss": .string(TestProvider.issuer), "sub": "248289761001",
            "aud": .string(TestProvider.client), "nonce": "n-0S6_WzA2Mj",
            "exp": .integer(1_780_000_300), "iat": time, "email": "mai@example.com",
            "email_verified": true, "name": "Mai Sato",
        ]
        return right.merging(changes) { $1 }
    }

    private static func keys(_ entries: [(String?, TestProvider.SigningKey)]) throws -> OpenIDKeys {
        let keys = entries.map { JSONValue.object(TestProvider.publicKey($0.1, $0.0)) }
        return try OpenIDKeys(
            Array(JSONWriter.text(["keys": .array(keys)]).utf8),
            from: "https://login.example.com/keys"
        )
    }

    private static func verify(
        _ token: String,
        _ keys: OpenIDKeys,
        at time: Date = now
    ) throws -> OpenIDPerson {
        try IDTokenVerifier(
            issuer: TestProvider.issuer,
            clientID: TestProvider.client,
            nonce: "n-0S6_WzA2Mj",
            now: time
        ).verify(token, keys: keys)
    }

    private static func flaw(
        _ token: String,
        _ keys: OpenIDKeys,
        at time: Date = now
    ) -> OpenIDReason? {
        do {
            _ = try verify(token, keys, at: time)
            return nil
        } catch {
            return (error as? OpenIDError)?.code
        }
    }

    @Test("a token that is right, by an RSA key or one on P-256, names its person")
    func right() throws {
        let rsa = TestProvider.SigningKey.rsa(try TestProvider.rsa.get())
        let curve = TestProvider.SigningKey.p256(P256.Signing.PrivateKey())
        for key in [rsa, curve] {
            let person = try Self.verify(
                TestProvider.token(Self.claims(), by: key),
                Self.keys([("other", curve), ("one", key)])
            )
            #expect(person.subject.subject == "248289761001")
            #expect(person.subject.issuer == TestProvider.issuer)
            #expect(person.email == "mai@example.com")
            #expect(person.isEmailVerified)
        }
    }

    @Test(
        "an address counts as verified only if the token says so",
        arguments: [
            (JSONValue.bool(true), true), ("true", true), (.bool(false), false), ("false", false),
            (.null, false), (.integer(1), false),
        ]
    )
    func verifiedEmail(flag: JSONValue, isVerified: Bool) throws {
        let key = TestProvider.SigningKey.p256(P256.Signing.PrivateKey())
        let token = try TestProvider.token(Self.claims(["email_verified": flag]), by: key)
        let person = try Self.verify(token, Self.keys([("one", key)]))
        #expect(person.isEmailVerified == isVerified)
    }

    @Test(
        "each claim that is wrong is refused for its own reason",
        arguments: [
            (["iss": "https://login.example.com/"], OpenIDReason.issuer),
            (["iss": .null], .missing),
            (["aud": "another"], .audience),
            (["aud": ["another", "third"], "azp": "noroshi"], .audience),
            (["aud": .null], .missing),
            (["aud": ["noroshi", "another"]], .missing),
            (["aud": ["noroshi", "another"], "azp": "another"], .authorizedParty),
            (["azp": "another"], .authorizedParty),
            (["exp": .integer(1_779_999_940)], .expired),
            (["exp": .null], .missing),
            (["iat": .integer(1_780_000_061)], .early),
            (["iat": .null], .missing),
            (["nbf": .integer(1_780_000_061)], .early),
            (["nonce": "another"], .nonce),
            (["nonce": .null], .missing),
            (["sub": .null], .missing),
            (["sub": ""], .missing),
            (["sub": .string(String(repeating: "a", count: 256))], .missing),
            (["sub": "a\u{0}b"], .missing),
            (["sub": .integer(7)], .tokenMalformed),
            (["exp": "soon"], .tokenMalformed),
        ] as [([String: JSONValue], OpenIDReason)]
    )
    func wrongClaim(changes: [String: JSONValue], reason: OpenIDReason) throws {
        let key = TestProvider.SigningKey.p256(P256.Signing.PrivateKey())
        let token = try TestProvider.token(Self.claims(changes), by: key)
        #expect(Self.flaw(token, try Self.keys([("one", key)])) == reason)
    }

    @Test(
        "clocks may be a minute apart",
        arguments: [
            ["exp": .integer(1_779_999_941)], ["iat": .integer(1_780_000_060)],
            ["nbf": .integer(1_780_000_060)], ["aud": ["noroshi"]],
            ["aud": ["another", "noroshi"], "azp": "noroshi"], ["azp": "noroshi"],
        ] as [[String: JSONValue]]
    )
    func stillRight(changes: [String: JSONValue]) throws {
        let key = TestProvider.SigningKey.p256(P256.Signing.PrivateKey())
        let token = try TestProvider.token(Self.claims(changes), by: key)
        #expect(Self.flaw(token, try Self.keys([("one", key)])) == nil)
    }

    @Test("only signatures by a key of the provider are taken")
    func signatures() throws {
        let rsa = try TestProvider.rsa.get()
        let key = TestProvider.SigningKey.rsa(rsa)
        let curve = TestProvider.SigningKey.p256(P256.Signing.PrivateKey())
        let keys = try Self.keys([("one", key), ("two", curve)])
        func flaw(_ token: String) -> OpenIDReason? { Self.flaw(token, keys) }
        func token(
            _ header: [String: JSONValue],
            by key: TestProvider.SigningKey
        ) throws -> String {
            try TestProvider.token(Self.claims(), by: key, header: header)
        }
        #expect(flaw(try token(["alg": "none"], by: key)) == .algorithm)
        #expect(flaw(try token(["alg": "HS256"], by: key)) == .algorithm)
        #expect(flaw(try token(["alg": "rs256"], by: key)) == .algorithm)
        #expect(flaw(try token(["alg": "PS256"], by: key)) == .algorithm)
        #expect(flaw(try token(["alg": .null], by: key)) == .tokenMalformed)
        #expect(flaw(try token(["crit": ["b64"], "b64": false], by: key)) == .tokenMalformed)
        // A key of the other kind is none for this algorithm.
        #expect(flaw(try token(["kid": "two"], by: key)) == .keyUnknown)
        #expect(flaw(try token(["kid": "three"], by: key)) == .keyUnknown)
        let stranger = TestProvider.SigningKey.p256(P256.Signing.PrivateKey())
        #expect(flaw(try token(["kid": "two"], by: stranger)) == .signature)
        // Without an id there must be one key only.
        #expect(flaw(try token(["kid": .null], by: key)) == nil)
        let two = try Self.keys([("one", curve), ("two", stranger)])
        #expect(Self.flaw(try token(["kid": .null], by: curve), two) == .keyUnknown)

        // HS256 with the public key as the secret, and no signature at all.
        let head = TestProvider.part(["alg": "HS256", "kid": "one"])
        let signed = head + "." + TestProvider.part(Self.claims())
        let code = HMAC<SHA256>.authenticationCode(
            for: Data(signed.utf8),
            using: SymmetricKey(data: Data(rsa.publicKey.pemRepresentation.utf8))
        )
        #expect(flaw(signed + "." + Base64URL.text(Data(code))) == .algorithm)
        let bare = TestProvider.part(["alg": "none"]) + "." + TestProvider.part(Self.claims()) + "."
        #expect(flaw(bare) == .algorithm)

        // Changed content, and a signature of another form.
        let good = try token([:], by: key).split(separator: ".").map(String.init)
        let other = TestProvider.part(Self.claims(["sub": "1"]))
        #expect(flaw("\(good[0]).\(other).\(good[2])") == .signature)
        #expect(flaw("\(good[0]).\(good[1]).") == .signature)
        #expect(flaw("\(good[0]).\(good[1])") == .tokenMalformed)
        #expect(flaw("") == .tokenMalformed)
        #expect(flaw(String(repeating: "a", count: 70_000)) == .tokenMalformed)
        let curved = try token(["kid": "two"], by: curve).split(separator: ".").map(String.init)
        let short = Base64URL.text(Data(repeating: 0, count: 63))
        #expect(flaw("\(curved[0]).\(curved[1]).\(short)") == .signature)
    }

    @Test("keys that cannot be used are left out; without any the provider is told so")
    func keys() throws {
        let curve = TestProvider.SigningKey.p256(P256.Signing.PrivateKey())
        let good = TestProvider.publicKey(curve, "one")
        func count(_ keys: [[String: JSONValue]]) -> Int? {
            let text = JSONWriter.text(["keys": .array(keys.map(JSONValue.object))])
            return try? OpenIDKeys(Array(text.utf8), from: "").count
        }
        #expect(count([good]) == 1)
        #expect(count([good, good.merging(["use": "enc"]) { $1 }]) == 1)
        #expect(count([good, good.merging(["alg": "ES384"]) { $1 }]) == 1)
        #expect(count([good, good.merging(["crv": "P-384"]) { $1 }]) == 1)
        #expect(count([good, good.merging(["x": "AAAA"]) { $1 }]) == 1)
        #expect(count([good, ["kty": "oct", "k": "c2VjcmV0"]]) == 1)
        let small: [String: JSONValue] = [
            "kty": "RSA", "e": "AQAB",
            "n": .string(Base64URL.text(Data(repeating: 0xC1, count: 128))),
        ]
        #expect(count([good, small]) == 1)
        #expect(count([small]) == nil)
        #expect(count([]) == nil)
    }

    @Test(
        "a document is taken only if a sign-in can work with it",
        arguments: [
            (["issuer": "https://login.example.com/"], OpenIDReason.issuer),
            (["issuer": .null], .missing),
            (["token_endpoint": .null], .missing),
            (["token_endpoint": "http://login.example.com/token"], .insecure),
            (["authorization_endpoint": "javascript:alert(1)"], .insecure),
            (["jwks_uri": "https://user:pass@login.example.com/keys"], .insecure),
            (["userinfo_endpoint": "ftp://login.example.com"], .insecure),
            (["response_types_supported": ["id_token"]], .noCodeFlow),
            (["id_token_signing_alg_values_supported": ["HS256", "none"]], .noAlgorithm),
            (["code_challenge_methods_supported": ["plain"]], .noPKCE),
            (["token_endpoint_auth_methods_supported": ["private_key_jwt"]], .clientAuthentication),
            (["response_types_supported": "code"], .notJSON),
        ] as [([String: JSONValue], OpenIDReason)]
    )
    func document(changes: [String: JSONValue], reason: OpenIDReason) throws {
        let document = TestProvider.document.merging(changes) { $1 }.filter { $0.value != .null }
        do {
            _ = try OpenIDMetadata(
                Array(JSONWriter.text(document).utf8),
                of: TestProvider.issuer
            )
            Issue.record("taken")
        } catch {
            #expect(error.code == reason)
        }
    }

    @Test(
        "issuers are addresses that nobody on the way reads",
        arguments: [
            ("https://login.example.com", true), ("https://login.example.com/realms/tea/", true),
            ("http://localhost:8080", true), ("http://127.0.0.1:9/x", true),
            ("http://login.example.com", false), ("https://login.example.com?a=b", false),
            ("https://login.example.com#x", false), ("https://a@login.example.com", false),
            ("login.example.com", false), ("", false), ("https://", false),
        ]
    )
    func issuers(text: String, isOne: Bool) {
        #expect(OpenIDAddress.isIssuer(text) == isOne)
    }
}
