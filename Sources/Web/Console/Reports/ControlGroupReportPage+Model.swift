import Audience
import Experiments
import Foundation
import Model
import WebPages

/// The workspace's control group against everybody else: a sentence, pictures and tables.
struct ControlGroupReportPage {
    struct Result {
        /// The share and since when.
        let group: String
        let answer: String
        let note: String?
        let measures: [ExperimentMeasure]
    }

    let fields: ReportFields
    let result: Result?
    /// Why there is no result.
    let problem: String?
    /// Where an administrator makes such a group; `nil` if there is one, or for other members.
    let settingsAddress: String?
    let segmentAddress: String

    let saveAddress: String

    init(_ desk: ReportDesk, report: ControlGroupReport?, problem: String?, context: ConsoleContext)
    {
        let words = context.words
        fields = desk.fields
        saveAddress = desk.saveAddress
        let figure = desk.form.figure.choice
        self.problem = report == nil ? problem ?? words("control_group.none") : nil
        let mayChange = problem == nil && report == nil && context.hasRole(atLeast: .administrator)
        settingsAddress = mayChange ? ConsolePath.limits.path + "#control-group" : nil
        segmentAddress = ConsolePath.newSegment.query(
            FormFields([("condition", "in control group")])
        )
        result = report.map { report in
            func name(_ group: ExperimentGroup) -> String {
                words(group == .control ? "control_group.title" : "control_group.others")
            }
            let first = report.results[0].experiment
            var note: String?
            if case .unknown(let missing?) = first.verdict {
                note = words.counted(
                    "experiments.missing",
                    missing,
                    ["lift": words.share(report.smallestLift)]
                )
            }
            return Result(
                group: words(
                    "control_group.share_since",
                    [
                        "share": words.share(Double(report.group.share) / 100),
                        "day": words.day(report.group.since, in: context.zone),
                    ]
                ),
                answer: Self.answer(first, report.smallestLift, words),
                note: note,
                measures: report.results.map { result in
                    ExperimentMeasure(
                        result.measure.name(figure, words),
                        result.experiment,
                        isRate: result.measure.isRate,
                        group: name,
                        words: words
                    )
                }
            )
        }
    }

    private static func answer(
        _ experiment: Experiment,
        _ smallestLift: Double,
        _ words: Words
    ) -> String {
        switch experiment.verdict {
        case .nothingToCompare: return words("experiments.nobody")
        case .noDifference:
            return words("experiments.no_difference", ["lift": words.share(smallestLift)])
        case .unknown: return words("experiments.unknown")
        case .winner(let group):
            guard let only = experiment.comparisons.first, let lift = only.lift,
                let interval = only.liftInterval
            else { return words("experiments.unknown") }
            return words(
                group == .control ? "control_group.worse" : "control_group.better",
                [
                    "lift": words.signedShare(lift),
                    "range": words.range(interval, isSentence: true, words.signedShare),
                ]
            )
        }
    }
}

extension ControlGroupReport.Measure {
    fileprivate func name(_ figure: String, _ words: Words) -> String {
        switch self {
        case .rate: ReportFields.label(figure, words)
        case .revenue(let currency):
            words("control_group.revenue", ["currency": currency])
        }
    }
}
