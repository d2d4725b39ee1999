import Foundation
import Model
import Testing

@testable import Scheduling

@Suite("Who takes which path of a random split")
struct JourneyDrawTests {
    private static func id(_ first: UInt8) -> UUID {
        UUID(uuid: (first, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15))
    }

    private func share(_ weights: [Int], _ profile: Int64, entry: Int = 0) -> Int? {
        JourneyDraw.share(
            weights,
            journey: Self.id(1),
            step: JourneyStepID(Self.id(2)),
            profile: ProfileID(profile),
            entry: entry
        )
    }

    /// Calculated with FNV-1a and SplitMix64 in another language.
    @Test("another version of the server moves nobody")
    func known() {
        let shares = (1...8).flatMap { profile in
            (0...1).map { share([1, 2, 3, 4], profile, entry: $0) }
        }
        #expect(shares == [1, 3, 0, 3, 3, 3, 3, 3, 1, 1, 2, 2, 3, 3, 2, 1])
        #expect(
            (1...24).map { share([10, 10], $0) } == [
                0, 0, 1, 0, 0, 1, 0, 1, 1, 0, 1, 1, 0, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0,
            ]
        )
    }

    /// The first number that SplitMix64 gives for the seed 0.
    @Test("bits are mixed as published")
    func mixing() {
        #expect(JourneyDraw.mixed(0x9e37_79b9_7f4a_7c15) == 0xe220_a839_7b1d_cdaf)
    }

    @Test("a path without weight is nobody's, and without any weight there is no path")
    func withoutWeight() {
        for profile in 1...50 as ClosedRange<Int64> {
            #expect(share([0, 1, 0], profile) == 1)
        }
        #expect(share([0, 0], 1) == nil)
        #expect(share([], 1) == nil)
    }
}
