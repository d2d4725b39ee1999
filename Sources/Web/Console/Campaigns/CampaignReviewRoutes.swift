import Foundation
import Hummingbird
import Model
import Ports
import WebPages

/// What a campaign is looked at for before it is saved or begins. Nothing begins unseen: a campaign
/// is activated by the form of its review, once, and only as it was when it was reviewed.
struct CampaignReviewRoutes: Sendable {
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
        router.post(
            RouterPath(ConsolePath.reviewCampaign.path),
            use: gate.member(.marketer) { visit, _ in try await keepAndReview(visit) }
        )
        // Where a browser without scripts goes back to from a form with mistakes.
        router.get(
            RouterPath(ConsolePath.reviewCampaign.path),
            use: gate.member(.marketer) { _, _ in
                PageAnswer.redirect(to: ConsolePath.campaigns.path)
            }
        )
        router.get(
            RouterPath(ConsolePath.reviewDraft(.campaign, ":id").path),
            use: gate.member(.marketer) { visit, parameters in
                try await desk.open(visit, parameters) { draft, fields in
                    try await review(draft, fields, visit)
                }
            }
        )
        router.post(
            RouterPath(ConsolePath.saveCampaign.path),
            use: gate.member(.marketer) { visit, _ in try await save(visit) }
        )
        router.get(
            RouterPath(ConsolePath.activateCampaign(":campaign").path),
            use: gate.member(.marketer) { visit, parameters in
                try await review(found(visit, parameters), visit)
            }
        )
        router.post(
            RouterPath(ConsolePath.activateCampaign(":campaign").path),
            use: gate.member(.marketer) { visit, parameters in
                try await activate(found(visit, parameters), visit)
            }
        )
    }

    private func found(_ visit: Visit, _ parameters: Parameters) async throws -> CampaignSketch {
        guard let id = parameters.get("campaign", as: Int64.self),
            let sketch = try await campaigns.campaignSketch(id: id, for: visit.member)
        else { throw PageProblem.notFound }
        return sketch
    }

    // MARK: What is written

    /// A form with the name of the chosen segment.
    private func form(_ fields: FormFields, _ visit: Visit) async throws -> CampaignForm {
        var form = CampaignForm(fields: fields)
        form.push = try await site.withSegmentName(form.push, visit)
        return form
    }

    private func keepAndReview(_ visit: Visit) async throws -> Response {
        let kept = try await desk.keep(visit)
        if let outcome = kept.outcome {
            return PageAnswer.redirect(to: ConsolePath.campaign(outcome).path)
        }
        let fields = FormFields(urlEncoded: kept.fields)
        do {
            _ = try await look(at: form(fields, visit), visit)
        } catch let rejected as CampaignRejected {
            return try await wizard(kept, fields, visit, faults: rejected.faults)
        }
        let address = ConsolePath.reviewDraft(.campaign, kept.id.uuidString)
        let isSame = UUID(uuidString: visit.form["draft"]).map { $0 == kept.id } ?? true
        return PageAnswer.redirect(
            to: isSame ? address.path : Notice.draftCopied.address(address)
        )
    }

    private func wizard(
        _ draft: FormDraft,
        _ fields: FormFields,
        _ visit: Visit,
        faults: [FormFault]
    ) async throws -> Response {
        try await site.campaignPage(
            form(fields, visit),
            visit,
            frame: desk.frame(draft, fields, visit),
            faults: faults
        )
    }

    private struct Look {
        let draft: CampaignDraft
        let previews: [(name: String, preview: PushPreview)]
        let outlook: SendOutlook
    }

    /// - Throws: ``CampaignRejected``.
    private func look(at form: CampaignForm, _ visit: Visit) async throws -> Look {
        try await look(at: form.checked(visit), visit)
    }

    private func look(at draft: CampaignDraft, _ visit: Visit) async throws -> Look {
        var previews: [(name: String, preview: PushPreview)] = []
        var faults: [FormFault] = []
        for (number, variant) in draft.variants.enumerated() {
            let preview = try await site.services.preview(
                draft.common.with(variant.text),
                for: visit.member
            )
            previews.append((variant.name, preview))
            faults += preview.faults.map { FormFault($0, prefix: "v\(number).") }
        }
        guard faults.isEmpty else { throw CampaignRejected(faults: faults) }
        return Look(
            draft: draft,
            previews: previews,
            outlook: try await campaigns.outlook(of: draft, for: visit.member)
        )
    }

    private func page(_ content: CampaignReviewPage, _ visit: Visit) throws -> Response {
        try site.page(
            "campaign-review",
            content,
            title: visit.words("review.title"),
            place: .campaigns,
            visit: visit
        )
    }

    private func review(
        _ draft: FormDraft,
        _ fields: FormFields,
        _ visit: Visit
    ) async throws -> Response {
        let form = try await form(fields, visit)
        do {
            let look = try await look(at: form, visit)
            var phase: CampaignPhase?
            if let id = Int64(draft.subject) {
                phase = try await campaigns.campaignSketch(id: id, for: visit.member)?.row.phase
            }
            return try page(
                CampaignReviewPage(
                    look.draft,
                    previews: look.previews,
                    outlook: look.outlook,
                    from: .draft(draft, fields, phase: phase),
                    visit: visit
                ),
                visit
            )
        } catch let rejected as CampaignRejected {
            return try await wizard(draft, fields, visit, faults: rejected.faults)
        }
    }

    /// Saves what was reviewed, once, and lets it begin when that was asked.
    private func save(_ visit: Visit) async throws -> Response {
        let wanted = CampaignStep(rawValue: visit.form["step"])
        let posted = DraftDesk.written(in: visit.form)
        let kept: FormDraft
        if let known = try await desk.known(visit) {
            if let outcome = known.outcome {
                return PageAnswer.redirect(to: ConsolePath.campaign(outcome).path)
            }
            let address = ConsolePath.reviewDraft(.campaign, known.id.uuidString)
            guard FormFields(urlEncoded: known.fields) == posted else {
                return PageAnswer.redirect(to: Notice.draftChanged.address(address))
            }
            kept = known
        } else {
            // It was discarded, or never kept: what is posted is complete, but nobody has seen it.
            kept = try await desk.keep(visit)
            if wanted == .activate {
                let address = ConsolePath.reviewDraft(.campaign, kept.id.uuidString)
                return PageAnswer.redirect(to: address.path)
            }
        }
        do {
            let draft = try await form(posted, visit).checked(visit)
            if wanted == .activate,
                try await campaigns.outlook(of: draft, for: visit.member).isBlocked
            {
                let address = ConsolePath.reviewDraft(.campaign, kept.id.uuidString)
                return PageAnswer.redirect(to: address.path)
            }
            return try await save(draft, kept, posted, visit, thenActivate: wanted == .activate)
        } catch let rejected as CampaignRejected {
            return try await wizard(kept, posted, visit, faults: rejected.faults)
        }
    }

    private func save(
        _ draft: CampaignDraft,
        _ kept: FormDraft,
        _ fields: FormFields,
        _ visit: Visit,
        thenActivate: Bool
    ) async throws -> Response {
        let known = Int64(kept.subject)
        let id: Int64
        do {
            id = try await campaigns.saveCampaign(
                draft,
                id: known,
                from: desk.origin(of: kept, fields),
                for: visit.member
            )
        } catch let finished as DraftFinished {
            return PageAnswer.redirect(to: ConsolePath.campaign(finished.outcome).path)
        } catch let error as StoreError where error.code == .changed {
            let current = try await campaigns.campaignSketch(id: known ?? 0, for: visit.member)
            return try await site.campaignPage(
                form(fields, visit),
                visit,
                frame: desk.frame(kept, version: current?.row.changedAt, isConflict: true, visit)
            )
        }
        try await site.record(.campaignSaved, "#\(id)", detail: draft.name, visit)
        let path = ConsolePath.campaign(String(id))
        guard thenActivate else {
            return PageAnswer.redirect(to: Notice.campaignSaved.address(path))
        }
        let isActive = try await campaigns.perform(.activate, onCampaign: id, for: visit.member)
        if isActive {
            try await site.record(.campaignActivated, "#\(id)", detail: draft.name, visit)
        }
        let notice: Notice = isActive ? .campaignActivated : .campaignSaved
        return PageAnswer.redirect(to: notice.address(path))
    }

    // MARK: What is stored

    private func review(_ sketch: CampaignSketch, _ visit: Visit) async throws -> Response {
        let id = String(sketch.row.id)
        guard sketch.row.phase.steps.contains(.activate) else {
            return PageAnswer.redirect(to: ConsolePath.campaign(id).path)
        }
        do {
            let look = try await look(at: sketch.draft, visit)
            return try page(
                CampaignReviewPage(
                    look.draft,
                    previews: look.previews,
                    outlook: look.outlook,
                    from: .stored(sketch.row),
                    visit: visit
                ),
                visit
            )
        } catch let rejected as CampaignRejected {
            return try await editor(sketch, faults: rejected.faults, visit)
        }
    }

    private func editor(
        _ sketch: CampaignSketch,
        faults: [FormFault],
        _ visit: Visit
    ) async throws -> Response {
        try await site.campaignPage(
            CampaignForm(sketch.draft, visit: visit),
            visit,
            frame: desk.frame(
                desk.new(subject: String(sketch.row.id), visit),
                version: sketch.row.changedAt,
                visit
            ),
            faults: faults
        )
    }

    /// Lets begin what was reviewed, once: a campaign that was changed since is reviewed again.
    private func activate(_ sketch: CampaignSketch, _ visit: Visit) async throws -> Response {
        let id = sketch.row.id
        let path = ConsolePath.campaign(String(id))
        guard let seen = Int64(visit.form["version"]) else {
            return PageAnswer.redirect(to: ConsolePath.activateCampaign(String(id)).path)
        }
        let version = Date(milliseconds: seen)
        do {
            if try await campaigns.outlook(of: sketch.draft, for: visit.member).isBlocked {
                return PageAnswer.redirect(to: ConsolePath.activateCampaign(String(id)).path)
            }
            if try await campaigns.activate(id, version: version, for: visit.member) {
                try await site.record(.campaignActivated, "#\(id)", detail: sketch.row.name, visit)
                return PageAnswer.redirect(to: Notice.campaignActivated.address(path))
            }
        } catch let rejected as CampaignRejected {
            return try await editor(sketch, faults: rejected.faults, visit)
        }
        // Posted again: it has begun, and may even have ended.
        if !sketch.row.phase.steps.contains(.activate)
            || sketch.row.activatedAt.map({ $0 > version }) == true
        {
            return PageAnswer.redirect(to: path.path)
        }
        return PageAnswer.redirect(
            to: Notice.draftChanged.address(.activateCampaign(String(id)))
        )
    }
}
