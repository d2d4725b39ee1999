import Experiments
import WebPages

/// What groups say in one measure, in sentences.
struct ExperimentVerdict {
    /// The words for a group that is better than the only other one, and than all others.
    struct Keys {
        var better: String
        var best: String

        static let converts = Keys(
            better: "experiments.better_converts",
            best: "experiments.best_converts"
        )
        static let opened = Keys(
            better: "experiments.better_opened",
            best: "experiments.best_opened"
        )
        static let tapped = Keys(
            better: "experiments.better_tapped",
            best: "experiments.best_tapped"
        )
    }

    /// A group with its share of all users, drawn and found.
    struct Part {
        var name: String
        var share: Double
        var users: Int
    }

    let experiment: Experiment
    let smallestLift: Double
    let keys: Keys
    let name: (ExperimentGroup) -> String
    let words: Words

    var answer: String {
        switch experiment.verdict {
        case .nothingToCompare: words("experiments.nobody")
        case .noDifference:
            words("experiments.no_difference", ["lift": words.share(smallestLift)])
        case .unknown: words("experiments.unknown")
        case .winner(let group): winner(group)
        }
    }

    private func winner(_ group: ExperimentGroup) -> String {
        let comparisons = experiment.comparisons
        guard comparisons.count == 1, let only = comparisons.first, only.group == group,
            let lift = only.lift, let interval = only.liftInterval
        else { return words(keys.best, ["group": name(group)]) }
        return words(
            keys.better,
            [
                "group": name(group), "other": name(only.reference),
                "lift": words.signedShare(lift),
                "range": words.range(interval, isSentence: true, words.signedShare),
            ]
        )
    }

    /// How many users it is likely to take; `nil` where there is an answer, or nothing can be said.
    var missing: String? {
        guard case .unknown(let missing?) = experiment.verdict else { return nil }
        return words.counted(
            "experiments.missing",
            missing,
            ["lift": words.share(smallestLift)]
        )
    }

    /// Why the answer is not to be trusted.
    static func alarm(_ parts: [Part], _ words: Words) -> String {
        let users = parts.map(\.users).reduce(0, +)
        let groups = parts.map { part in
            words(
                "experiments.split_group",
                [
                    "group": part.name, "share": words.percent(part.users, of: users),
                    "drawn": words.share(part.share),
                ]
            )
        }
        return words("experiments.split_alarm", ["groups": groups.joined(separator: " · ")])
    }
}
