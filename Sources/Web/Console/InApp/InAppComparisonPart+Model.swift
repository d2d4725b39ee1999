import Experiments
import Foundation
import InAppMessages
import Model
import WebPages

/// What the contents of an in-app message say: a sentence, and for the goal and for taps a picture
/// and a table.
struct InAppComparisonPart {
    let answer: String
    let notes: [String]
    /// Why the answer is not to be trusted.
    let alarm: String?
    let measures: [ExperimentMeasure]

    /// `nil` where nothing is compared, or nobody has seen any of it.
    init?(_ comparison: InAppComparison, goal: ConversionEvent?, words: Words) {
        guard comparison.groups.contains(where: { $0.users > 0 }) else { return nil }
        let variants = comparison.groups.filter { $0.identity != .control }
        func name(_ group: ExperimentGroup) -> String {
            guard group != .control else { return words("campaigns.control") }
            return variants.firstIndex { $0.identity == group }.map(CampaignForm.letter) ?? ""
        }
        let goalName = goal?.event.text(words) ?? ""
        let measured: [(name: String, experiment: Experiment?, keys: ExperimentVerdict.Keys)] = [
            (goalName, comparison.conversions, .converts),
            (words("experiments.tapped"), comparison.experiment, .tapped),
        ]
        // The first one answers: a message is there for its goal.
        let compared = measured.compactMap { name, experiment, keys in
            experiment.flatMap { $0.arms.count > 1 ? (name, $0, keys) : nil }
        }
        guard let (_, experiment, keys) = compared.first else { return nil }
        let verdict = ExperimentVerdict(
            experiment: experiment,
            smallestLift: comparison.smallestLift,
            keys: keys,
            name: name,
            words: words
        )
        answer = verdict.answer
        let hasUncompared =
            comparison.conversions == nil && variants.count < comparison.groups.count
        notes =
            [verdict.missing].compactMap(\.self)
            + (hasUncompared ? [words("experiments.control_not_compared")] : [])
            + [
                Self.withheld(comparison, words),
                comparison.completeSince.map {
                    words("in_app.compared_since", ["date": words.dateAndTime($0, in: .gmt)])
                },
            ].compactMap(\.self)
        alarm =
            comparison.split?.isAlarm == true
            ? ExperimentVerdict.alarm(
                comparison.groups.map {
                    .init(name: name($0.identity), share: $0.share, users: $0.users)
                },
                words
            ) : nil
        measures = compared.map { title, experiment, _ in
            ExperimentMeasure(title, experiment, isRate: true, group: name, words: words)
        }
    }

    /// What the workspace's control group says beside the groups that are compared.
    private static func withheld(_ comparison: InAppComparison, _ words: Words) -> String? {
        let group = comparison.withheld
        guard group.users > 0, comparison.conversions != nil else { return nil }
        return words(
            "experiments.withheld",
            [
                "converted": words.number(group.converted), "users": words.number(group.users),
                "share": words.percent(group.converted, of: group.users),
            ]
        )
    }
}
