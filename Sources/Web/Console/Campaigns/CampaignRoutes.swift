import Analytics
import Audience
import Campaigns
import Foundation
import Hummingbird
import Model
import NIOCore
import Reports
import Sends
import WebPages

/// The campaign pages: list, details, wizard and confirmation.
struct CampaignRoutes: Sendable {
    private static let shownLaunches = 10

    private let site: ConsoleRenderer
    private let gate: ConsoleAuthenticator
    private let campaigns: CampaignService
    private let desk: DraftDesk

    init(site: ConsoleRenderer) {
        self.site = site
        campaigns = site.services.campaigns
        gate = ConsoleAuthenticator(site: site)
        desk = DraftDesk(site: site, kind: .campaign)
    }

    func add<Context: RequestContext>(to router: some RouterMethods<Context>) {
        desk.add(to: router)
        addReading(to: router)
        addWizard(to: router)
        CampaignReviewRoutes(site: site).add(to: router)
        CalendarRoutes(site: site).add(to: router)
    }

    private func addReading<Context: RequestContext>(to router: some RouterMethods<Context>) {
        router.get(
            RouterPath(ConsolePath.campaigns.path),
            use: gate.member { context, _ in
                var query = CampaignListQuery(fields: context.query)
                query.order = CampaignListQuery.order(context.query)
                let list = try await campaigns.campaigns(
                    in: context.workspace,
                    matching: query.text,
                    state: query.state,
                    order: query.order,
                    page: query.page
                )
                var audiences: [CampaignID: AudienceChoice] = [:]
                for campaign in list.campaigns {
                    audiences[campaign.id] = try await audience(of: campaign)
                }
                return try site.page(
                    "campaigns",
                    CampaignsPage(
                        list,
                        totals: try await site.services.sends.totals(of: list.campaigns),
                        audiences: audiences,
                        query: query,
                        drafts: try await desk.list(context),
                        context: context
                    ),
                    title: context.words("nav.campaigns"),
                    place: .campaigns,
                    context: context
                )
            }
        )
        router.get(
            RouterPath(ConsolePath.campaign(":campaign").path),
            use: gate.member { context, parameters in
                let campaign = try await found(context, parameters)
                return try site.page(
                    "campaign-detail",
                    CampaignDetailPage(
                        campaign,
                        audience: try await audience(of: campaign),
                        results: try await site.services.sends.results(of: campaign),
                        experiment: try await site.services.sends.experiment(of: campaign),
                        funnel: try await site.services.funnels.funnel(of: campaign),
                        opens: try await site.services.funnels.opens(of: campaign),
                        pushes: try await site.services.sends.launches(
                            of: campaign.id,
                            limit: Self.shownLaunches
                        ),
                        context: context
                    ),
                    title: campaign.content.name,
                    place: .campaigns,
                    context: context
                )
            }
        )
        router.get(
            RouterPath(ConsolePath.exportExperiment(":campaign").path),
            use: gate.member { context, parameters in
                let campaign = try await found(context, parameters)
                let export = ExperimentExport(
                    try await site.services.sends.experiment(of: campaign),
                    of: campaign.content,
                    words: context.words
                )
                return Response(
                    status: .ok,
                    headers: CSVFile.headers(name: "campaign-\(campaign.id)-experiment.csv"),
                    body: ResponseBody(
                        byteBuffer: ByteBuffer(string: CSVFile.mark + export.table.csv)
                    )
                )
            }
        )
        router.get(
            RouterPath(ConsolePath.campaignConversion(":campaign").path),
            use: gate.member { context, parameters in
                let campaign = try await found(context, parameters)
                return try site.part(
                    "campaign-conversion",
                    CampaignConversionPart(
                        try await site.services.funnels.funnel(of: campaign),
                        words: context.words
                    ),
                    context: context
                )
            }
        )
        router.post(
            RouterPath(ConsolePath.campaignStep(":campaign", ":step").path),
            use: gate.member(.marketer) { context, parameters in
                let campaign = try await found(context, parameters)
                guard let step = parameters.get("step").flatMap(CampaignStep.init) else {
                    throw PageError.notFound
                }
                // Activation requires a review.
                if step == .activate {
                    let review = ConsolePath.activateCampaign("\(campaign.id)")
                    return HTMLResponse.redirect(to: review.path)
                }
                return try await take(step, with: campaign, context)
            }
        )
    }

    private func addWizard<Context: RequestContext>(to router: some RouterMethods<Context>) {
        router.get(
            RouterPath(ConsolePath.newCampaign.path),
            use: gate.member(.marketer) { context, _ in
                try await site.campaignPage(CampaignForm(fields: context.query), context)
            }
        )
        router.get(
            RouterPath(ConsolePath.draft(.campaign, ":id").path),
            use: gate.member(.marketer) { context, parameters in
                try await desk.open(context, parameters) { draft, fields in
                    try await site.campaignPage(
                        CampaignForm(fields: fields),
                        context,
                        frame: try await desk.frame(draft, fields, context)
                    )
                }
            }
        )
        router.get(
            RouterPath(ConsolePath.editCampaign(":campaign").path),
            use: gate.member(.marketer) { context, parameters in
                let campaign = try await found(context, parameters)
                return try await site.campaignPage(
                    CampaignForm(campaign.content, audience: audience(of: campaign)),
                    context,
                    frame: try await desk.frame(
                        desk.new(subject: "\(campaign.id)", context),
                        version: campaign.updatedAt,
                        context
                    )
                )
            }
        )
        router.get(
            RouterPath(ConsolePath.duplicateCampaign(":campaign").path),
            use: gate.member(.marketer) { context, parameters in
                let campaign = try await found(context, parameters)
                var form = CampaignForm(
                    campaign.content,
                    audience: try await audience(of: campaign)
                )
                form.name = context.words("campaigns.copy_of", ["name": form.name])
                return try await site.campaignPage(form, context)
            }
        )
    }

    private func found(_ context: ConsoleContext, _ parameters: Parameters) async throws -> Campaign
    {
        guard let id = parameters.get("campaign", as: Int64.self),
            let campaign = try await campaigns.campaign(CampaignID(id), in: context.workspace)
        else { throw PageError.notFound }
        return campaign
    }

    private func audience(of campaign: Campaign) async throws -> AudienceChoice {
        try await site.services.choices.choice(of: campaign.content.audience)
    }

    private func take(
        _ step: CampaignStep,
        with campaign: Campaign,
        _ context: ConsoleContext
    ) async throws -> Response {
        let path = ConsolePath.campaign("\(campaign.id)")
        do {
            try await campaigns.take(step, with: campaign, by: context.actor)
            return HTMLResponse.redirect(to: step.notice.address(path))
        } catch is RefusalError {
            return HTMLResponse.redirect(to: FlashMessage.campaignMoved.address(path))
        }
    }
}
