import Foundation

/// The users of a workspace who get no campaign's messages, for comparison with everybody else.
///
/// Who belongs to it follows from the seed and the user alone: the same at any time and on every
/// server, and stored nowhere. A larger share adds users and removes none.
package struct ControlGroup: Sendable, Hashable, Codable {
    /// The percentages that it can have.
    package static let shares = 1...50

    /// The percentage of users in the group.
    package var share: Int
    /// Another seed draws other users.
    package var seed: UUID
    /// When this share of this draw began to get nothing.
    package var since: Date

    package init(share: Int, seed: UUID, since: Date) {
        self.share = share
        self.seed = seed
        self.since = since
    }

    package func contains(_ profile: ProfileID) -> Bool {
        draw(profile) < Double(share) / 100
    }

    /// A pseudorandom number from 0 up to, but not including, 1.
    private func draw(_ profile: ProfileID) -> Double {
        let start = withUnsafeBytes(of: seed.uuid) { bytes in
            bytes.reduce(UInt64(0xcbf2_9ce4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
        }
        let user = Self.mixed(UInt64(bitPattern: profile.rawValue) &+ 0x9e37_79b9_7f4a_7c15)
        return Double(Self.mixed(start ^ user) >> 11) / Double(UInt64(1) << 53)
    }

    /// The mixing function of SplitMix64 (Steele, Lea and Flood, 2014).
    private static func mixed(_ value: UInt64) -> UInt64 {
        var bits = value
        bits = (bits ^ bits >> 30) &* 0xbf58_476d_1ce4_e5b9
        bits = (bits ^ bits >> 27) &* 0x94d0_49bb_1331_11eb
        return bits ^ bits >> 31
    }
}
