import Crypto
import Foundation
import Model
import Ports

/// How often somebody may get a password wrong.
package struct SignInLimits: Sendable, Hashable {
    /// Of one account from one address.
    package var perAccountAndAddress = 10
    /// Of one account from all addresses together. It does not hold where the account has signed in
    /// from lately: whoever guesses elsewhere cannot lock its owner out.
    package var perAccount = 50
    /// Of all accounts from one address. A whole office may be behind one.
    package var perAddress = 50
    /// Seconds for which attempts count.
    package var window: TimeInterval = 900
    /// Seconds for which an address is known where its account has signed in from.
    package var knownFor: TimeInterval = 30 * 86_400

    package init() {}

    /// What an attempt is counted by.
    struct Subjects {
        var both: Data
        var account: Data
        var address: Data
        var known: Data

        init(email: String, address: String?) {
            let account = email.lowercased()
            let place = address.map(AddressRange.host) ?? "?"
            both = Self.digest("both", account, place)
            self.account = Self.digest("account", account)
            self.address = Self.digest("address", place)
            known = Self.digest("known", account, place)
        }

        /// Names and addresses of strangers are not kept as such.
        private static func digest(_ parts: String...) -> Data {
            Data(SHA256.hash(data: Data(parts.joined(separator: "\u{0}").utf8)))
        }
    }

    func quotas(_ subjects: Subjects) -> [SignInQuota] {
        [
            SignInQuota(subject: subjects.both, limit: perAccountAndAddress, window: window),
            SignInQuota(
                subject: subjects.account,
                limit: perAccount,
                window: window,
                unlessKnown: subjects.known
            ),
            SignInQuota(subject: subjects.address, limit: perAddress, window: window),
        ]
    }
}

/// Why nobody looks at a password now.
package enum SignInRefusal: Error, Sendable, Hashable {
    /// There were too many wrong ones.
    case limited(retryAfterSeconds: Int)
    /// Too many are signing in at this moment.
    case busy(retryAfterSeconds: Int)
}

/// Attempts to sign in since the start of the process.
package struct SignInCounts: Sendable, Hashable {
    package var succeeded = 0
    package var failed = 0
    /// Refused because there were too many wrong ones.
    package var limited = 0
    /// Refused because too many came at once.
    package var busy = 0

    package init() {}
}
