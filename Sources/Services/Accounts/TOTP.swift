import Crypto
import Foundation

/// Time-based one-time passwords (RFC 6238), as authenticator apps compute them: HMAC-SHA-1 over
/// periods of 30 seconds.
package struct TOTP: Sendable {
    /// Length of a period, in seconds.
    package static let period: TimeInterval = 30
    /// Number of digits that apps show.
    package static let digits = 6
    /// Length of a new secret, in bytes, as RFC 4226 recommends.
    static let secretLength = 20

    /// Number of periods before and after the current one whose codes are accepted, for clocks
    /// that differ and people who type slowly.
    private static let drift: Int64 = 1

    private let key: SymmetricKey

    package init(secret: some ContiguousBytes) {
        key = SymmetricKey(data: secret)
    }

    /// The number of a point in time's period since 1970.
    package static func step(at time: Date) -> Int64 {
        Int64((time.timeIntervalSince1970 / period).rounded(.down))
    }

    /// The code of a period.
    package func code(step: Int64, digits: Int = Self.digits) -> String {
        let message = withUnsafeBytes(of: step.bigEndian) { Data($0) }
        let hash = Array(
            HMAC<Insecure.SHA1>.authenticationCode(for: message, using: key)
        )
        let offset = Int(hash[hash.count - 1] & 0x0F)
        let number = hash[offset..<offset + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        let modulus = (0..<digits).reduce(UInt32(1)) { product, _ in product * 10 }
        let text = String((number & 0x7FFF_FFFF) % modulus)
        return String(repeating: "0", count: digits - text.count) + text
    }

    /// The period whose code this is; `nil` if it is none of the current ones.
    ///
    /// All are compared, and each in constant time.
    func step(ofCode code: String, at time: Date) -> Int64? {
        let now = Self.step(at: time)
        var found: Int64?
        for step in now - Self.drift...now + Self.drift {
            let difference = zip(self.code(step: step).utf8, code.utf8)
                .reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) }
            if difference == 0, code.utf8.count == Self.digits { found = step }
        }
        return found
    }
}

/// The secret that a member's authenticator app and the server share, as it is shown once.
package struct TOTPSecret: Sendable, Hashable {
    package let bytes: Data

    /// What a QR code tells an app.
    package let link: String

    /// - Parameters:
    ///   - issuer: The name that apps show above the account.
    ///   - account: The member's address.
    init(bytes: Data, issuer: String, account: String) {
        self.bytes = bytes
        var allowed = CharacterSet.alphanumerics.intersection(
            CharacterSet(charactersIn: "\0"..."~")
        )
        allowed.insert(charactersIn: "-._~@")
        func escaped(_ text: String) -> String {
            text.addingPercentEncoding(withAllowedCharacters: allowed) ?? ""
        }
        link =
            "otpauth://totp/\(escaped(issuer)):\(escaped(account))"
            + "?secret=\(Base32.text(bytes))&issuer=\(escaped(issuer))"
    }

    /// The secret in groups of four characters, to be typed.
    package var groups: String { Base32.groups(Base32.text(bytes)) }
}

/// The alphabet of RFC 4648, without padding.
enum Base32 {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".utf8)

    static func text(_ bytes: some Sequence<UInt8>) -> String {
        var text: [UInt8] = []
        var buffer: UInt32 = 0
        var bits = 0
        for byte in bytes {
            buffer = buffer << 8 | UInt32(byte)
            bits += 8
            while bits >= 5 {
                bits -= 5
                text.append(alphabet[Int(buffer >> UInt32(bits)) & 31])
            }
            buffer &= (1 << UInt32(bits)) - 1
        }
        if bits > 0 { text.append(alphabet[Int(buffer << UInt32(5 - bits)) & 31]) }
        return String(decoding: text, as: UTF8.self)
    }

    static func groups(_ text: String) -> String {
        var groups: [Substring] = []
        var rest = text[...]
        while !rest.isEmpty {
            groups.append(rest.prefix(4))
            rest = rest.dropFirst(4)
        }
        return groups.joined(separator: " ")
    }
}
