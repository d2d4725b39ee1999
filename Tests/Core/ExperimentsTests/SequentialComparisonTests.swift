import Experiments
import Foundation
import Testing

@Suite("What may be said however often somebody looks")
struct SequentialComparisonTests {
    private func compared(
        _ successes: Int,
        of users: Int,
        with others: Int,
        of otherUsers: Int,
        alpha: Double = 0.05
    ) -> SequentialComparison {
        SequentialComparison(
            GroupSample(users: users, successes: successes),
            against: GroupSample(users: otherUsers, successes: others),
            alpha: alpha
        )
    }

    @Test("the interval has the difference in it, and is wider than that of one look")
    func width() throws {
        let comparison = compared(600, of: 10_000, with: 500, of: 10_000)
        let interval = try #require(comparison.difference)
        let high = try #require(interval.high)
        #expect(interval.contains(0.01))
        let look = try #require(
            FixedComparison.difference(
                GroupSample(users: 10_000, successes: 600),
                from: GroupSample(users: 10_000, successes: 500)
            )
        )
        let lookHigh = try #require(look.high)
        let ratio = (high - interval.low) / (lookHigh - look.low)
        #expect((1.4...1.8).contains(ratio))
    }

    @Test("the boundary is that of the mixture, by hand")
    func boundary() throws {
        // 250 of 1,000 in both: n₁n₀ ÷ n = 500, variance of a user 0.1875. In successes the variance is
        // 2,000 × 0.1875 = 375, and the boundary √(395 × ln(395 ÷ (20 × 0.05²))) = 59.540, of which
        // 1,000 are a difference of 1.
        let interval = try #require(
            compared(250, of: 1_000, with: 250, of: 1_000).difference
        )
        let high = try #require(interval.high)
        #expect(abs(high + interval.low) < 1e-12)
        #expect(abs(high - (395 * log(395 / (20 * 0.0025))).squareRoot() / 1_000) < 1e-12)
        #expect(abs(high - 0.05954) < 1e-6)
    }

    @Test("of a few users everything is possible")
    func few() throws {
        for users in 1...8 {
            for (own, other) in [(0, 0), (users, 0), (0, users), (users, users)] {
                let comparison = compared(own, of: users, with: other, of: users)
                let interval = try #require(comparison.difference)
                #expect(interval.low < -0.5 && interval.high.map { $0 > 0.5 } == true)
                if let lift = comparison.lift { #expect(lift.contains(0)) }
            }
        }
    }

    @Test(
        "the lift's interval excludes 0 exactly when the difference's does",
        arguments: [100, 115, 130, 145, 160, 175, 190, 205]
    )
    func agreement(_ successes: Int) throws {
        for users in [2_000, 20_000] {
            for (own, other) in [(users, users), (users * 9, users)] {
                let comparison = compared(
                    successes * own / users,
                    of: own,
                    with: 100,
                    of: other
                )
                let difference = try #require(comparison.difference)
                let lift = try #require(comparison.lift)
                #expect((difference.low > 0) == (lift.low > 0))
                let probability = try #require(comparison.probability)
                #expect((difference.low > 0) == (probability < 0.05))
            }
        }
    }

    @Test("a handful of successes proves nothing, in whichever group")
    func handful() throws {
        for (own, other) in [(1_000, 1_000), (9_000, 1_000), (1_000, 9_000)] {
            for count in 0...6 {
                let first = try #require(
                    compared(count, of: own, with: 0, of: other).difference
                )
                #expect(first.contains(0), "\(count) of \(own)")
                let second = try #require(
                    compared(0, of: own, with: count, of: other).difference
                )
                #expect(second.contains(0), "\(count) of \(other)")
            }
        }
    }

    @Test("one large purchase proves nothing")
    func largePurchase() throws {
        let group = GroupSample(users: 1_000, sum: 100 + 1e6, squares: 1_000 + 1e12)
        let reference = GroupSample(users: 1_000, sum: 100, squares: 1_000)
        let interval = try #require(
            SequentialComparison(group, against: reference).difference
        )
        #expect(interval.contains(0))
    }

    @Test("the currency does not matter")
    func scale() throws {
        let group = GroupSample(users: 2_000, sum: 5_000, squares: 60_000)
        let reference = GroupSample(users: 2_200, sum: 3_500, squares: 41_000)
        func times(_ factor: Double, _ sample: GroupSample) -> GroupSample {
            GroupSample(
                users: sample.users,
                sum: sample.sum * factor,
                squares: sample.squares * factor * factor
            )
        }
        let dollars = SequentialComparison(group, against: reference)
        let yen = SequentialComparison(times(150, group), against: times(150, reference))
        let first = try #require(dollars.difference)
        let second = try #require(yen.difference)
        #expect(abs(second.low - 150 * first.low) < 1e-6)
        let lift = try #require(dollars.lift)
        let other = try #require(yen.lift)
        #expect(abs(lift.low - other.low) < 1e-9)
    }

    @Test("without users or successes there is no lift, and nothing bounds it")
    func empty() throws {
        #expect(compared(0, of: 0, with: 3, of: 10).difference == nil)
        #expect(compared(3, of: 10, with: 0, of: 10).lift == nil)
        let interval = try #require(compared(0, of: 10, with: 0, of: 10).difference)
        #expect(interval.contains(0))
        let few = try #require(compared(30, of: 1_000, with: 2, of: 1_000).lift)
        #expect(few.high == nil)
    }

    @Test(
        "groups without a difference are told apart in at most 5 % of experiments",
        arguments: [
            (0.005, 0.5), (0.05, 0.5), (0.05, 0.1), (0.4, 0.5),
        ]
    )
    func falseAlarms(_ rate: Double, _ share: Double) {
        var chance = Chance(seed: 20)
        let experiments = 200
        var alarms = 0
        for _ in 0..<experiments {
            var users = [0, 0]
            var successes = [0, 0]
            var hasAlarm = false
            for _ in 0..<20 {
                for _ in 0..<250 {
                    let group = chance.happens(with: share) ? 1 : 0
                    users[group] += 1
                    if chance.happens(with: rate) { successes[group] += 1 }
                }
                let interval = compared(
                    successes[1],
                    of: users[1],
                    with: successes[0],
                    of: users[0]
                ).difference
                if interval?.contains(0) == false { hasAlarm = true }
            }
            if hasAlarm { alarms += 1 }
        }
        #expect(alarms <= experiments * 5 / 100)
    }
}
