import Foundation
import Model

/// Assigns users to the groups of a campaign, from the campaign and the user alone, so that the
/// result is the same at every launch and is not stored.
package struct VariantAssignment: Sendable {
    package enum Group: Sendable, Hashable {
        case control
        case variant(Int)
    }

    private let seed: UInt64
    private let controlShare: Int
    private let weights: [Int]

    /// - Parameters:
    ///   - controlShare: Percentage of users in the control group.
    ///   - weights: Relative weights of the variants.
    package init(campaign: UUID, controlShare: Int, weights: [Int]) {
        seed = withUnsafeBytes(of: campaign.uuid) { bytes in
            bytes.reduce(UInt64(0xcbf2_9ce4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
        }
        self.controlShare = controlShare
        self.weights = weights
    }

    package func group(of profile: ProfileID) -> Group {
        if draw(profile, .control, below: 100) < controlShare { return .control }
        return .variant(variant(of: profile))
    }

    /// Whether a user is in the test group, which gets the variants.
    package func isInTest(_ profile: ProfileID, share: Int) -> Bool {
        draw(profile, .test, below: 100) < share
    }

    private func variant(of profile: ProfileID) -> Int {
        var point = draw(profile, .variant, below: weights.reduce(0, +))
        for (index, weight) in weights.enumerated() {
            point -= weight
            if point < 0 { return index }
        }
        return max(0, weights.count - 1)
    }

    /// Each group has a separate draw, so that changing the control share does not move users
    /// between variants.
    private enum Question: UInt64 {
        case control = 1
        case variant, test
    }

    /// A pseudorandom whole number from 0 up to, but not including, `bound`.
    private func draw(_ profile: ProfileID, _ question: Question, below bound: Int) -> Int {
        let user = Self.mixed(UInt64(bitPattern: profile.rawValue) &+ 0x9e37_79b9_7f4a_7c15)
        let bits = Self.mixed(Self.mixed(seed ^ user) &+ question.rawValue)
        return Int(Double(bits >> 11) / Double(UInt64(1) << 53) * Double(bound))
    }

    /// The mixing function of SplitMix64 (Steele, Lea and Flood, 2014).
    private static func mixed(_ value: UInt64) -> UInt64 {
        var bits = value
        bits = (bits ^ bits >> 30) &* 0xbf58_476d_1ce4_e5b9
        bits = (bits ^ bits >> 27) &* 0x94d0_49bb_1331_11eb
        return bits ^ bits >> 31
    }
}
