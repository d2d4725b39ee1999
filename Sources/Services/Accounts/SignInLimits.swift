import Crypto
import Foundation
import Model
import Ports

/// Maximum numbers of wrong passwords.
package struct SignInLimits: Sendable, Hashable {
    /// For one account from one address.
    package var perAccountAndAddress = 10
    /// For one account from all addresses together. It does not apply to addresses from which the
    /// account has recently signed in, so that an attacker elsewhere cannot lock out its owner.
    package var perAccount = 50
    /// For all accounts from one address, which may be shared by a whole office.
    package var perAddress = 50
    /// For the codes of one account from all addresses together: six digits are soon guessed.
    package var codesPerAccount = 20
    /// For sign-ins with a provider that begin at one address, whatever becomes of them.
    package var beginningsPerAddress = 300
    /// Length of the window in which attempts count, in seconds.
    package var window: TimeInterval = 900
    /// How long an address from which the account has signed in is remembered, in seconds.
    package var knownFor: TimeInterval = 30 * 86_400

    package init() {}

    /// The keys under which an attempt is counted.
    struct Subjects {
        var both: Data
        var account: Data
        var address: Data
        var known: Data
        var noted: Data
        var notedPlace: Data
        var beginning: Data

        init(email: String, address: String?) {
            let account = email.lowercased()
            let place = address.map(AddressRange.host) ?? "?"
            both = Self.digest("both", account, place)
            self.account = Self.digest("account", account)
            self.address = Self.digest("address", place)
            known = Self.digest("known", account, place)
            noted = Self.digest("noted", account, place)
            notedPlace = Self.digest("noted", place)
            beginning = Self.digest("beginning", place)
        }

        /// Those of codes, after the password was right.
        init(codesOf member: Member, address: String?) {
            // No e-mail address has a space.
            self.init(email: "code \(member.id)", address: address)
        }

        /// Names and addresses of strangers are stored only as digests.
        private static func digest(_ parts: String...) -> Data {
            Data(SHA256.hash(data: Data(parts.joined(separator: "\u{0}").utf8)))
        }
    }

    /// How often rejected attempts are recorded.
    func notes(_ subjects: Subjects) -> [SignInQuota] {
        [
            SignInQuota(subject: subjects.noted, limit: 1, window: window),
            SignInQuota(subject: subjects.notedPlace, limit: perAddress, window: window),
        ]
    }

    /// - Parameter known: The subject that is remembered where the member has signed in.
    func codeQuotas(_ subjects: Subjects, known: Data) -> [SignInQuota] {
        [
            SignInQuota(subject: subjects.both, limit: perAccountAndAddress, window: window),
            SignInQuota(
                subject: subjects.account,
                limit: codesPerAccount,
                window: window,
                unlessKnown: known
            ),
            SignInQuota(subject: subjects.address, limit: perAddress, window: window),
        ]
    }

    /// For sign-ins with a provider that begin, each of which the store keeps for a while.
    func beginningQuota(_ address: String?) -> SignInQuota {
        SignInQuota(
            subject: Subjects(email: "", address: address).beginning,
            limit: beginningsPerAddress,
            window: window
        )
    }

    /// For attempts that name no account.
    func placeQuota(_ address: String?) -> SignInQuota {
        SignInQuota(
            subject: Subjects(email: "", address: address).address,
            limit: perAddress,
            window: window
        )
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

/// Attempts to sign in since the start of the process.
package struct SignInCounts: Sendable, Hashable {
    package var succeeded = 0
    package var failed = 0
    /// Rejected after too many wrong passwords.
    package var limited = 0
    /// Rejected because too many arrived at once.
    package var busy = 0

    package init() {}
}
