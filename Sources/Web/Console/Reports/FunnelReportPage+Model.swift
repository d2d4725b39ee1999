import Foundation
import Reports
import WebPages

/// A funnel: its form, and how many users got how far.
struct FunnelReportPage {
    struct Step {
        let number: String
        let name: String
        let users: String
        /// Of those who began, from 0 to 100.
        let percent: Int
        let ofFirst: String
        let ofPrevious: String
        let median: String
    }

    struct Group {
        let name: String
        let users: [String]
        let share: String
    }

    struct Result {
        let steps: [Step]
        let isEmpty: Bool
        let stepNames: [String]
        let groups: [Group]
        let hasGroups: Bool
        let fileAddress: String
    }

    let fields: ReportFields
    let result: Result?
    /// Why there is no result.
    let problem: String?

    let saveAddress: String
    /// Shown until something is chosen.
    let suggestions: [ReportSuggestion]
    let hasSuggestions: Bool

    init(
        _ desk: ReportDesk,
        answer: FunnelAnswer?,
        problem: String?,
        suggestions: [ReportSuggestion],
        context: ConsoleContext
    ) {
        let words = context.words
        fields = desk.fields
        saveAddress = desk.saveAddress
        self.suggestions = suggestions
        hasSuggestions = !suggestions.isEmpty
        self.problem = answer == nil ? problem ?? words("reports.choose_steps") : nil
        let names = desk.form.steps.filter { $0.question != nil }
            .map { ReportFields.label($0.choice, words) }
        result = answer.map { answer in
            let began = answer.steps.first?.users ?? 0
            return Result(
                steps: answer.steps.enumerated().map { number, step in
                    let previous = number == 0 ? began : answer.steps[number - 1].users
                    return Step(
                        number: words.number(number + 1),
                        name: names[number],
                        users: words.number(step.users),
                        percent: began == 0
                            ? 0 : Int((Double(step.users) / Double(began) * 100).rounded()),
                        ofFirst: words.percent(step.users, of: began),
                        ofPrevious: words.percent(step.users, of: previous),
                        median: step.medianSeconds.map { words.duration($0) } ?? "–"
                    )
                },
                isEmpty: began == 0,
                stepNames: names,
                groups: answer.groups.map { group in
                    Group(
                        name: desk.name(of: group.group),
                        users: group.users.map { words.number($0) },
                        share: words.percent(group.users.last ?? 0, of: group.users.first ?? 0)
                    )
                },
                hasGroups: !answer.groups.isEmpty,
                fileAddress: ReportKind.funnel.file.query(context.query)
            )
        }
    }
}
