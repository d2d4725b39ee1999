import Analytics
import Foundation
import Model
import Reports
import WebPages

/// The list of custom attributes.
struct AttributesPage {
    struct Row {
        let name: String
        let address: String
        let types: String
        let share: String
        /// From 0 to 100.
        let percent: Int
        let isBlocked: Bool
        let question: String
    }

    let tabs: [EventTabs.Tab]
    let rows: [Row]
    let isEmpty: Bool
    let blockAction: String
    let mayBlock: Bool

    init(_ attributes: [AttributeSummary], context: ConsoleContext) {
        let words = context.words
        tabs = EventTabs(current: .attribute, words).tabs
        rows = attributes.map { row in
            let share = row.sample == 0 ? 0 : Double(row.profiles) / Double(row.sample)
            let percent = Int((share * 100).rounded())
            return Row(
                name: row.name,
                address: ConsolePath.attributeDetail.query(FormFields([("name", row.name)])),
                types: row.types.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
                    .compactMap { ValueKind(rawValue: $0.key).map { words($0.wordKey) } }
                    .joined(separator: ", "),
                share: words.percent(percent, of: 100),
                percent: percent,
                isBlocked: row.isBlocked,
                question: words("events.block_confirm", ["name": row.name])
            )
        }
        isEmpty = rows.isEmpty
        blockAction = ConsolePath.blockName.path
        mayBlock = context.hasRole(atLeast: .administrator)
    }
}

/// One attribute: how many users have which value of it.
struct AttributePage {
    struct Row {
        let name: String
        let users: String
        let share: String
        /// From 0 to 100.
        let percent: Int
    }

    let name: String
    let listAddress: String
    /// Why there are no rows.
    let problem: String?
    let rows: [Row]

    /// - Parameter answer: `nil` while the users are still being read.
    init(_ name: String, _ answer: CompositionAnswer?, context: ConsoleContext) {
        let words = context.words
        self.name = name
        listAddress = ConsolePath.attributes.path
        problem = answer == nil ? words("reports.not_ready") : nil
        rows = (answer?.groups ?? []).map { group in
            let all = max(answer?.users ?? 0, 1)
            return Row(
                name: ReportFields.label(group.group, [], words),
                users: words.number(group.users),
                share: words.percent(group.users, of: all),
                percent: Int((Double(group.users) / Double(all) * 100).rounded())
            )
        }
    }
}

/// The type of an attribute's values.
enum ValueKind: String, CaseIterable {
    case text, number, boolean, list, object

    var wordKey: String { "events.type." + rawValue }
}
