import Foundation

/// The authentication of an app's users with signed tokens (JWT): the mode and the accepted keys.
package struct SDKAuthenticationPolicy: Sendable, Hashable, Codable {
    /// How records of a named user without a valid token are handled.
    package enum Mode: String, Sendable, Hashable, Codable, CaseIterable {
        /// Tokens are ignored.
        case disabled
        /// Tokens are verified and failures are logged; the records are accepted.
        case optional
        /// The records are rejected until the app sends a valid token. Messages for a named user go
        /// only to devices that were verified for that user.
        case required
    }

    /// Maximum number of public keys of an app, so that keys can be replaced without a gap.
    package static let keyLimit = 3

    /// A key that verifies tokens.
    package struct Key: Sendable, Hashable, Codable {
        package var id: UUID
        /// RSA, in PEM.
        package var publicKey: String
        package var description: String

        package init(id: UUID, publicKey: String, description: String) {
            self.id = id
            self.publicKey = publicKey
            self.description = description
        }
    }

    package var mode: Mode
    /// A token is valid if one of these keys verifies it; the first is the primary key.
    package var keys: [Key]

    package init(mode: Mode = .disabled, keys: [Key] = []) {
        self.mode = mode
        self.keys = keys
    }

    package var publicKeys: [String] { keys.map(\.publicKey) }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        mode = try container.decode(Mode.self, forKey: .mode)
        if let keys = try container.decodeIfPresent([Key].self, forKey: .keys) {
            self.keys = keys
        } else {
            keys = try container.decode([String].self, forKey: .publicKeys).enumerated()
                .map { Key(id: Self.id(at: $0), publicKey: $1, description: "") }
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(mode, forKey: .mode)
        try container.encode(keys, forKey: .keys)
    }

    private enum CodingKeys: CodingKey {
        case mode, keys
        /// The format stored before keys had ids.
        case publicKeys
    }

    /// The id of a key that was stored without one, by its index; the next change stores it.
    private static func id(at place: Int) -> UUID {
        UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, UInt8(clamping: place + 1)))
    }
}

/// The reason why a user's signed token is invalid. The raw values are on the wire.
package enum SDKAuthenticationError: Int, Error, Sendable, Hashable, CaseIterable {
    case expirationRequired = 10
    case decodingError = 20
    case subjectMismatch = 21
    case expired = 22
    case invalidPayload = 23
    case incorrectAlgorithm = 24
    case publicKeyError = 25
    case missingToken = 26
    case noMatchingPublicKeys = 27
    case payloadUserIDMismatch = 28
    case notYetValid = 29

    /// The name on the wire.
    package var reason: String {
        switch self {
        case .expirationRequired: "EXPIRATION_REQUIRED"
        case .decodingError: "DECODING_ERROR"
        case .subjectMismatch: "SUBJECT_MISMATCH"
        case .expired: "EXPIRED"
        case .invalidPayload: "INVALID_PAYLOAD"
        case .incorrectAlgorithm: "INCORRECT_ALGORITHM"
        case .publicKeyError: "PUBLIC_KEY_ERROR"
        case .missingToken: "MISSING_TOKEN"
        case .noMatchingPublicKeys: "NO_MATCHING_PUBLIC_KEYS"
        case .payloadUserIDMismatch: "PAYLOAD_USER_ID_MISMATCH"
        case .notYetValid: "NOT_YET_VALID"
        }
    }

    /// The problem and its remedy, for the app's developer.
    package var message: String {
        switch self {
        case .expirationRequired: "the token has no 'exp'; sign it with an expiration time"
        case .decodingError: "the token is not a JWT; send three parts in base64url"
        case .subjectMismatch: "the token's 'sub' is not the user's external id"
        case .expired: "the token has expired; sign a new one"
        case .invalidPayload: "the token's 'sub' or 'exp' is missing or of the wrong type"
        case .incorrectAlgorithm: "the token is not signed with RS256"
        case .publicKeyError: "a public key of the app cannot be read; see Settings, Apps"
        case .missingToken: "the user has no token; give the SDK one with the user"
        case .noMatchingPublicKeys: "no public key of the app fits the token's signature"
        case .notYetValid: "the token's 'nbf' is in the future; check the clock that signs it"
        case .payloadUserIDMismatch: "the batch has records of several users; send one user's"
        }
    }
}
