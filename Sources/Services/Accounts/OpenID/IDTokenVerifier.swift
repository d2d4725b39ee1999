import Foundation
import Model
import Reasons

/// What a provider says of the person who signs in.
package struct OpenIDPerson: Sendable, Hashable {
    package var subject: OpenIDSubject
    package var email: String?
    package var isEmailVerified: Bool
    package var name: String?

    /// The address, if the provider has verified it.
    var verifiedEmail: String? { isEmailVerified ? email : nil }
}

/// The claims that describe a person, in ID tokens and user info (OpenID Connect Core 1.0, section
/// 5.1).
struct OpenIDProfile: Decodable {
    var sub: String?
    var email: String?
    var name: String?
    var isEmailVerified: Bool

    private enum CodingKeys: String, CodingKey {
        case sub, email, name
        case email_verified
    }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        sub = try values.decodeIfPresent(String.self, forKey: .sub)
        email = try values.decodeIfPresent(String.self, forKey: .email)
        name = try values.decodeIfPresent(String.self, forKey: .name)
        // Some providers write it as text.
        let flag = try? values.decodeIfPresent(Bool.self, forKey: .email_verified)
        let text = try? values.decodeIfPresent(String.self, forKey: .email_verified)
        isEmailVerified = flag == true || text == "true"
    }
}

/// Verifies ID tokens (OpenID Connect Core 1.0, section 3.1.3.7).
package struct IDTokenVerifier: Sendable {
    /// How far the clocks may be apart, in seconds.
    package static let leeway: TimeInterval = 60
    /// Maximum length of a token, in bytes.
    static let lengthLimit = 65_536

    private let issuer: String
    private let clientID: String
    private let nonce: String
    private let now: Date

    /// - Parameter nonce: What the sign-in that the token must belong to has sent.
    package init(issuer: String, clientID: String, nonce: String, now: Date) {
        self.issuer = issuer
        self.clientID = clientID
        self.nonce = nonce
        self.now = now
    }

    private struct Header: Decodable {
        var alg: String
        var kid: String?
        /// Extensions that must be understood (RFC 7515, section 4.1.11); there are none here.
        var crit: [String]?
    }

    private struct Claims: Decodable {
        var iss: String?
        var aud: Audience?
        var azp: String?
        var nonce: String?
        /// Seconds since 1970.
        var exp: Double?
        var iat: Double?
        var nbf: Double?
    }

    /// One text or several.
    private struct Audience: Decodable {
        var names: [String]

        init(from decoder: any Decoder) throws {
            let value = try decoder.singleValueContainer()
            names = try (try? value.decode(String.self)).map { [$0] } ?? value.decode([String].self)
        }
    }

    /// - Throws: `OpenIDError` with the first thing that is wrong.
    package func verify(_ token: String, keys: OpenIDKeys) throws(OpenIDError) -> OpenIDPerson {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard token.utf8.count <= Self.lengthLimit, parts.count == 3,
            let header = Self.decode(Header.self, parts[0]), header.crit == nil
        else { throw OpenIDError(.tokenMalformed) }
        guard let algorithm = OpenIDAlgorithm(rawValue: header.alg) else {
            throw OpenIDError(.algorithm, ["algorithm": .text(String(header.alg.prefix(20)))])
        }
        guard let signature = Base64URL.bytes(parts[2]) else { throw OpenIDError(.tokenMalformed) }
        try keys.verify(
            signature,
            of: Data("\(parts[0]).\(parts[1])".utf8),
            by: algorithm,
            key: header.kid
        )
        guard let claims = Self.decode(Claims.self, parts[1]),
            let profile = Self.decode(OpenIDProfile.self, parts[1])
        else { throw OpenIDError(.tokenMalformed) }
        try check(claims)
        guard let subject = profile.sub, (1...OpenIDSubject.limit).contains(subject.utf8.count),
            subject.utf8.allSatisfy({ $0 >= 0x20 })
        else { throw OpenIDError(.missing, ["name": "sub"]) }
        return OpenIDPerson(
            subject: OpenIDSubject(issuer: issuer, subject: subject),
            email: profile.email,
            isEmailVerified: profile.isEmailVerified,
            name: profile.name
        )
    }

    private func check(_ claims: Claims) throws(OpenIDError) {
        func required<Value>(_ value: Value?, _ name: String) throws(OpenIDError) -> Value {
            guard let value else { throw OpenIDError(.missing, ["name": .text(name)]) }
            return value
        }
        let named = try required(claims.iss, "iss")
        guard named == issuer else {
            throw OpenIDError(.issuer, ["issuer": .text(named), "expected": .text(issuer)])
        }
        let audience = try required(claims.aud, "aud").names
        guard audience.contains(clientID) else {
            throw OpenIDError(
                .audience,
                ["audience": .text(String(audience.joined(separator: ", ").prefix(200)))]
            )
        }
        // With several audiences the token says for which of them it was issued.
        let party = audience.count > 1 ? try required(claims.azp, "azp") : claims.azp
        guard party == nil || party == clientID else {
            throw OpenIDError(
                .authorizedParty,
                ["client": .text(String((party ?? "").prefix(200)))]
            )
        }
        let time = now.timeIntervalSince1970
        guard time < (try required(claims.exp, "exp")) + Self.leeway else {
            throw OpenIDError(.expired)
        }
        let issuedAt = try required(claims.iat, "iat")
        guard max(issuedAt, claims.nbf ?? issuedAt) <= time + Self.leeway else {
            throw OpenIDError(.early)
        }
        guard try required(claims.nonce, "nonce") == nonce else { throw OpenIDError(.nonce) }
    }

    private static func decode<Value: Decodable>(_ type: Value.Type, _ part: String) -> Value? {
        Base64URL.bytes(part).flatMap { try? JSONDecoder().decode(type, from: $0) }
    }
}
