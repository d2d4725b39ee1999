import Foundation
import WebPages

extension CampaignListQuery: StateQuery {}

/// The list of campaigns.
struct CampaignsPage {
    struct Row {
        let address: String
        let name: String
        let phase: String
        let tone: String
        let timing: String
        let next: Moment?
        let last: Moment?
        let changed: Moment
    }

    let tabs: [ContentTabs.Tab]
    let hasTabs: Bool
    let rows: [Row]
    let list: ListFrame
    let drafts: DraftList

    init(
        _ list: CampaignList,
        query: CampaignListQuery,
        drafts: DraftList,
        hasTabs: Bool,
        visit: Visit
    ) {
        self.drafts = drafts
        let words = visit.words
        tabs = ContentTabs(current: .campaigns, words).tabs
        self.hasTabs = hasTabs
        rows = list.rows.map { row in
            Row(
                address: ConsolePath.campaign(String(row.id)).path,
                name: row.name,
                phase: words(row.phase.wordKey),
                tone: row.phase.tone,
                timing: words(row.timing.wordKey),
                next: row.nextAt.map(visit.moment),
                last: row.lastAt.map(visit.moment),
                changed: visit.moment(row.changedAt)
            )
        }
        self.list = ListFrame(
            query,
            states: CampaignPhase.allCases,
            label: { words($0.wordKey) },
            searchLabel: words("campaigns.search"),
            path: .campaigns,
            newPath: .newCampaign,
            shown: rows.count,
            total: list.total,
            visit: visit
        )
    }
}
