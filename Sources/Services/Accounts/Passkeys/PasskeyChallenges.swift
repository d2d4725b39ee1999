import Crypto
import Foundation
import Ports

/// Challenges for passkeys: each for one purpose, for five minutes, accepted once, by whichever server.
///
/// One that is not used costs no memory: it carries its own end and is authenticated with a key. The store
/// remembers used ones, until they end.
struct PasskeyChallenges: Sendable {
    /// In seconds.
    static let length: TimeInterval = 300

    /// By how much the clocks of two servers may differ, in seconds.
    private static let skew: TimeInterval = 60
    private static let idLength = 16
    private static let timeLength = 8

    private let key: SymmetricKey

    /// - Parameter root: The key of all servers, from which the one of challenges is derived.
    init(root: SymmetricKey) {
        let code = HMAC<SHA256>.authenticationCode(
            for: Data("passkey challenges".utf8),
            using: root
        )
        key = SymmetricKey(data: Data(code))
    }

    /// - Parameters:
    ///   - id: 16 random bytes.
    ///   - subject: Who is asked what for.
    func make(id: [UInt8], subject: String, now: Date) -> Data {
        let end = Int64(now.addingTimeInterval(Self.length).timeIntervalSince1970 * 1_000)
        let head = Data(id) + withUnsafeBytes(of: end.bigEndian) { Data($0) }
        return head + code(head, subject)
    }

    /// Whether a challenge was made for the subject and has not ended.
    func isOpen(_ challenge: Data, subject: String, now: Date) -> Bool {
        let headLength = Self.idLength + Self.timeLength
        guard challenge.count == headLength + SHA256.byteCount else { return false }
        let head = Data(challenge.prefix(headLength))
        let isOurs = HMAC<SHA256>.isValidAuthenticationCode(
            Data(challenge.dropFirst(headLength)),
            authenticating: head + Data(subject.utf8),
            using: key
        )
        return isOurs && end(head) > now
    }

    /// Lets the store accept a challenge once.
    func use(of challenge: Data) -> SignInQuota {
        let label = Data("challenge\u{0}".utf8)
        return SignInQuota(
            subject: Data(SHA256.hash(data: label + challenge)),
            limit: 1,
            window: Self.length + Self.skew
        )
    }

    private func end(_ head: Data) -> Date {
        let milliseconds = head.dropFirst(Self.idLength).reduce(Int64(0)) { $0 << 8 | Int64($1) }
        return Date(timeIntervalSince1970: Double(milliseconds) / 1_000)
    }

    private func code(_ head: Data, _ subject: String) -> Data {
        Data(HMAC<SHA256>.authenticationCode(for: head + Data(subject.utf8), using: key))
    }
}

/// The alphabet of RFC 4648, section 5, without padding.
package enum Base64URL {
    package static func text(_ bytes: Data) -> String {
        bytes.base64EncodedString()
            .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    package static func bytes(_ text: String) -> Data? {
        let plain = text.replacing("-", with: "+").replacing("_", with: "/")
        let padding = String(repeating: "=", count: (4 - plain.utf8.count % 4) % 4)
        return Data(base64Encoded: plain + padding)
    }
}
