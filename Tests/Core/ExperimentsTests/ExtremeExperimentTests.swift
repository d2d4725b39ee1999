import Experiments
import Testing

@Suite("An experiment at its extremes")
struct ExtremeExperimentTests {
    /// Nobody, one user, many; nobody and everybody with a success.
    private static let rates: [GroupSample] = [0, 1, 2, 1_000_000_000].flatMap { users in
        Set([0, 1, users / 2, users].filter { $0 <= users }).sorted().map {
            GroupSample(users: users, successes: $0)
        }
    }

    /// What users brought in: nothing, refunds alone, refunds that take all of it away again, all
    /// the same, a millionth, and as much as an amount may be.
    private static let revenues: [GroupSample] = [
        [], [0], [5], [-5], [5, -5], [-5, -7, 0], [5, 5, 5], [0.1, 0.2, -0.3], [0.000_001],
        [0.000_001, 0.000_001], [1e14, -1e14], [1e14, 1e14, 0], [1e14, 0.000_001],
    ].map { (values: [Double]) in
        GroupSample(
            users: values.count,
            sum: values.reduce(0, +),
            squares: values.map { $0 * $0 }.reduce(0, +)
        )
    }

    private static func numbers(_ interval: Interval?) -> [Double] {
        guard let interval else { return [] }
        return [interval.low] + [interval.high].compactMap(\.self)
    }

    private func check(_ experiment: Experiment, _ comment: Comment) {
        for comparison in experiment.comparisons {
            let intervals = [
                comparison.differenceInterval, comparison.liftInterval,
                comparison.fixedLook.difference, comparison.fixedLook.lift,
            ].compactMap(\.self)
            let probabilities = [comparison.probability, comparison.fixedLook.probability]
                .compactMap(\.self)
            let numbers =
                [comparison.difference] + [comparison.lift].compactMap(\.self)
                + intervals.flatMap(Self.numbers) + probabilities
            let areFinite = numbers.allSatisfy { $0.isFinite }
            #expect(areFinite, "\(comment): \(comparison)")
            #expect(probabilities.allSatisfy { (0...1).contains($0) }, "\(comment)")
            let areOrdered = intervals.allSatisfy { $0.low <= $0.high ?? .infinity }
            #expect(areOrdered, "\(comment): \(intervals)")
        }
    }

    @Test("says numbers, whoever is in the groups and whatever they did", arguments: [true, false])
    func finite(isRate: Bool) {
        let samples = isRate ? Self.rates : Self.revenues
        for control in samples {
            for sample in samples {
                for share in [0.01, 0.5, 0.99] {
                    let experiment = Experiment(
                        arms: [
                            ExperimentArm(group: .control, share: share, sample: control),
                            ExperimentArm(group: .variant(1), share: 1 - share, sample: sample),
                        ],
                        isRate: isRate,
                        smallestLift: 0.001
                    )
                    check(experiment, "\(control) and \(sample)")
                    let isSmall = control.users < 4 && sample.users < 4
                    if isSmall, case .winner = experiment.verdict {
                        Issue.record("a handful proves nothing: \(control) and \(sample)")
                    }
                }
            }
        }
    }

    @Test("many groups of which one is nearly never drawn have a size, or none can be said")
    func sizes() {
        let light = [1.0] + Array(repeating: 1_000.0, count: 9)
        for baseline in [0, 0.000_001, 0.5, 0.999, 1] {
            for lift in [0.001, 0.1, 10] {
                let users = Experiment.requiredUsers(
                    shares: light,
                    baseline: baseline,
                    smallestLift: lift
                )
                let isSize = users.map { $0.sequential > 0 && $0.fixed > 0 } ?? true
                #expect(isSize)
            }
        }
        #expect(Experiment.requiredUsers(shares: [1, 0], baseline: 0.1) == nil)
        #expect(Experiment.requiredUsers(shares: [0, 0], baseline: 0.1) == nil)
    }

    @Test("groups in which everybody did it do not differ")
    func everybody() {
        let experiment = Experiment(
            arms: [1, 2].map {
                ExperimentArm(
                    group: .variant($0),
                    share: 1,
                    sample: GroupSample(users: 100_000, successes: 100_000)
                )
            },
            isRate: true
        )
        #expect(experiment.verdict == .noDifference)
        #expect(experiment.comparisons[0].difference == 0)
        #expect(experiment.comparisons[0].probability == 1)
    }
}
