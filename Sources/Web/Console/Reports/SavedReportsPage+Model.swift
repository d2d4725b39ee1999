import Foundation
import Model
import Reports
import WebPages

/// The saved reports of the workspace.
struct SavedReportsPage {
    struct Row {
        let id: String
        let name: String
        let kind: String
        let author: String
        let isOnOverview: Bool
        /// When it is sent, and how that went; `nil` if it is sent to nobody.
        let delivery: String?
        let problem: String?
        let address: String
        let csvAddress: String
        let jsonAddress: String
        let changeAddress: String
        let deleteAction: String
    }

    let tabs: [ReportFields.Tab]
    let rows: [Row]
    let isEmpty: Bool
    let mayWrite: Bool

    init(_ reports: [SavedReport], context: ConsoleContext) {
        let words = context.words
        tabs = ReportTabs.all(.saved, words)
        rows = reports.map { report in
            Row(
                id: report.name,
                name: report.content.name,
                kind: report.kind.map { words($0.wordKey) } ?? report.content.kind,
                author: report.author,
                isOnOverview: report.content.isOnOverview,
                delivery: report.delivery.map {
                    words(
                        "reports.next_at",
                        ["time": words.dateAndTime($0.dueAt, in: context.zone)]
                    )
                },
                problem: report.delivery?.problem.map {
                    words("reports.not_sent", ["reason": words($0)])
                },
                address: ConsolePath.savedReport(report.name).path,
                csvAddress: ConsolePath.savedReportFile(report.name, "csv").path,
                jsonAddress: ConsolePath.savedReportFile(report.name, "json").path,
                changeAddress: ConsolePath.saveReport.query(
                    FormFields([(name: "saved", value: report.name)])
                ),
                deleteAction: ConsolePath.deleteReport(report.name).path
            )
        }
        isEmpty = rows.isEmpty
        mayWrite = context.hasRole(atLeast: .marketer)
    }
}

/// A saved report whose question no form shows: its table.
struct SavedReportPage {
    struct Row {
        let cells: [String]
    }

    let tabs: [ReportFields.Tab]
    let name: String
    let columns: [String]
    let rows: [Row]
    let problem: String?
    let hasTable: Bool
    let csvAddress: String
    let jsonAddress: String

    init(_ report: SavedReport, table: ReportTable?, problem: String?, context: ConsoleContext) {
        tabs = ReportTabs.all(.saved, context.words)
        name = report.content.name
        columns = table?.columns ?? []
        rows = (table?.rows ?? []).map(Row.init)
        hasTable = table != nil
        self.problem = problem
        csvAddress = ConsolePath.savedReportFile(report.name, "csv").path
        jsonAddress = ConsolePath.savedReportFile(report.name, "json").path
    }
}

/// The form with which a report is saved.
struct SaveReportPage {
    struct Hidden {
        let name: String
        let value: String
    }

    let action: String
    let cancelAddress: String
    let name: String
    let nameFault: String?
    let isOnOverview: Bool
    let address: String
    let addressFault: String?
    let weekdays: [ReportFields.Choice]
    let time: String
    let timeFault: String?
    /// What is wrong with the question.
    let questionFault: String?
    let secret: String?
    let hidden: [Hidden]
    /// Whether a report is changed, so that it can be saved beside itself.
    let isChange: Bool

    init(
        _ form: SaveReportForm,
        _ former: SavedReport?,
        secret: String?,
        error: ValidationError?,
        context: ConsoleContext
    ) {
        let words = context.words
        func fault(_ matches: (String) -> Bool) -> String? {
            error?.problems.first { matches($0.field) }
                .map { ReportDesk.text($0.reason, words) }
        }
        action = ConsolePath.saveReport.path
        cancelAddress =
            former.map { ConsolePath.savedReport($0.name).path } ?? ConsolePath.savedReports.path
        name = form.name
        nameFault = fault { $0 == "name" }
        isOnOverview = form.isOnOverview
        address = form.address
        addressFault = fault { $0 == "weekly.url" }
        weekdays = (1...7).map {
            ReportFields.Choice(
                value: "\($0)",
                label: words.weekday($0),
                isChosen: $0 == form.weekday
            )
        }
        time = form.time
        timeFault = fault { $0 == "weekly.time" || $0 == "weekly.weekday" }
        questionFault = fault { $0.hasPrefix("question") }
        self.secret = secret
        hidden =
            [
                Hidden(name: "kind", value: form.kind),
                Hidden(name: "saved", value: former?.name ?? ""),
            ] + form.question.map { Hidden(name: $0.name, value: $0.value) }
        isChange = former != nil
    }
}
