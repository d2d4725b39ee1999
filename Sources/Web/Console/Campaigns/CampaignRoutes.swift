import Foundation
import Hummingbird
import Model
import WebPages

/// The campaigns: list, one campaign, the wizard and its confirmation.
struct CampaignRoutes: Sendable {
    private let site: ConsoleSite
    private let gate: Gate
    private let campaigns: any CampaignPages
    private let desk: DraftDesk

    init(site: ConsoleSite, campaigns: any CampaignPages) {
        self.site = site
        self.campaigns = campaigns
        gate = Gate(site: site)
        desk = DraftDesk(site: site, kind: .campaign)
    }

    func add<Context: RequestContext>(to router: some RouterMethods<Context>) {
        desk.add(to: router)
        addReading(to: router)
        addWizard(to: router)
        CampaignReviewRoutes(site: site, campaigns: campaigns).add(to: router)
    }

    private func addReading<Context: RequestContext>(to router: some RouterMethods<Context>) {
        router.get(
            RouterPath(ConsolePath.campaigns.path),
            use: gate.member { visit, _ in
                let query = CampaignListQuery(fields: visit.query)
                let list = try await campaigns.campaigns(query, for: visit.member)
                return try site.page(
                    "campaigns",
                    CampaignsPage(
                        list,
                        query: query,
                        drafts: try await desk.list(visit),
                        hasTabs: site.features.content != nil,
                        visit: visit
                    ),
                    title: visit.words("nav.campaigns"),
                    place: .campaigns,
                    visit: visit
                )
            }
        )
        router.get(
            RouterPath(ConsolePath.campaign(":campaign").path),
            use: gate.member { visit, parameters in
                let detail = try await found(visit, parameters)
                return try site.page(
                    "campaign-detail",
                    CampaignDetailPage(detail, hasWhy: site.features.why != nil, visit: visit),
                    title: detail.row.name,
                    place: .campaigns,
                    visit: visit
                )
            }
        )
        router.post(
            RouterPath(ConsolePath.campaignStep(":campaign", ":step").path),
            use: gate.member(.marketer) { visit, parameters in
                let detail = try await sketch(visit, parameters)
                guard let step = parameters.get("step").flatMap(CampaignStep.init) else {
                    throw PageProblem.notFound
                }
                // What begins is looked at first.
                if step == .activate {
                    let review = ConsolePath.activateCampaign(String(detail.row.id))
                    return PageAnswer.redirect(to: review.path)
                }
                return try await perform(step, on: detail, visit)
            }
        )
    }

    private func addWizard<Context: RequestContext>(to router: some RouterMethods<Context>) {
        router.get(
            RouterPath(ConsolePath.newCampaign.path),
            use: gate.member(.marketer) { visit, _ in
                try await site.campaignPage(CampaignForm(fields: visit.query), visit)
            }
        )
        router.get(
            RouterPath(ConsolePath.draft(.campaign, ":id").path),
            use: gate.member(.marketer) { visit, parameters in
                try await desk.open(visit, parameters) { draft, fields in
                    try await site.campaignPage(
                        CampaignForm(fields: fields),
                        visit,
                        frame: try await desk.frame(draft, fields, visit)
                    )
                }
            }
        )
        router.get(
            RouterPath(ConsolePath.editCampaign(":campaign").path),
            use: gate.member(.marketer) { visit, parameters in
                let detail = try await sketch(visit, parameters)
                return try await site.campaignPage(
                    CampaignForm(detail.draft, visit: visit),
                    visit,
                    frame: try await desk.frame(
                        desk.new(subject: String(detail.row.id), visit),
                        version: detail.row.changedAt,
                        visit
                    )
                )
            }
        )
        router.get(
            RouterPath(ConsolePath.duplicateCampaign(":campaign").path),
            use: gate.member(.marketer) { visit, parameters in
                let detail = try await sketch(visit, parameters)
                var form = CampaignForm(detail.draft, visit: visit)
                form.name = visit.words("campaigns.copy_of", ["name": form.name])
                return try await site.campaignPage(form, visit)
            }
        )
    }

    private func found(_ visit: Visit, _ parameters: Parameters) async throws -> CampaignDetail {
        guard let id = parameters.get("campaign", as: Int64.self),
            let detail = try await campaigns.campaign(id: id, for: visit.member)
        else { throw PageProblem.notFound }
        return detail
    }

    private func sketch(_ visit: Visit, _ parameters: Parameters) async throws -> CampaignSketch {
        guard let id = parameters.get("campaign", as: Int64.self),
            let sketch = try await campaigns.campaignSketch(id: id, for: visit.member)
        else { throw PageProblem.notFound }
        return sketch
    }

    private func perform(
        _ step: CampaignStep,
        on detail: CampaignSketch,
        _ visit: Visit
    ) async throws -> Response {
        let id = detail.row.id
        let path = ConsolePath.campaign(String(id))
        guard try await campaigns.perform(step, onCampaign: id, for: visit.member) else {
            return PageAnswer.redirect(to: Notice.campaignMoved.address(path))
        }
        try await site.record(step.action, "#\(id)", detail: detail.row.name, visit)
        return PageAnswer.redirect(to: step.notice.address(path))
    }
}

extension PushDraft {
    /// This draft with the texts of a variant.
    func with(_ text: VariantText) -> PushDraft {
        var draft = self
        draft.title = text.title
        draft.subtitle = text.subtitle
        draft.message = text.message
        draft.url = text.url
        draft.imageURL = text.imageURL
        return draft
    }
}
