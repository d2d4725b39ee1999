import Analytics
import Model
import WebPages

/// A filter on the events of a page.
struct EventQuery {
    /// Number of days with counts.
    static let days = 30

    let text: String
    let page: ListPage

    init(fields: FormFields) {
        text = fields.trimmed("text")
        page = ListPage(named: fields["page"], size: 25)
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

    init(current: BlockedName.Kind, _ words: Words) {
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
        let address: String
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

    init(_ events: [EventCatalog.Event], total: Int, query: EventQuery, context: ConsoleContext) {
        let words = context.words
        tabs = EventTabs(current: .event, words).tabs
        rows = events.map { event in
            let name = event.summary.name
            return Row(
                name: name,
                address: ConsolePath.eventDetail.query(FormFields([("name", name)])),
                count: words.number(event.days.reduce(0, +)),
                chart: SmallChart(
                    event.days,
                    label: words.counted("events.in_days", event.days.count) + ": "
                        + event.days.map { words.number($0) }.joined(separator: ", ")
                ),
                last: event.summary.lastAt.map(context.moment),
                isBlocked: event.summary.isBlocked,
                question: words("events.block_confirm", ["name": name]),
                pushAddress: context.hasRole(atLeast: .marketer)
                    ? ConsolePath.newPush.query(
                        FormFields([
                            ("audience", "contacts"), ("eventName", name),
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
        mayBlock = context.hasRole(atLeast: .administrator)
        pager = Pager(
            path: .events,
            fields: context.query.setting("page", to: "").setting("notice", to: ""),
            page: query.page,
            shown: rows.count,
            total: total,
            hasMore: query.page.hasMore(of: total),
            words: words
        )
    }
}
