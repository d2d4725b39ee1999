import Experiments
import InAppMessages
import WebPages

/// What the contents of an in-app message say: a sentence, a picture and a table.
struct InAppComparisonPart {
    let answer: String
    let notes: [String]
    /// Why the answer is not to be trusted.
    let alarm: String?
    let measure: ExperimentMeasure

    /// `nil` where no two contents are compared, or nobody has seen one.
    init?(_ comparison: InAppComparison, words: Words) {
        let experiment = comparison.experiment
        guard experiment.arms.count > 1, comparison.groups.contains(where: { $0.users > 0 }) else {
            return nil
        }
        let variants = comparison.groups.filter { $0.identity != .control }
        func name(_ group: ExperimentGroup) -> String {
            guard group != .control else { return words("campaigns.control") }
            return variants.firstIndex { $0.identity == group }.map(CampaignForm.letter) ?? ""
        }
        let verdict = ExperimentVerdict(
            experiment: experiment,
            smallestLift: comparison.smallestLift,
            keys: .tapped,
            name: name,
            words: words
        )
        answer = verdict.answer
        notes =
            [verdict.missing].compactMap(\.self)
            + (variants.count < comparison.groups.count
                ? [words("experiments.control_not_compared")] : [])
        alarm =
            comparison.split?.isAlarm == true
            ? ExperimentVerdict.alarm(
                comparison.groups.map {
                    .init(name: name($0.identity), share: $0.share, users: $0.users)
                },
                words
            ) : nil
        measure = ExperimentMeasure(
            words("experiments.tapped"),
            experiment,
            isRate: true,
            group: name,
            words: words
        )
    }
}
