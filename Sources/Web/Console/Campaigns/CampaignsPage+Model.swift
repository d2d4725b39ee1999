import Foundation
import WebPages

extension CampaignListQuery {
    init(fields: FormFields) {
        self.init()
        text = fields["text"].trimmingCharacters(in: .whitespaces)
        phase = CampaignPhase(rawValue: fields["state"])
        page = max(1, Int(fields["page"]) ?? 1)
    }
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

    struct Filter {
        let label: String
        let address: String
        let isCurrent: Bool
    }

    let rows: [Row]
    let isEmpty: Bool
    let isUnfiltered: Bool
    let filters: [Filter]
    let text: String
    let state: String
    let action: String
    let mayWrite: Bool
    let newAddress: String
    let pager: Pager

    init(_ list: CampaignList, query: CampaignListQuery, visit: Visit) {
        let words = visit.words
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
        isEmpty = rows.isEmpty
        isUnfiltered = query.text.isEmpty && query.phase == nil && query.page == 1
        text = query.text
        state = query.phase?.rawValue ?? ""
        action = ConsolePath.campaigns.path
        mayWrite = visit.may(.marketer)
        newAddress = ConsolePath.newCampaign.path
        let fields = visit.query.setting("page", to: "").setting("notice", to: "")
        let phases: [CampaignPhase?] = [nil] + CampaignPhase.allCases
        filters = phases.map { phase in
            Filter(
                label: words(phase?.wordKey ?? "push.state.all"),
                address: ConsolePath.campaigns.query(
                    fields.setting("state", to: phase?.rawValue ?? "")
                ),
                isCurrent: phase == query.phase
            )
        }
        pager = Pager(
            path: .campaigns,
            fields: fields,
            page: query.page,
            pageSize: query.pageSize,
            shown: rows.count,
            total: list.total,
            hasMore: query.page * query.pageSize < list.total,
            words: words
        )
    }
}
