import Experiments
import Journeys
import Model
import WebPages

/// What the shares of a random split say about the goal: a sentence, a picture and a table.
struct JourneySplitPart {
    /// The step's name.
    let name: String
    let answer: String
    let notes: [String]
    /// Why the answer is not to be trusted.
    let alarm: String?
    let measure: ExperimentMeasure

    /// `nil` where no two shares are compared, or nobody has come to the split.
    init?(_ split: JourneySplit, at step: JourneyStep, words: Words) {
        let experiment = split.experiment
        guard experiment.arms.count > 1, split.groups.contains(where: { $0.users > 0 }) else {
            return nil
        }
        func name(_ group: ExperimentGroup) -> String {
            guard let found = split.groups.first(where: { $0.identity == group }) else { return "" }
            guard found.name.isEmpty else { return found.name }
            return group == .control
                ? words("campaigns.control")
                : "\(words("journeys.share")) \(words.number(found.index + 1))"
        }
        self.name = step.name.isEmpty ? words("journeys.kind.split") : step.name
        let verdict = ExperimentVerdict(
            experiment: experiment,
            smallestLift: split.smallestLift,
            keys: .converts,
            name: name,
            words: words
        )
        answer = verdict.answer
        notes = [verdict.missing].compactMap(\.self)
        let weights = Double(split.groups.map(\.weight).reduce(0, +))
        alarm =
            split.split?.isAlarm == true
            ? ExperimentVerdict.alarm(
                split.groups.map {
                    .init(
                        name: name($0.identity),
                        share: Double($0.weight) / weights,
                        users: $0.users
                    )
                },
                words
            ) : nil
        measure = ExperimentMeasure(
            words("journeys.converted"),
            experiment,
            isRate: true,
            group: name,
            words: words
        )
    }
}
