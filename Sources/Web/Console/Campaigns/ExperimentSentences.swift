import Campaigns
import Experiments
import Foundation
import Model
import WebPages

/// What groups, measures and intervals of an experiment are called.
struct ExperimentNames {
    private let experiment: CampaignExperiment
    private let content: CampaignContent
    private let words: Words

    init(_ experiment: CampaignExperiment, _ content: CampaignContent, _ words: Words) {
        self.experiment = experiment
        self.content = content
        self.words = words
    }

    func group(_ group: ExperimentGroup) -> String {
        guard group != .control else { return words("campaigns.control") }
        return experiment.groups.first { $0.identity == group }?.name ?? ""
    }

    func measure(_ measure: CampaignExperiment.Measure) -> String {
        switch measure {
        case .conversion(let index):
            content.conversions.indices.contains(index)
                ? content.conversions[index].event.text(words) : words("campaigns.conversions")
        case .revenue: words("experiments.revenue")
        case .opens: words("push.opened")
        case .directOpens: words("push.direct")
        }
    }
}

/// The result of an experiment in sentences.
struct ExperimentSentences {
    private let experiment: CampaignExperiment
    private let names: ExperimentNames
    private let words: Words

    init(_ experiment: CampaignExperiment, _ names: ExperimentNames, _ words: Words) {
        self.experiment = experiment
        self.names = names
        self.words = words
    }

    func answer(_ result: CampaignExperiment.Result) -> String {
        switch result.experiment.verdict {
        case .nothingToCompare: words("experiments.nobody")
        case .noDifference:
            words("experiments.no_difference", ["lift": words.share(experiment.smallestLift)])
        case .unknown: words("experiments.unknown")
        case .winner(let group): winner(group, result)
        }
    }

    private func winner(
        _ group: ExperimentGroup,
        _ result: CampaignExperiment.Result
    ) -> String {
        let isOpened =
            switch result.measure {
            case .opens, .directOpens: true
            case .conversion, .revenue: false
            }
        let comparisons = result.experiment.comparisons
        guard comparisons.count == 1, let only = comparisons.first, only.group == group,
            let lift = only.lift, let interval = only.liftInterval
        else {
            return words(
                isOpened ? "experiments.best_opened" : "experiments.best_converts",
                ["group": names.group(group)]
            )
        }
        return words(
            isOpened ? "experiments.better_opened" : "experiments.better_converts",
            [
                "group": names.group(group), "other": names.group(only.reference),
                "lift": words.signedShare(lift),
                "range": words.range(interval, isSentence: true, words.signedShare),
            ]
        )
    }

    func notes(_ result: CampaignExperiment.Result, _ time: (Date) -> String) -> [String] {
        var notes: [String] = []
        if case .unknown(let missing?) = result.experiment.verdict {
            notes.append(
                words.counted(
                    "experiments.missing",
                    missing,
                    ["lift": words.share(experiment.smallestLift)]
                )
            )
        }
        if let end = experiment.convertsUntil {
            notes.append(
                words("experiments.converts_until", ["time": time(end)])
            )
        }
        if let choice = experiment.choice {
            let key =
                switch choice.isProven {
                case true?: "experiments.rest_proven"
                case false?: "experiments.rest_unproven"
                case nil: "experiments.rest"
                }
            notes.append(words(key, ["group": choice.name]))
        }
        return notes
    }

    var alarm: String {
        let users = experiment.groups.map(\.users).reduce(0, +)
        let groups = experiment.groups.map { group in
            words(
                "experiments.split_group",
                [
                    "group": names.group(group.identity),
                    "share": words.percent(group.users, of: users),
                    "drawn": words.share(group.share),
                ]
            )
        }
        return words("experiments.split_alarm", ["groups": groups.joined(separator: " · ")])
    }
}

extension GroupComparison.Outcome {
    var wordKey: String {
        switch self {
        case .better: "experiments.outcome.better"
        case .worse: "experiments.outcome.worse"
        case .noDifference: "experiments.outcome.none"
        case .unknown: "experiments.outcome.unknown"
        }
    }
}

extension Words {
    /// A share as a percentage with up to two decimals where it is small.
    func share(_ value: Double) -> String {
        value.formatted(
            .percent.precision(.fractionLength(0...(abs(value) < 0.1 ? 2 : 1)))
                .locale(language.locale)
        )
    }

    /// A relative change, with its sign.
    func signedShare(_ value: Double) -> String {
        value.formatted(
            .percent.precision(.fractionLength(0...1)).sign(strategy: .always(includingZero: false))
                .locale(language.locale)
        )
    }

    func amount(_ value: Double) -> String {
        value.formatted(.number.precision(.fractionLength(0...2)).locale(language.locale))
    }

    /// An interval for a table, or with `isSentence` for a sentence.
    func range(
        _ interval: Interval,
        isSentence: Bool = false,
        _ text: (Double) -> String
    ) -> String {
        guard let high = interval.high else {
            return self("experiments.at_least", ["low": text(interval.low)])
        }
        return self(
            isSentence ? "experiments.between" : "experiments.range",
            ["low": text(interval.low), "high": text(high)]
        )
    }
}
