import Campaigns
import Hummingbird
import Model
import WebPages

extension ConsoleRenderer {
    /// The campaign wizard.
    ///
    /// - Parameter frame: The draft; `nil` if nothing is stored yet.
    func campaignPage(
        _ form: CampaignForm,
        _ context: ConsoleContext,
        frame: DraftFrame? = nil,
        faults: [FormFieldError] = []
    ) async throws -> Response {
        let desk = DraftDesk(site: self, kind: .campaign)
        var kept = frame
        if kept == nil { kept = try await desk.frame(desk.new(context), version: nil, context) }
        let composer = try await composer(form.push, faults: faults, context)
        let page = CampaignEditorPage(
            form,
            draft: kept,
            isExperimentRunning: try await isExperimentRunning(kept?.subject, context),
            composer: composer,
            faults: faults,
            context: context
        )
        return try self.page(
            "campaign",
            page,
            title: page.heading,
            place: .campaigns,
            context: context,
            status: !faults.isEmpty
                ? .unprocessableContent : frame?.conflict == nil ? .ok : .conflict
        )
    }

    /// Whether an edited campaign currently compares variants, or has a control group.
    private func isExperimentRunning(_ campaign: String?, _ context: ConsoleContext) async throws
        -> Bool
    {
        guard let campaign = try await self.campaign(campaign, context) else { return false }
        return [.active, .paused].contains(campaign.state)
            && (campaign.content.variants.count > 1 || campaign.content.controlShare > 0)
    }

    /// The campaign of a form; `nil` for a new one.
    func campaign(_ number: String?, _ context: ConsoleContext) async throws -> Campaign? {
        guard let id = number.flatMap({ Int64($0) }) else { return nil }
        return try await services.campaigns.campaign(CampaignID(id), in: context.workspace)
    }
}
