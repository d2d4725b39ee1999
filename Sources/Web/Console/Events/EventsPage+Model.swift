import Foundation
import Model
import WebPages

extension EventQuery {
    init(fields: FormFields) {
        self.init()
        text = fields["text"].trimmingCharacters(in: .whitespaces)
        page = ListPage(named: fields["page"], size: page.size)
    }
}

/// The tabs of the events' pages.
struct EventTabs {
    struct Tab {
        let label: String
        let address: String
        let isCurrent: Bool
    }

    let tabs: [Tab]

    init(current: DataKind, _ words: Words) {
        tabs = [
            Tab(
                label: words("nav.events"),
                address: ConsolePath.events.path,
                isCurrent: current == .event
            ),
            Tab(
                label: words("users.custom"),
                address: ConsolePath.attributes.path,
                isCurrent: current == .attribute
            ),
        ]
    }
}

/// The list of events.
struct EventsPage {
    struct Row {
        let name: String
        let count: String
        let chart: SmallChart
        let last: Moment?
        let isBlocked: Bool
        let question: String
        let pushAddress: String?
    }

    let tabs: [EventTabs.Tab]
    let rows: [Row]
    let isEmpty: Bool
    let isUnfiltered: Bool
    let text: String
    let action: String
    let blockAction: String
    let mayBlock: Bool
    let pager: Pager

    init(_ list: EventList, query: EventQuery, visit: Visit) {
        let words = visit.words
        tabs = EventTabs(current: .event, words).tabs
        rows = list.rows.map { row in
            let total = row.days.reduce(0, +)
            return Row(
                name: row.name,
                count: words.number(total),
                chart: SmallChart(
                    row.days,
                    label: words.counted("events.in_days", row.days.count) + ": "
                        + row.days.map { words.number($0) }.joined(separator: ", ")
                ),
                last: row.lastAt.map(visit.moment),
                isBlocked: row.isBlocked,
                question: words("events.block_confirm", ["name": row.name]),
                pushAddress: visit.may(.marketer)
                    ? ConsolePath.newPush.query(
                        FormFields([
                            ("audience", "contacts"), ("eventName", row.name),
                            ("eventDone", "done"),
                        ])
                    ) : nil
            )
        }
        isEmpty = rows.isEmpty
        isUnfiltered = query.text.isEmpty && query.page.isFirst
        text = query.text
        action = ConsolePath.events.path
        blockAction = ConsolePath.blockName.path
        mayBlock = visit.may(.administrator)
        pager = Pager(
            path: .events,
            fields: visit.query.setting("page", to: "").setting("notice", to: ""),
            page: query.page,
            shown: rows.count,
            total: list.total,
            hasMore: query.page.hasMore(of: list.total),
            words: words
        )
    }
}

/// The list of custom attributes.
struct AttributesPage {
    struct Row {
        let name: String
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

    init(_ attributes: [AttributeRow], visit: Visit) {
        let words = visit.words
        tabs = EventTabs(current: .attribute, words).tabs
        rows = attributes.map { row in
            let percent = Int((row.share * 100).rounded())
            return Row(
                name: row.name,
                types: row.types.map { words($0.wordKey) }.joined(separator: ", "),
                share: words.percent(percent, of: 100),
                percent: percent,
                isBlocked: row.isBlocked,
                question: words("events.block_confirm", ["name": row.name])
            )
        }
        isEmpty = rows.isEmpty
        blockAction = ConsolePath.blockName.path
        mayBlock = visit.may(.administrator)
    }
}
