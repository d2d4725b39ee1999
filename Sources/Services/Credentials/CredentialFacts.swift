import Foundation
import Model

/// The stored credentials of an app for a provider, without their secrets.
package struct CredentialFacts: Sendable, Hashable {
    package enum Kind: String, Sendable, Hashable {
        case apnsKey, apnsCertificate, fcmAccount, vapidKey

        /// The default kind of a provider.
        init(_ provider: PushProvider) {
            switch provider {
            case .apns: self = .apnsKey
            case .fcm: self = .fcmAccount
            case .webPush: self = .vapidKey
            }
        }
    }

    package var kind: Kind
    /// The data read from the credentials, such as key id and team, or bundle id, topics and
    /// environments.
    package var lines: [String]
    package var expires: Date?
    /// An action that is needed soon or at once; `nil` if there is none.
    package var warning: String?

    package init(kind: Kind, lines: [String], expires: Date? = nil, warning: String? = nil) {
        self.kind = kind
        self.lines = lines
        self.expires = expires
        self.warning = warning
    }
}

/// The reason why credentials are not stored: the invalid part, and how to fix it.
package struct CredentialProblem: Error, Sendable, Hashable, CustomStringConvertible {
    /// The field of a form: `p8`, `p12`, `password`, `json`, `privateKey`, `contact` or `site`.
    package var field: String
    package var description: String

    package init(field: String, _ description: String) {
        self.field = field
        self.description = description
    }
}
