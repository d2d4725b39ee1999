import Hummingbird
import Model
import WebPages

extension ConsoleSite {
    /// The wizard that a campaign is written with.
    ///
    /// - Parameter frame: What is kept of it; nothing yet where it is `nil`.
    func campaignPage(
        _ form: CampaignForm,
        _ visit: Visit,
        frame: DraftFrame? = nil,
        faults: [FormFault] = []
    ) async throws -> Response {
        let desk = DraftDesk(site: self, kind: .campaign)
        var kept = frame
        if kept == nil { kept = try await desk.frame(desk.new(visit), version: nil, visit) }
        let composer = try await composer(form.push, faults: faults, visit)
        let page = CampaignPage(
            form,
            draft: kept,
            isExperimentRunning: try await isExperimentRunning(kept?.subject, visit),
            composer: composer,
            faults: faults,
            visit: visit
        )
        return try self.page(
            "campaign",
            page,
            title: page.heading,
            place: .campaigns,
            visit: visit,
            status: !faults.isEmpty
                ? .unprocessableContent : frame?.conflict == nil ? .ok : .conflict
        )
    }

    /// Whether a campaign that is edited compares variants, or users with a control group, now.
    private func isExperimentRunning(_ campaign: String?, _ visit: Visit) async throws -> Bool {
        guard let id = campaign.flatMap({ Int64($0) }),
            let sketch = try await features.campaigns?.campaignSketch(id: id, for: visit.member)
        else { return false }
        return [.active, .paused].contains(sketch.row.phase)
            && (sketch.draft.variants.count > 1 || sketch.draft.controlShare > 0)
    }
}
