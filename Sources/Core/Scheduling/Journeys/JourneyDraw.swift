import Foundation
import Model

/// Draws the share of a random split from journey, step, person and entry alone.
package enum JourneyDraw {
    /// The index of a share; `nil` if no weight is above 0.
    package static func share(
        _ weights: [Int],
        journey: UUID,
        step: JourneyStepID,
        profile: ProfileID,
        entry: Int
    ) -> Int? {
        let total = weights.reduce(0, +)
        guard total > 0 else { return nil }
        var hash = FowlerNollVo()
        hash.add(journey)
        hash.add(step.uuid)
        hash.add(UInt64(bitPattern: profile.rawValue))
        hash.add(UInt64(entry))
        // The last bytes reach only the low bits of the hash, so that it is mixed once more.
        var point = Int(mixed(hash.value) % UInt64(total))
        for (index, weight) in weights.enumerated() {
            point -= weight
            if point < 0 { return index }
        }
        return nil
    }

    /// FNV-1a, 64 bits.
    private struct FowlerNollVo {
        var value: UInt64 = 0xcbf2_9ce4_8422_2325

        mutating func add(_ id: UUID) {
            withUnsafeBytes(of: id.uuid) { bytes in bytes.forEach { add($0) } }
        }

        mutating func add(_ number: UInt64) {
            withUnsafeBytes(of: number.bigEndian) { bytes in bytes.forEach { add($0) } }
        }

        private mutating func add(_ byte: UInt8) {
            value = (value ^ UInt64(byte)) &* 0x100_0000_01b3
        }
    }

    /// The mixing function of SplitMix64 (Steele, Lea and Flood, 2014).
    static func mixed(_ value: UInt64) -> UInt64 {
        var bits = value
        bits = (bits ^ bits >> 30) &* 0xbf58_476d_1ce4_e5b9
        bits = (bits ^ bits >> 27) &* 0x94d0_49bb_1331_11eb
        return bits ^ bits >> 31
    }
}
