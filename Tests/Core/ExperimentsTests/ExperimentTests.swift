import Experiments
import Testing

@Suite("The verdict of an experiment")
struct ExperimentTests {
    private func experiment(
        _ counts: [(users: Int, successes: Int)],
        hasControl: Bool = false,
        smallestLift: Double = Experiment.usualLift
    ) -> Experiment {
        Experiment(
            arms: counts.enumerated().map { index, count in
                ExperimentArm(
                    group: hasControl && index == 0 ? .control : .variant(index),
                    share: Double(count.users),
                    sample: GroupSample(users: count.users, successes: count.successes)
                )
            },
            isRate: true,
            smallestLift: smallestLift
        )
    }

    @Test("a variant wins when it is better than every other group")
    func winner() {
        let clear = experiment([(10_000, 500), (10_000, 520), (10_000, 800)])
        #expect(clear.verdict == .winner(.variant(2)))
        #expect(clear.comparisons.map(\.outcome) == [.unknown, .better, .better])
        // Better than the control group, but not told apart from the other variant.
        let shared = experiment([(10_000, 500), (10_000, 790), (10_000, 800)], hasControl: true)
        #expect(shared.comparisons.map(\.outcome) == [.better, .better, .unknown])
        guard case .unknown = shared.verdict else {
            Issue.record("\(shared.verdict)")
            return
        }
    }

    @Test("sending nothing can win")
    func control() {
        let annoying = experiment([(10_000, 900), (10_000, 600)], hasControl: true)
        #expect(annoying.verdict == .winner(.control))
        #expect(annoying.comparisons.map(\.outcome) == [.worse])
    }

    @Test("the best variant is better than each other variant, whatever the control group does")
    func bestVariant() {
        let best = experiment([(10_000, 500), (10_000, 800), (10_000, 520)])
        #expect((0...2).map { best.isBestVariant(.variant($0)) } == [false, true, false])
        let shared = experiment([(10_000, 500), (10_000, 790), (10_000, 800)])
        #expect((0...2).allSatisfy { !shared.isBestVariant(.variant($0)) })
        // Sending nothing is best; which of the texts is better is another question.
        let annoying = experiment(
            [(10_000, 1_500), (10_000, 500), (10_000, 800)],
            hasControl: true
        )
        #expect(annoying.verdict == .winner(.control))
        #expect(!annoying.isBestVariant(.variant(1)))
        #expect(annoying.isBestVariant(.variant(2)))
        let only = experiment([(10_000, 100), (10_000, 900)], hasControl: true)
        #expect(!only.isBestVariant(.variant(1)))
    }

    @Test("no difference worth having is an answer, when the interval is inside of the margin")
    func noDifference() {
        let large: [(users: Int, successes: Int)] = [(400_000, 40_000), (400_000, 40_100)]
        #expect(experiment(large).verdict == .noDifference)
        guard case .unknown = experiment(large, smallestLift: 0.01).verdict else {
            Issue.record("an interval that is wider than the margin says nothing")
            return
        }
    }

    @Test("what is not known yet says how many users are missing")
    func missing() throws {
        let early = experiment([(1_000, 100), (1_000, 104)])
        guard case .unknown(let missing?) = early.verdict else {
            Issue.record("\(early.verdict)")
            return
        }
        let required = try #require(
            Experiment.requiredUsers(shares: [1, 1], baseline: 0.1)
        )
        #expect(missing == required.sequential - 2_000)
        #expect(experiment([(1_000, 0), (1_000, 0)]).verdict == .unknown(missing: nil))
    }

    @Test("one group, or a group without users, is nothing to compare")
    func nothing() {
        #expect(experiment([(100, 3)]).verdict == .nothingToCompare)
        #expect(experiment([(100, 3), (0, 0)]).verdict == .nothingToCompare)
        #expect(experiment([]).verdict == .nothingToCompare)
    }

    @Test("more comparisons ask for more")
    func multiplicity() throws {
        let two = experiment([(5_000, 400), (5_000, 500)])
        let three = experiment([(5_000, 400), (5_000, 500), (5_000, 450)])
        let narrow = try #require(two.comparisons[0].differenceInterval)
        let wide = try #require(three.comparisons[0].differenceInterval)
        #expect(wide.low < narrow.low)
        let one = try #require(two.comparisons[0].probability)
        let corrected = try #require(three.comparisons[0].probability)
        #expect(abs(corrected - min(1, 3 * one)) < 1e-12)
    }

    @Test("the size for one look is the usual one, and looking every day costs more")
    func size() throws {
        // n = (1.959964 × √(2 × 0.105 × 0.895) + 0.841621 × √(0.11 × 0.89 + 0.1 × 0.9))² ÷ 0.01² of
        // each group.
        let users = try #require(RequiredSize.users(baseline: 0.1, lift: 0.1))
        #expect((29_500...29_504).contains(users.fixed))
        #expect(users.sequential > users.fixed)
        #expect(users.sequential < 3 * users.fixed)
        #expect(RequiredSize.users(baseline: 0, lift: 0.1) == nil)
        #expect(RequiredSize.users(baseline: 0.95, lift: 0.1) == nil)
        let uneven = try #require(RequiredSize.users(baseline: 0.1, lift: 0.1, share: 0.9))
        #expect(uneven.fixed > 2 * users.fixed)
    }

    @Test("an experiment of the required size finds its lift about as often as was asked")
    func power() throws {
        let users = try #require(RequiredSize.users(baseline: 0.2, lift: 0.25))
        var chance = Chance(seed: 4)
        let experiments = 300
        var found = 0
        for _ in 0..<experiments {
            var counts = [(users: 0, successes: 0), (users: 0, successes: 0)]
            for number in 0..<users.sequential {
                let group = number % 2
                counts[group].users += 1
                if chance.happens(with: group == 0 ? 0.2 : 0.25) { counts[group].successes += 1 }
            }
            if experiment(counts).verdict == .winner(.variant(1)) { found += 1 }
        }
        #expect((0.74...0.88).contains(Double(found) / Double(experiments)))
    }

    @Test("a split that is not as drawn raises the alarm, an even one does not")
    func split() {
        // Against the same formula with SciPy's gammaln.
        let even = SplitCheck(users: [5_000, 5_000], shares: [1, 1])
        #expect(even.probability == 1)
        #expect(!even.isAlarm)
        let off = SplitCheck(users: [5_200, 4_800], shares: [1, 1])
        #expect(abs(off.probability - 0.00229776664526111) < 1e-9)
        #expect(off.isAlarm)
        #expect(!SplitCheck(users: [1_000, 8_700], shares: [10, 90]).isAlarm)
        #expect(SplitCheck(users: [1_200, 8_800], shares: [10, 90]).isAlarm)
        #expect(SplitCheck(users: [0, 0], shares: [1, 1]).probability == 1)
    }
}
