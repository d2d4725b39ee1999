import Campaigns
import Experiments
import Model
import Reports
import WebPages

/// The result of an experiment as a table for a file: a row for each group of each measure, and one
/// for each pair that is compared.
struct ExperimentExport {
    private static let columns = [
        "measure", "row", "group", "reference", "users", "total", "per_user", "difference",
        "difference_low", "difference_high", "lift", "lift_low", "lift_high", "probability",
        "outcome",
    ]

    let table: ReportTable

    init(_ experiment: CampaignExperiment, of content: CampaignContent, words: Words) {
        let names = ExperimentNames(experiment, content, words)
        let text = ReportTable.text
        table = ReportTable(
            columns: Self.columns,
            rows: experiment.results.flatMap { result -> [[String]] in
                let measure = names.measure(result.measure)
                let groups = result.experiment.arms.map { arm in
                    [
                        measure, "group", names.group(arm.group), "", String(arm.sample.users),
                        text(arm.sample.sum), arm.sample.users == 0 ? "" : text(arm.sample.mean),
                        "", "", "", "", "", "", "", "",
                    ]
                }
                let pairs = result.experiment.comparisons.map { comparison in
                    [
                        measure, "comparison", names.group(comparison.group),
                        names.group(comparison.reference), "", "", "",
                        text(comparison.difference), text(comparison.differenceInterval?.low),
                        text(comparison.differenceInterval?.high), text(comparison.lift),
                        text(comparison.liftInterval?.low), text(comparison.liftInterval?.high),
                        text(comparison.probability), comparison.outcome.rawValue,
                    ]
                }
                return groups + pairs
            }
        )
    }
}
