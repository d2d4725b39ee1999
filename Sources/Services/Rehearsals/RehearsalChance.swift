import Crypto
import Foundation

/// Chance that does not depend on the order of asking: the same seed and the same thing give the same
/// number, on every machine.
struct RehearsalChance: Sendable {
    let seed: UInt64

    /// From 0 up to 1.
    func share(_ parts: String...) -> Double {
        let name = "\(seed)/" + parts.joined(separator: "/")
        let bits = SHA256.hash(data: Array(name.utf8)).prefix(7).reduce(UInt64(0)) {
            $0 << 8 | UInt64($1)
        }
        return Double(bits >> 3) / Double(UInt64(1) << 53)
    }
}
