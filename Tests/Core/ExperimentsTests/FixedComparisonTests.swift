import Experiments
import Foundation
import Testing

/// Expected values are SciPy's: `binomtest.proportion_ci(method="wilson")`,
/// `chi2_contingency(correction=False)`, `relative_risk` and `ttest_ind(equal_var=False)`; those of a
/// difference are found with its `brentq`.
@Suite("What one look says equals SciPy")
struct FixedComparisonTests {
    private func expect(
        _ value: Double?,
        _ expected: Double,
        _ comment: Comment? = nil,
        within relative: Double = 1e-9
    ) {
        guard let value else {
            Issue.record("there is no value")
            return
        }
        #expect(abs(value - expected) <= relative * max(abs(expected), 1e-3), comment)
    }

    @Test("Wilson's interval of a rate")
    func rate() {
        let common = FixedComparison.rate(successes: 120, users: 2_000)
        expect(common.low, 0.05041119711431651)
        expect(common.high, 0.07127580449318607)
        let few = FixedComparison.rate(successes: 5, users: 1_000)
        expect(few.low, 0.0021375355273244604)
        expect(few.high, 0.011650955373375113)
        let none = FixedComparison.rate(successes: 0, users: 50)
        #expect(none.low == 0)
        expect(none.high, 0.07134759913335872)
        #expect(FixedComparison.rate(successes: 7, users: 7).high == 1)
        #expect(FixedComparison.rate(successes: 0, users: 0) == Interval(low: 0, high: 1))
    }

    struct Rates: Sendable {
        var group: GroupSample
        var reference: GroupSample
        var difference: Interval
        var probability: Double
        var lift: Interval?

        init(
            _ counts: (Int, Int, Int, Int),
            _ difference: (Double, Double),
            _ probability: Double,
            _ lift: (Double, Double)?
        ) {
            group = GroupSample(users: counts.1, successes: counts.0)
            reference = GroupSample(users: counts.3, successes: counts.2)
            self.difference = Interval(low: difference.0, high: difference.1)
            self.probability = probability
            self.lift = lift.map { Interval(low: $0.0, high: $0.1) }
        }
    }

    static let rates: [Rates] = [
        Rates(
            (120, 2_000, 90, 2_000),
            (0.0011840105718053603, 0.02901472211437782),
            0.03343859867669463,
            (0.02173148888930143, 0.7399657318092008)
        ),
        Rates(
            (5, 1_000, 3, 111),
            (-0.07159804442219589, -0.0032730223502579533),
            0.009214167043646828,
            (-0.9551871392561735, -0.23626835172055127)
        ),
        Rates(
            (0, 50, 4, 60),
            (-0.1598084597990478, 0.00747812247829386),
            0.06290380351287782,
            nil
        ),
        Rates(
            (380, 400, 360, 400),
            (0.013840044036818688, 0.08803321930384993),
            0.007261139462332334,
            (0.01451647601838002, 0.09825474223644992)
        ),
        Rates(
            (61, 12_000, 50, 10_000),
            (-0.001857782816953352, 0.00196383087108072),
            0.9307785908006114,
            (-0.299829459553996, 0.47622764941339524)
        ),
    ]

    @Test("two rates", arguments: rates)
    func proportions(_ rates: Rates) {
        let difference = FixedComparison.difference(rates.group, from: rates.reference)
        expect(difference?.low, rates.difference.low)
        expect(difference?.high, rates.difference.high ?? 0)
        expect(
            FixedComparison.probability(rates.group, and: rates.reference),
            rates.probability
        )
        let lift = FixedComparison.lift(rates.group, over: rates.reference)
        guard let expected = rates.lift else {
            #expect(lift == nil)
            return
        }
        expect(lift?.low, expected.low)
        expect(lift?.high, expected.high ?? 0)
    }

    @Test("the interval of a difference is that of Newcombe's (1998) examples, and never beyond 1")
    func score() {
        func interval(_ successes: Int, _ users: Int, _ others: Int, _ otherUsers: Int) -> [Double]
        {
            let found = FixedComparison.difference(
                GroupSample(users: users, successes: successes),
                from: GroupSample(users: otherUsers, successes: others)
            )
            let ends: [Double] = [found?.low ?? .nan, found?.high ?? .nan]
            return ends.map { ($0 * 10_000).rounded() / 10_000 }
        }
        #expect(interval(56, 70, 48, 80) == [0.0528, 0.3382])
        #expect(interval(9, 10, 3, 10) == [0.17, 0.8406])
        #expect(interval(10, 10, 0, 20) == [0.7156, 1])
        #expect(interval(0, 50, 0, 60) == [-0.0607, 0.072])
        #expect(interval(0, 1, 1, 1) == [-1, 0.5869])
        #expect(interval(1, 1, 5_000, 1_000_000_000) == [0.2065, 1])
        // Counts that cannot be are no failure.
        #expect(interval(3, 1, 0, 2).count == 2)
        #expect(interval(0, 2, 3, 1).count == 2)
    }

