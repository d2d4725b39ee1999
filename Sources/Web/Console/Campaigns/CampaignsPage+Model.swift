import Audience
import Foundation
import Model
import WebPages

/// A filter on the campaigns of the list, and their order.
struct CampaignListQuery: StateQuery {
    /// What the list can be ordered by, each in the direction that people look for.
    static let orders: [CampaignQuery.Order] = [
        .newestFirst, .name, .lastSent, .delivered, .openRate,
    ]

    var text = ""
    var state: CampaignState?
    var page = ListPage(size: 25)
    var order = CampaignQuery.Order.newestFirst

    /// The order that an address asks for; others are the newest first.
    static func order(_ fields: FormFields) -> CampaignQuery.Order {
        orders.first { $0.rawValue == fields["order"] } ?? .newestFirst
    }
}

/// The list of campaigns.
struct CampaignsPage {
    struct Row {
        let address: String
        let name: String
        let audience: String
        let phase: String
        let tone: String
        let timing: String
        let delivered: String
        let openRate: String
        /// In whole percent, for a bar.
        /// In percent; `nil` where nothing is delivered yet.
        let openShare: Int?
        /// Where the share of converted users comes from; `nil` without conversions.
        let conversionAddress: String?
        let next: Moment?
        let last: Moment?
    }

    let tabs: [ContentTabs.Tab]
    let nameHead: SortHead
    let figureHeads: [SortHead]
    let lastHead: SortHead
    let rows: [Row]
    let list: ListFrame
    let calendarAddress: String
    let drafts: DraftList

    init(
        _ list: (campaigns: [Campaign], total: Int),
        totals: [CampaignID: CampaignTotals],
        audiences: [CampaignID: AudienceChoice],
        query: CampaignListQuery,
        drafts: DraftList,
        context: ConsoleContext
    ) {
        self.drafts = drafts
        calendarAddress = ConsolePath.calendar.path
        let words = context.words
        tabs = ContentTabs(current: .campaigns, words).tabs
        func head(_ order: CampaignQuery.Order, _ key: String, isRight: Bool = true) -> SortHead {
            SortHead(
                order,
                key,
                current: query.order,
                path: .campaigns,
                isRight: isRight,
                context: context
            )
        }
        nameHead = head(.name, "segments.name", isRight: false)
        figureHeads = [head(.delivered, "push.delivered"), head(.openRate, "push.rate")]
        lastHead = head(.lastSent, "campaigns.last")
        rows = list.campaigns.map { campaign in
            let id = String(campaign.id.rawValue)
            let figures = totals[campaign.id]
            return Row(
                address: ConsolePath.campaign(id).path,
                name: campaign.content.name,
                audience: audiences[campaign.id]?.text(words) ?? "",
                phase: words(campaign.state.wordKey),
                tone: campaign.state.tone,
                timing: words(CampaignForm.Timing(campaign.content.delivery).wordKey),
                delivered: figures.map { words.number($0.delivered) } ?? "–",
                openRate: words.percent(figures?.opened ?? 0, of: figures?.delivered ?? 0),
                openShare: figures.flatMap {
                    $0.delivered > 0 ? 100 * $0.opened / $0.delivered : nil
                },
                conversionAddress: figures == nil || campaign.content.conversions.isEmpty
                    ? nil : ConsolePath.campaignConversion(id).path,
                next: campaign.nextRunAt.map(context.moment),
                last: campaign.lastSentAt.map(context.moment)
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
            context: context
        )
    }
}

/// The share of a campaign's users who have converted, for its row in the list.
struct CampaignConversionPart {
    let share: String

    init(_ funnel: MessageFunnel, words: Words) {
        func users(_ stage: MessageFunnel.Stage) -> Int {
            funnel.steps.first { $0.stage == stage }?.users ?? 0
        }
        share = words.percent(users(.converted), of: users(.delivered))
    }
}

extension Campaign {
    /// The time of the next send; `nil` unless it is active.
    var nextRunAt: Date? { state == .active ? nextDueAt : nil }
}
