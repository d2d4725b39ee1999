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
        let page = CampaignPage(form, draft: kept, composer: composer, faults: faults, visit: visit)
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
}
