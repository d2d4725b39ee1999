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

    func answer(_ result: CampaignExperiment.Result) -> String { verdict(result).answer }

    private func verdict(_ result: CampaignExperiment.Result) -> ExperimentVerdict {
        ExperimentVerdict(
            experiment: result.experiment,
            smallestLift: experiment.smallestLift,
            keys: result.measure.isOpened ? .opened : .converts,
            name: names.group,
            words: words
        )
    }

    func notes(_ result: CampaignExperiment.Result, _ time: (Date) -> String) -> [String] {
        var notes = [verdict(result).missing].compactMap(\.self)
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
        ExperimentVerdict.alarm(
            experiment.groups.map {
                .init(name: names.group($0.identity), share: $0.share, users: $0.users)
            },
            words
        )
    }
}

extension CampaignExperiment.Measure {
    fileprivate var isOpened: Bool {
        switch self {
        case .opens, .directOpens: true
        case .conversion, .revenue: false
        }
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
