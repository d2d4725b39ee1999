import Experiments
import WebPages

/// One measure of an experiment: what each group did, and each group against each other one.
struct ExperimentMeasure {
    struct Group {
        let name: String
        let users: String
        /// Users who did it, or the revenue.
        let total: String
        let rate: String
        /// "4.1 to 5.9 %"; empty if nobody is there.
        let interval: String
        /// `nil` where a rate has no interval.
        let picture: IntervalPicture?
    }

    struct Comparison {
        let name: String
        let lift: String
        let interval: String
        let outcome: String
        let picture: IntervalPicture?
    }

    let name: String
    let totalName: String
    let rateName: String
    let groups: [Group]
    let comparisons: [Comparison]

    /// - Parameter group: What a group is called.
    init(
        _ name: String,
        _ experiment: Experiment,
        isRate: Bool,
        group: (ExperimentGroup) -> String,
        words: Words
    ) {
        let arms = experiment.arms
        let rates = arms.map { arm in
            isRate && arm.sample.users > 0
                ? FixedComparison.rate(successes: Int(arm.sample.sum), users: arm.sample.users)
                : nil
        }
        let most = rates.compactMap { $0?.high }.max() ?? 1
        let reach = LiftReach(experiment.comparisons.compactMap(\.liftInterval))
        self.name = name
        totalName = words(isRate ? "experiments.did_it" : "experiments.revenue")
        rateName = words(isRate ? "experiments.rate" : "experiments.per_user")
        groups = zip(arms, rates).map { arm, rate in
            Group(
                name: group(arm.group),
                users: words.number(arm.sample.users),
                total: isRate
                    ? words.number(Int(arm.sample.sum)) : words.amount(arm.sample.sum),
                rate: arm.sample.users == 0
                    ? "–" : isRate ? words.share(arm.sample.mean) : words.amount(arm.sample.mean),
                interval: rate.map { words.range($0, words.share) } ?? "",
                picture: rate.map {
                    IntervalPicture(
                        low: $0.low / most,
                        value: arm.sample.mean / most,
                        high: ($0.high ?? 1) / most
                    )
                }
            )
        }
        comparisons = experiment.comparisons.map { comparison in
            Comparison(
                name: words(
                    "experiments.against",
                    [
                        "group": group(comparison.group), "other": group(comparison.reference),
                    ]
                ),
                lift: comparison.lift.map(words.signedShare) ?? "–",
                interval: comparison.liftInterval.map { words.range($0, words.signedShare) } ?? "",
                outcome: words(comparison.outcome.wordKey),
                picture: comparison.liftInterval.map {
                    reach.picture($0, value: comparison.lift ?? 0)
                }
            )
        }
    }
}
