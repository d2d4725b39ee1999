import Campaigns
import Experiments
import Foundation
import Model
import WebPages

/// What a campaign's groups say: a sentence, and for each measure a picture and a table.
struct CampaignExperimentPart {
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

    struct Measure {
        let name: String
        let totalName: String
        let rateName: String
        let groups: [Group]
        let comparisons: [Comparison]
    }

    let answer: String
    /// Further sentences about the answer.
    let notes: [String]
    /// Why the answer is not to be trusted.
    let alarm: String?
    let primary: Measure
    let others: [Measure]
    let hasOthers: Bool
    let fileAddress: String

    /// `nil` where nothing is compared.
    ///
    /// - Parameter time: Writes a moment for the member.
    init?(
        _ experiment: CampaignExperiment,
        of content: CampaignContent,
        fileAddress: String = "",
        words: Words,
        time: (Date) -> String
    ) {
        guard experiment.groups.count > 1, experiment.groups.contains(where: { $0.users > 0 }),
            let first = experiment.primary
        else { return nil }
        let names = ExperimentNames(experiment, content, words)
        let sentences = ExperimentSentences(experiment, names, words)
        answer = sentences.answer(first)
        notes = sentences.notes(first, time)
        alarm = experiment.split?.isAlarm == true ? sentences.alarm : nil
        let results = experiment.results.filter { !$0.experiment.arms.isEmpty }
            .map { Self.measure($0, names, words) }
        guard let primary = results.first else { return nil }
        self.primary = primary
        others = Array(results.dropFirst())
        hasOthers = !others.isEmpty
        self.fileAddress = fileAddress
    }

    private static func measure(
        _ result: CampaignExperiment.Result,
        _ names: ExperimentNames,
        _ words: Words
    ) -> Measure {
        let arms = result.experiment.arms
        let rates = arms.map { arm in
            result.measure.isRate && arm.sample.users > 0
                ? FixedComparison.rate(
                    successes: Int(arm.sample.sum),
                    users: arm.sample.users
                ) : nil
        }
        let most = rates.compactMap { $0?.high }.max() ?? 1
        let lifts = result.experiment.comparisons.compactMap(\.liftInterval)
        let reach = LiftReach(lifts)
        return Measure(
            name: names.measure(result.measure),
            totalName: words(
                result.measure.isRate ? "experiments.did_it" : "experiments.revenue"
            ),
            rateName: words(result.measure.isRate ? "experiments.rate" : "experiments.per_user"),
            groups: zip(arms, rates).map { arm, rate in
                Group(
                    name: names.group(arm.group),
                    users: words.number(arm.sample.users),
                    total: result.measure.isRate
                        ? words.number(Int(arm.sample.sum)) : words.amount(arm.sample.sum),
                    rate: arm.sample.users == 0
                        ? "–"
                        : result.measure.isRate
                            ? words.share(arm.sample.mean) : words.amount(arm.sample.mean),
                    interval: rate.map { names.range($0, words.share) } ?? "",
                    picture: rate.map {
                        IntervalPicture(
                            low: $0.low / most,
                            value: arm.sample.mean / most,
                            high: ($0.high ?? 1) / most
                        )
                    }
                )
            },
            comparisons: result.experiment.comparisons.map { comparison in
                Comparison(
                    name: words(
                        "experiments.against",
                        [
                            "group": names.group(comparison.group),
                            "other": names.group(comparison.reference),
                        ]
                    ),
                    lift: comparison.lift.map(words.signedShare) ?? "–",
                    interval: comparison.liftInterval
                        .map { names.range($0, words.signedShare) } ?? "",
                    outcome: words(comparison.outcome.wordKey),
                    picture: comparison.liftInterval.map {
                        reach.picture($0, value: comparison.lift ?? 0)
                    }
                )
            }
        )
    }
}

/// An interval from 0 to 100 across, with a mark at the value.
struct IntervalPicture {
    let low: String
    let value: String
    let high: String
    /// Where a difference of zero is; `nil` where there is no such line.
    let zero: String?
    /// Whether the interval goes on beyond the right edge.
    let isOpen: Bool

    init(low: Double, value: Double, high: Double, zero: Double? = nil, isOpen: Bool = false) {
        func place(_ share: Double) -> String {
            String(format: "%.1f", min(1, max(0, share)) * 100)
        }
        self.low = place(low)
        self.value = place(value)
        self.high = place(high)
        self.zero = zero.map(place)
        self.isOpen = isOpen
    }
}

/// The common scale of several lifts, with zero in the middle.
struct LiftReach {
    /// Lifts beyond this are cut off.
    private static let most = 3.0

    private let reach: Double

    init(_ intervals: [Interval]) {
        let ends = intervals.flatMap { [abs($0.low), $0.high.map(abs) ?? Self.most] }
        reach = min(Self.most, max(0.01, ends.max() ?? 1))
    }

    func picture(_ interval: Interval, value: Double) -> IntervalPicture {
        func place(_ lift: Double) -> Double { (lift + reach) / (2 * reach) }
        return IntervalPicture(
            low: place(interval.low),
            value: place(value),
            high: interval.high.map(place) ?? 1,
            zero: 0.5,
            isOpen: interval.high.map { $0 > reach } ?? true
        )
    }
}
