import Campaigns
import Experiments
import Foundation
import Model
import WebPages

/// What a campaign's groups say: a sentence, and for each measure a picture and a table.
struct CampaignExperimentPart {
    let answer: String
    /// Further sentences about the answer.
    let notes: [String]
    /// Why the answer is not to be trusted.
    let alarm: String?
    let primary: ExperimentMeasure
    let others: [ExperimentMeasure]
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
            .map { result in
                ExperimentMeasure(
                    names.measure(result.measure),
                    result.experiment,
                    isRate: result.measure.isRate,
                    group: names.group,
                    words: words
                )
            }
        guard let primary = results.first else { return nil }
        self.primary = primary
        others = Array(results.dropFirst())
        hasOthers = !others.isEmpty
        self.fileAddress = fileAddress
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
