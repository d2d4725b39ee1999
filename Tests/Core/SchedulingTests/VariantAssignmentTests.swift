import Foundation
import Model
import Scheduling
import Testing

@Suite("Who gets which variant")
struct VariantAssignmentTests {
    private static let users = 40_000

    private func campaign(_ number: UInt8) -> UUID {
        UUID(uuid: (number, 1, 2, 3, 4, 5, 0x46, 7, 0x88, 9, 10, 11, 12, 13, 14, 15))
    }

    /// Pearson's statistic of counts against equal or given shares.
    private func chiSquared(_ counts: [Int], shares: [Double]) -> Double {
        let total = Double(counts.reduce(0, +))
        return zip(counts, shares).reduce(0) { sum, pair in
            let expected = total * pair.1
            return sum + (Double(pair.0) - expected) * (Double(pair.0) - expected) / expected
        }
    }

    @Test("users spread over the variants by their weights, whatever their numbers")
    func weights() {
        let weights = [1, 2, 3, 4]
        // Consecutive numbers, even ones, and numbers far apart.
        for stride in [Int64(1), 2, 1_000_003] {
            let assignment = VariantAssignment(
                campaign: campaign(1),
                controlShare: 0,
                weights: weights
            )
            var counts = [0, 0, 0, 0]
            for number in 1...Int64(Self.users) {
                if case .variant(let index) = assignment.group(of: ProfileID(number * stride)) {
                    counts[index] += 1
                }
            }
            #expect(counts.reduce(0, +) == Self.users)
            // 3 degrees of freedom: 16.27 is passed once in a thousand by chance.
            #expect(chiSquared(counts, shares: [0.1, 0.2, 0.3, 0.4]) < 16.27)
        }
    }

    @Test("the control group has its share")
    func control() {
        let assignment = VariantAssignment(
            campaign: campaign(2),
            controlShare: 10,
            weights: [1, 1]
        )
        let control = (1...Int64(Self.users)).count {
            assignment.group(of: ProfileID($0)) == .control
        }
        // Four standard deviations of a binomial count are 240.
        #expect(abs(control - Self.users / 10) < 240)
    }

    @Test("two campaigns draw independently of one another")
    func independence() {
        let first = VariantAssignment(campaign: campaign(3), controlShare: 0, weights: [1, 1])
        let second = VariantAssignment(campaign: campaign(4), controlShare: 0, weights: [1, 1])
        var counts = [0, 0, 0, 0]
        for number in 1...Int64(Self.users) {
            guard case .variant(let one) = first.group(of: ProfileID(number)),
                case .variant(let two) = second.group(of: ProfileID(number))
            else { continue }
            counts[one * 2 + two] += 1
        }
        #expect(chiSquared(counts, shares: [0.25, 0.25, 0.25, 0.25]) < 16.27)
    }

    @Test("the test, the control group and the variants are drawn independently")
    func questions() {
        let assignment = VariantAssignment(
            campaign: campaign(5),
            controlShare: 50,
            weights: [1, 1]
        )
        var counts = [0, 0, 0, 0]
        for number in 1...Int64(Self.users) {
            let isControl = assignment.group(of: ProfileID(number)) == .control
            let isInTest = assignment.isInTest(ProfileID(number), share: 50)
            counts[(isControl ? 2 : 0) + (isInTest ? 1 : 0)] += 1
        }
        #expect(chiSquared(counts, shares: [0.25, 0.25, 0.25, 0.25]) < 16.27)
    }

    @Test("a user keeps the variant, also when the control group grows")
    func sticky() {
        let small = VariantAssignment(campaign: campaign(6), controlShare: 5, weights: [1, 1, 1])
        let large = VariantAssignment(campaign: campaign(6), controlShare: 30, weights: [1, 1, 1])
        var moved = 0
        for number in 1...Int64(5_000) {
            let before = small.group(of: ProfileID(number))
            let after = large.group(of: ProfileID(number))
            #expect(before == small.group(of: ProfileID(number)))
            if after == .control { continue }
            // Nobody leaves the control group for a variant, or one variant for another.
            if after != before { moved += 1 }
        }
        #expect(moved == 0)
    }

    @Test("a variant without weight is nobody's")
    func zeroWeight() {
        let assignment = VariantAssignment(
            campaign: campaign(7),
            controlShare: 0,
            weights: [0, 1, 0]
        )
        for number in 1...Int64(1_000) {
            #expect(assignment.group(of: ProfileID(number)) == .variant(1))
        }
    }

    @Test("a share of a hundred per cent is everybody, none is nobody")
    func wholeShares() {
        for (share, expected) in [(0, 0), (100, 5_000)] {
            let assignment = VariantAssignment(
                campaign: campaign(8),
                controlShare: share,
                weights: [1]
            )
            let users = (1...Int64(5_000)).map(ProfileID.init)
            #expect(users.count { assignment.group(of: $0) == .control } == expected)
            #expect(users.count { assignment.isInTest($0, share: share) } == expected)
        }
    }

    @Test("where no variant has weight the last one is everybody's")
    func noWeights() {
        for (weights, index) in [([0, 0, 0], 2), ([0], 0), ([], 0)] {
            let assignment = VariantAssignment(
                campaign: campaign(9),
                controlShare: 0,
                weights: weights
            )
            for number in 1...Int64(100) {
                #expect(assignment.group(of: ProfileID(number)) == .variant(index))
            }
        }
    }

    @Test("another version of the server moves nobody")
    func frozen() {
        let assignment = VariantAssignment(
            campaign: campaign(10),
            controlShare: 20,
            weights: [1, 2, 3, 4]
        )
        let groups = (1...Int64(60)).map { number in
            switch assignment.group(of: ProfileID(number)) {
            case .control: "c"
            case .variant(let index): "\(index)"
            }
        }
        let tests = (1...Int64(60)).map {
            assignment.isInTest(ProfileID($0), share: 30) ? "t" : "-"
        }
        #expect(groups.joined() == "c332333c01c13123c230333c21c1c11313cc3c2313222221c1cc1c211322")
        #expect(tests.joined() == "--ttt--ttt--t-------t-t-tt-t---tt----tt----t---tt------t-t-t")
    }
}
