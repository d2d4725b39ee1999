import Foundation
import Model
import WebPages

/// A filter on the campaigns of the list.
struct CampaignListQuery: StateQuery {
    var text = ""
    var state: CampaignState?
    var page = ListPage(size: 25)
}

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
    let rows: [Row]
    let list: ListFrame
    let drafts: DraftList

    init(
        _ list: (campaigns: [Campaign], total: Int),
        query: CampaignListQuery,
        drafts: DraftList,
        visit: Visit
    ) {
        self.drafts = drafts
        let words = visit.words
        tabs = ContentTabs(current: .campaigns, words).tabs
        rows = list.campaigns.map { campaign in
            Row(
                address: ConsolePath.campaign(String(campaign.id.rawValue)).path,
                name: campaign.content.name,
                phase: words(campaign.state.wordKey),
                tone: campaign.state.tone,
                timing: words(CampaignForm.Timing(campaign.content.delivery).wordKey),
                next: campaign.nextRunAt.map(visit.moment),
                last: campaign.lastSentAt.map(visit.moment),
                changed: visit.moment(campaign.updatedAt)
            )
        }
        self.list = ListFrame(
            query,
            states: CampaignState.allCases,
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

extension Campaign {
    /// The time of the next send; `nil` unless it is active.
    var nextRunAt: Date? { state == .active ? nextDueAt : nil }
}