    /// Of all results that two rates of half a percent can have, weighted by their probability.
    @Test(
        "95 % of the intervals hold the difference also where few have done it",
        arguments: [1_000, 1_500, 3_000]
    )
    func coverage(users: Int) {
        let rate = 0.005
        let likely = 40
        // Binomial probabilities, each from the one before.
        var weights = [pow(1 - rate, Double(users))]
        for number in 1...likely {
            weights.append(
                weights[number - 1] * Double(users - number + 1) / Double(number) * rate
                    / (1 - rate)
            )
        }
        var covered = 0.0
        for (successes, weight) in weights.enumerated() {
            for (others, other) in weights.enumerated() {
                let found = FixedComparison.difference(
                    GroupSample(users: users, successes: successes),
                    from: GroupSample(users: users, successes: others)
                )
                if found?.contains(0) == true { covered += weight * other }
            }
        }
        #expect(abs(covered - 0.95) < 0.01, "\(users) users: \(covered)")
    }

    @Test("two means")
    func means() {
        let many = FixedComparison.means(
            GroupSample(users: 40, sum: 446.45, squares: 20_354.4623),
            and: GroupSample(users: 55, sum: 315.48, squares: 12_287.3562)
        )
        expect(many?.difference, 5.425249999999998)
        expect(many?.interval.low, -1.8786531700815914)
        expect(many?.interval.high, 12.729153170081588)
        expect(many?.probability, 0.1428211604257596)
        let uneven = FixedComparison.means(
            GroupSample(users: 900, sum: 12_052.589999999998, squares: 832_692.6609),
            and: GroupSample(users: 100, sum: 1_174.71, squares: 102_560.0039)
        )
        expect(uneven?.interval.low, -4.553074243686161)
        expect(uneven?.interval.high, 7.842407577019492)
        expect(uneven?.probability, 0.6002259489063404)
        let few = FixedComparison.means(
            GroupSample(users: 3, sum: 144.63, squares: 9_301.3701),
            and: GroupSample(users: 2, sum: 0, squares: 0)
        )
        expect(few?.interval.low, -36.55622280251209)
        expect(few?.interval.high, 132.9762228025121)
        expect(few?.probability, 0.13418661351137298)
    }

    @Test("nothing is said where nothing can be")
    func nothing() {
        let nobody = GroupSample(users: 0, successes: 0)
        let idle = GroupSample(users: 10, successes: 0)
        #expect(FixedComparison.difference(nobody, from: idle) == nil)
        #expect(FixedComparison.probability(nobody, and: idle) == nil)
        #expect(FixedComparison.probability(idle, and: idle) == nil)
        #expect(FixedComparison.means(idle, and: idle) == nil)
        #expect(FixedComparison.means(GroupSample(users: 1, sum: 5, squares: 25), and: idle) == nil)
    }

    @Test("tails and values of the two distributions")
    func distributions() {
        for (value, tail) in [
            (-3, 0.9986501019683699), (0, 0.5), (1.5, 0.06680720126885807),
            (6, 9.865876450376946e-10),
        ] { expect(NormalDistribution.upperTail(value) / tail, 1) }
        for (tail, value) in [
            (0.2, 0.8416212335729142), (0.025, 1.9599639845400545), (1e-6, 4.753424308822899),
        ] { expect(NormalDistribution.value(exceededWith: tail), value) }
        for (freedom, tails, value) in [
            (
                1.0,
                [
                    0.936548965138893, 0.5, 0.2951672353008665, 0.06345103486110713,
                ], 12.706204736174705
            ),
            (
                2.5,
                [
                    0.9278065440624897, 0.40406102727827364, 0.1573914957579659,
                    0.0044414957673074235,
                ], 3.5746548420036834
            ),
            (
                30,
                [
                    0.9210096117902712, 0.3253086154260302, 0.054625044962983094,
                    4.575251408229618e-11,
                ], 2.042272456301238
            ),
            (
                1e5,
                [
                    0.9203445259067263, 0.3173129275641102, 0.04550296345750651,
                    1.5633015300207252e-23,
                ], 1.95998770753461
            ),
        ] {
            let student = StudentDistribution(degreesOfFreedom: freedom)
            for (place, tail) in zip([0.1, 1, 2, 10], tails) {
                expect(student.twoSidedTail(place) / tail, 1, "\(freedom) at \(place)")
            }
            expect(student.value(exceededOnBothSidesWith: 0.05), value)
        }
    }
}
