import Crypto
import Foundation

/// Chance that does not depend on the order of asking: the same seed and the same thing give the same
/// number, on every machine.
struct RehearsalChance: Sendable {
    private let start: [UInt8]

    init(seed: UInt64) { start = Array("\(seed)".utf8) }

    /// From 0 up to 1.
    func share(_ parts: String...) -> Double {
        var name = start
        name.reserveCapacity(192)
        for part in parts {
            name.append(UInt8(ascii: "/"))
            name += part.utf8
        }
        let bits = SHA256.hash(data: name).withUnsafeBytes { hash in
            hash.prefix(7).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        }
        return Double(bits >> 3) / Double(UInt64(1) << 53)
    }
}
