import Foundation
import Hummingbird
import Model
import WebPages

/// The campaigns: list, one campaign, the wizard and its confirmation.
struct CampaignRoutes: Sendable {
    private let site: ConsoleSite
    private let gate: Gate
    private let campaigns: any CampaignPages

    init(site: ConsoleSite, campaigns: any CampaignPages) {
        self.site = site
        self.campaigns = campaigns
        gate = Gate(site: site)
    }

    func add<Context: RequestContext>(to router: some RouterMethods<Context>) {
        addReading(to: router)
        addWizard(to: router)
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
                return try await perform(step, on: detail, visit)
            }
        )
    }

    private func addWizard<Context: RequestContext>(to router: some RouterMethods<Context>) {
        router.get(
            RouterPath(ConsolePath.newCampaign.path),
            use: gate.member(.marketer) { visit, _ in
                try await wizard(CampaignForm(fields: visit.query), id: nil, visit)
            }
        )
        // Back from the confirmation, with everything that was typed.
        router.post(
            RouterPath(ConsolePath.newCampaign.path),
            use: gate.member(.marketer) { visit, _ in
                try await wizard(CampaignForm(fields: visit.form), id: id(visit), visit)
            }
        )
        router.get(
            RouterPath(ConsolePath.editCampaign(":campaign").path),
            use: gate.member(.marketer) { visit, parameters in
                let detail = try await sketch(visit, parameters)
                let form = CampaignForm(detail.draft, visit: visit)
                return try await wizard(form, id: detail.row.id, visit)
            }
        )
        router.get(
            RouterPath(ConsolePath.duplicateCampaign(":campaign").path),
            use: gate.member(.marketer) { visit, parameters in
                let detail = try await sketch(visit, parameters)
                var form = CampaignForm(detail.draft, visit: visit)
                form.name = visit.words("campaigns.copy_of", ["name": form.name])
                return try await wizard(form, id: nil, visit)
            }
        )
        router.post(
            RouterPath(ConsolePath.reviewCampaign.path),
            use: gate.member(.marketer) { visit, _ in try await review(visit) }
        )
        router.post(
            RouterPath(ConsolePath.saveCampaign.path),
            use: gate.member(.marketer) { visit, _ in try await save(visit) }
        )
    }

    private func id(_ visit: Visit) -> Int64? { Int64(visit.form["campaign"]) }

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
        do {
            guard try await campaigns.perform(step, onCampaign: id, for: visit.member) else {
                return PageAnswer.redirect(to: Notice.campaignMoved.address(path))
            }
        } catch let rejected as CampaignRejected {
            let form = CampaignForm(detail.draft, visit: visit)
            return try await wizard(form, id: id, visit, faults: rejected.faults)
        }
        try await site.record(step.action, "#\(id)", detail: detail.row.name, visit)
        return PageAnswer.redirect(to: step.notice.address(path))
    }

    private func wizard(
        _ form: CampaignForm,
        id: Int64?,
        _ visit: Visit,
        faults: [FormFault] = []
    ) async throws -> Response {
        let composer = try await site.composer(form.push, faults: faults, visit)
        let page = CampaignPage(form, id: id, composer: composer, faults: faults, visit: visit)
        return try site.page(
            "campaign",
            page,
            title: page.heading,
            place: .campaigns,
            visit: visit,
            status: faults.isEmpty ? .ok : .unprocessableContent
        )
    }

    /// The posted form with the name of the chosen segment.
    private func posted(_ visit: Visit) async throws -> CampaignForm {
        var form = CampaignForm(fields: visit.form)
        form.push = try await site.withSegmentName(form.push, visit)
        return form
    }

    private func review(_ visit: Visit) async throws -> Response {
        let form = try await posted(visit)
        do {
            let draft = try form.checked(visit)
            var previews: [(name: String, preview: PushPreview)] = []
            var faults: [FormFault] = []
            for (number, variant) in draft.variants.enumerated() {
                let preview = try await site.services.preview(
                    draft.common.with(variant.text),
                    for: visit.member
                )
                previews.append((variant.name, preview))
                faults += preview.faults.map {
                    FormFault($0, prefix: "v\(number).")
                }
            }
            guard faults.isEmpty else { throw CampaignRejected(faults: faults) }
            let reach = try await site.services.reach(of: draft.common, for: visit.member)
            return try site.page(
                "campaign-review",
                CampaignReviewPage(draft, previews: previews, reach: reach, visit: visit),
                title: visit.words("review.title"),
                place: .campaigns,
                visit: visit
            )
        } catch let rejected as CampaignRejected {
            return try await wizard(form, id: id(visit), visit, faults: rejected.faults)
        }
    }

    private func save(_ visit: Visit) async throws -> Response {
        let form = try await posted(visit)
        do {
            let draft = try form.checked(visit)
            let known = id(visit)
            let id = try await campaigns.saveCampaign(draft, id: known, for: visit.member)
            try await site.record(.campaignSaved, "#\(id)", detail: draft.name, visit)
            let path = ConsolePath.campaign(String(id))
            guard visit.form["step"] == CampaignStep.activate.rawValue else {
                return PageAnswer.redirect(to: Notice.campaignSaved.address(path))
            }
            let isActive = try await campaigns.perform(
                .activate,
                onCampaign: id,
                for: visit.member
            )
            if isActive {
                try await site.record(.campaignActivated, "#\(id)", detail: draft.name, visit)
            }
            let notice: Notice = isActive ? .campaignActivated : .campaignSaved
            return PageAnswer.redirect(to: notice.address(path))
        } catch let rejected as CampaignRejected {
            return try await wizard(form, id: id(visit), visit, faults: rejected.faults)
        }
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
