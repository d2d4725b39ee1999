import Foundation
import WebPages

extension InAppListQuery: StateQuery {}

/// The list of in-app messages.
struct InAppListPage {
    struct Row {
        let address: String
        let name: String
        let kind: String
        let trigger: String
        let phase: String
        let tone: String
        let period: String
        let impressions: String
        let clicks: String
        let rate: String
        let changed: Moment
    }

    let rows: [Row]
    let list: ListFrame
    let drafts: DraftList

    init(_ list: InAppList, query: InAppListQuery, drafts: DraftList, visit: Visit) {
        self.drafts = drafts
        let words = visit.words
        rows = list.rows.map { row in
            Row(
                address: ConsolePath.inAppMessage(row.id).path,
                name: row.name,
                kind: words(row.kind.wordKey),
                trigger: row.triggers.map { $0.text(words) }.joined(separator: ", "),
                phase: words(row.phase.wordKey),
                tone: row.phase.tone,
                period: Period(row.startsAt, row.endsAt, visit).text,
                impressions: words.number(row.figures.impressions),
                clicks: words.number(row.figures.clicks),
                rate: words.percent(row.figures.clicks, of: row.figures.impressions),
                changed: visit.moment(row.changedAt)
            )
        }
        self.list = ListFrame(
            query,
            states: InAppPhase.allCases,
            label: { words($0.wordKey) },
            searchLabel: words("in_app.search"),
            path: .inApp,
            newPath: .newInApp,
            shown: rows.count,
            total: list.total,
            visit: visit
        )
    }
}
