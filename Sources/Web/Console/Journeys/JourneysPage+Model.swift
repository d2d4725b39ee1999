import Foundation
import Model
import WebPages

/// A filter on the journeys of the list, and their order.
struct JourneyListQuery: StateQuery {
    var text = ""
    var state: JourneyState?
    var page = ListPage(size: 25)
    var order = JourneyQuery.Order.newestFirst

    init() {}

    /// The order that an address asks for; others are the newest first.
    static func order(_ fields: FormFields) -> JourneyQuery.Order {
        JourneyQuery.Order(rawValue: fields["order"]) ?? .newestFirst
    }

    var stored: JourneyQuery {
        JourneyQuery(
            text: text,
            states: state.map { [$0] } ?? [],
            order: order,
            limit: page.size,
            offset: page.offset
        )
    }
}

/// The list of journeys.
struct JourneysPage {
    struct Row {
        let address: String
        let name: String
        let entry: String
        let phase: String
        let tone: String
        /// Whether its draft differs from what people go through.
        let isChanged: Bool
        let inside: String
        let entered: String
        let converted: String
        let last: Moment?
    }

    let nameHead: SortHead
    let figureHeads: [SortHead]
    let lastHead: SortHead
    let rows: [Row]
    let list: ListFrame
    let drafts: DraftList
    let templates: JourneyTemplateChoices

    init(
        _ list: (journeys: [Journey], total: Int),
        totals: [JourneyID: JourneyTotals],
        query: JourneyListQuery,
        drafts: DraftList,
        context: ConsoleContext
    ) {
        let words = context.words
        self.drafts = drafts
        templates = JourneyTemplateChoices(context)
        func head(_ order: JourneyQuery.Order, _ key: String, isRight: Bool = true) -> SortHead {
            SortHead(
                order,
                key,
                current: query.order,
                path: .journeys,
                isRight: isRight,
                context: context
            )
        }
        nameHead = head(.name, "segments.name", isRight: false)
        figureHeads = [
            head(.inside, "journeys.inside"), head(.entered, "journeys.entered"),
            head(.converted, "journeys.converted"),
        ]
        lastHead = head(.lastEntry, "journeys.last_entry")
        rows = list.journeys.map { journey in
            let found = totals[journey.id] ?? JourneyTotals()
            return Row(
                address: ConsolePath.journey("\(journey.id)").path,
                name: journey.draft.name,
                entry: words(journey.draft.entry.wordKey),
                phase: words(journey.state.wordKey),
                tone: journey.state.tone,
                isChanged: journey.version != nil && journey.hasUnpublishedChanges,
                inside: words.number(found.inside),
                entered: words.number(found.entered),
                converted: journey.draft.goal == nil
                    ? "–" : words.percent(found.converted, of: found.entered),
                last: journey.lastEntryAt.map(context.moment)
            )
        }
        self.list = ListFrame(
            query,
            states: JourneyState.allCases,
            label: { words($0.wordKey) },
            searchLabel: words("journeys.search"),
            path: .journeys,
            newPath: .newJourney,
            shown: rows.count,
            total: list.total,
            context: context
        )
    }
}

extension JourneyEntryRule {
    var wordKey: String {
        switch self {
        case .event: "journeys.entry_event"
        case .members: "journeys.entry_members"
        case .entering: "journeys.entry_entering"
        case .api: "journeys.entry_api"
        case .journey: "journeys.entry_journey"
        }
    }
}
