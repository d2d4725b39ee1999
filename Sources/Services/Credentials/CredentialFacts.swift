import Foundation
import Model

/// What is stored for an app and a provider, without its secrets.
package struct CredentialFacts: Sendable, Hashable {
    package enum Kind: String, Sendable, Hashable {
        case apnsKey, apnsCertificate, fcmAccount, vapidKey

        /// The usual one of a provider.
        init(_ provider: PushProvider) {
            switch provider {
            case .apns: self = .apnsKey
            case .fcm: self = .fcmAccount
            case .webPush: self = .vapidKey
            }
        }
    }

    package var kind: Kind
    /// What was read from it, such as key id and team, or bundle id, topics and environments.
    package var lines: [String]
    package var expires: Date?
    /// What to do soon, or at once.
    package var warning: String?

    package init(kind: Kind, lines: [String], expires: Date? = nil, warning: String? = nil) {
        self.kind = kind
        self.lines = lines
        self.expires = expires
        self.warning = warning
    }
}

/// Why credentials are not stored: which part is wrong, and what to do.
package struct CredentialProblem: Error, Sendable, Hashable, CustomStringConvertible {
    /// The field of a form: `p8`, `p12`, `password`, `json`, `privateKey`, `contact` or `site`.
    package var field: String
    package var description: String

    package init(field: String, _ description: String) {
        self.field = field
        self.description = description
    }
}
