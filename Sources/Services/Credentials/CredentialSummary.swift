import Foundation
import Model
import Reasons

/// The stored credentials of an app for a provider, without their secrets.
package struct CredentialSummary: Sendable, Hashable {
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

        package var provider: PushProvider {
            switch self {
            case .apnsKey, .apnsCertificate: .apns
            case .fcmAccount: .fcm
            case .vapidKey: .webPush
            }
        }
    }

    package var kind: Kind
    /// The data read from the credentials, such as key id and team, or bundle id, topics and
    /// environments.
    package var lines: [String]
    package var expires: Date?
    /// What to do soon, or at once.
    package var warning: Reason?

    package init(kind: Kind, lines: [String], expires: Date? = nil, warning: Reason? = nil) {
        self.kind = kind
        self.lines = lines
        self.expires = expires
        self.warning = warning
    }
}
