import Crypto
import Foundation

/// Codes with which a member without the authenticator app signs in, each once.
enum RecoveryCodes {
    static let count = 10
    /// In bytes; 16 characters, too many to guess even with the hashes at hand.
    private static let length = 10

    static func make(_ random: (Int) -> [UInt8]) -> [String] {
        (0..<count).map { _ in Base32.groups(Base32.text(random(length))) }
    }

    /// The hash of a code as people type it: spaces, hyphens and case do not matter.
    static func hash(_ code: String) -> Data {
        Data(SHA256.hash(data: Data(plain(code).uppercased().utf8)))
    }

    /// A code without what separates its groups.
    static func plain(_ code: String) -> String {
        String(code.filter { !$0.isWhitespace && $0 != "-" })
    }
}
