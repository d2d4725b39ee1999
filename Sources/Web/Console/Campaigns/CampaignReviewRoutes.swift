import Audience
import Campaigns
import Foundation
import Hummingbird
import Model
import Sends
import WebPages

/// The review before a campaign is saved or activated. A campaign is activated only by the form of
/// its review, once, and only in the reviewed version.
struct CampaignReviewRoutes: Sendable {
    private static let shownRuns = 3

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
        router.post(
            RouterPath(ConsolePath.reviewCampaign.path),
            use: gate.member(.marketer) { context, _ in try await keepAndReview(context) }
        )
        // The address to which a browser without scripts returns from a form with errors.
        router.get(
            RouterPath(ConsolePath.reviewCampaign.path),
            use: gate.member(.marketer) { _, _ in
                HTMLResponse.redirect(to: ConsolePath.campaigns.path)
            }
        )
        router.get(
            RouterPath(ConsolePath.reviewDraft(.campaign, ":id").path),
            use: gate.member(.marketer) { context, parameters in
                try await desk.open(context, parameters) { draft, fields in
                    try await review(draft, fields, context)
                }
            }
        )
        router.post(
            RouterPath(ConsolePath.saveCampaign.path),
            use: gate.member(.marketer) { context, _ in try await save(context) }
        )
        router.get(
            RouterPath(ConsolePath.activateCampaign(":campaign").path),
            use: gate.member(.marketer) { context, parameters in
                try await review(found(context, parameters), context)
            }
        )
        router.post(
            RouterPath(ConsolePath.activateCampaign(":campaign").path),
            use: gate.member(.marketer) { context, parameters in
                try await activate(found(context, parameters), context)
            }
        )
    }

    private func found(_ context: ConsoleContext, _ parameters: Parameters) async throws -> Campaign
    {
        guard let campaign = try await site.campaign(parameters.get("campaign"), context) else {
            throw PageError.notFound
        }
        return campaign
    }

    // MARK: What is written

    /// A form, with the name of the selected segment.
    private func form(_ fields: FormFields, _ context: ConsoleContext) async throws -> CampaignForm
    {
        var form = CampaignForm(fields: fields)
        form.push = try await site.withSegmentName(form.push, context)
        return form
    }

    /// The content of a form for an existing or new campaign.
    ///
    /// - Throws: ``FormError``.
    private func content(
        of form: CampaignForm,
        changing known: Campaign?,
        _ context: ConsoleContext
    ) async throws -> CampaignContent {
        var content = try form.content(changing: known?.content, context)
        let choices = site.services.choices
        if let known,
            form.push.audience.stillSays(try await choices.choice(of: known.content.audience))
        {
            return content
        }
        content.audience = try await naming(context) {
            try await choices.audience(form.push.audience.choice, in: context.workspace)
        }
        return content
    }

    /// Maps errors of the services to the wizard's fields.
    ///
    /// - Throws: ``FormError`` and whatever else the work throws.
    private func naming<Value>(
        _ context: ConsoleContext,
        _ work: () async throws -> Value
    ) async throws -> Value {
        try await FormError.naming(context.words, CampaignForm.name, work)
    }

    private func keepAndReview(_ context: ConsoleContext) async throws -> Response {
        let kept = try await desk.keep(context)
        if let outcome = kept.outcome {
            return HTMLResponse.redirect(to: ConsolePath.campaign(outcome).path)
        }
        let fields = kept.written
        do {
            let form = try await form(fields, context)
            let known = try await site.campaign(kept.subject, context)
            let content = try await content(of: form, changing: known, context)
            _ = try await look(at: content, for: form.push.previewUser, context)
        } catch let rejected as FormError {
            return try await wizard(kept, fields, context, faults: rejected.faults)
        }
        let address = ConsolePath.reviewDraft(.campaign, kept.id.uuidString)
        let isSame = UUID(uuidString: context.form["draft"]).map { $0 == kept.id } ?? true
        return HTMLResponse.redirect(
            to: isSame ? address.path : FlashMessage.draftCopied.address(address)
        )
    }

    private func wizard(
        _ draft: FormDraft,
        _ fields: FormFields,
        _ context: ConsoleContext,
        faults: [FormFieldError]
    ) async throws -> Response {
        try await site.campaignPage(
            form(fields, context),
            context,
            frame: desk.frame(draft, fields, context),
            faults: faults
        )
    }

    private struct Look {
        let previews: [PushMessage]
        let outlook: SendOutlook
    }

    /// - Throws: ``FormError``.
    private func look(
        at content: CampaignContent,
        for user: String,
        _ context: ConsoleContext
    ) async throws -> Look {
        var previews: [PushMessage] = []
        var faults: [FormFieldError] = []
        for (number, variant) in content.variants.enumerated() {
            let message = variant.message.common
            let preview = try await site.services.review.preview(
                of: SendContent(
                    message: message.message,
                    audience: content.audience,
                    options: message.options
                ),
                for: user,
                in: context.workspace
            )
            previews.append(preview.message)
            let name = { (path: FieldPath) in "v\(number)." + PushForm.name(of: path) }
            faults += preview.problems.map { FormFieldError($0, at: name, context.words) }
        }
        guard faults.isEmpty else { throw FormError(faults: faults) }
        return Look(previews: previews, outlook: try await outlook(of: content, context))
    }

    /// The expected result if it started now.
    private func outlook(
        of content: CampaignContent,
        _ context: ConsoleContext
    ) async throws -> SendOutlook {
        try await naming(context) {
            try await site.services.review.outlook(
                of: SendReview.Request(
                    content,
                    runs: campaigns.nextRuns(of: content, limit: Self.shownRuns)
                ),
                in: context.workspace
            )
        }
    }

    private func page(
        _ content: CampaignContent,
        _ look: Look,
        from origin: CampaignReviewPage.Origin,
        _ context: ConsoleContext
    ) async throws -> Response {
        try site.page(
            "campaign-review",
            CampaignReviewPage(
                content,
                audience: try await site.services.choices.choice(of: content.audience),
                previews: look.previews,
                outlook: look.outlook,
                from: origin,
                context: context
            ),
            title: context.words("review.title"),
            place: .campaigns,
            context: context
        )
    }

    private func review(
        _ draft: FormDraft,
        _ fields: FormFields,
        _ context: ConsoleContext
    ) async throws -> Response {
        do {
            let form = try await form(fields, context)
            let known = try await site.campaign(draft.subject, context)
            let content = try await content(of: form, changing: known, context)
            return try await page(
                content,
                look(at: content, for: form.push.previewUser, context),
                from: .draft(draft, fields, state: known?.state),
                context
            )
        } catch let rejected as FormError {
            return try await wizard(draft, fields, context, faults: rejected.faults)
        }
    }

    /// Saves the reviewed content, once, and activates it if requested.
    private func save(_ context: ConsoleContext) async throws -> Response {
        let wanted = CampaignStep(rawValue: context.form["step"])
        let posted = DraftDesk.written(in: context.form)
        let kept: FormDraft
        if let known = try await desk.known(context) {
            if let outcome = known.outcome {
                return HTMLResponse.redirect(to: ConsolePath.campaign(outcome).path)
            }
            let address = ConsolePath.reviewDraft(.campaign, known.id.uuidString)
            guard known.written == posted else {
                return HTMLResponse.redirect(to: FlashMessage.draftChanged.address(address))
            }
            kept = known
        } else {
            // The draft was discarded, or never stored: the posted content is complete, but was not
            // reviewed.
            kept = try await desk.keep(context)
            if wanted == .activate {
                let address = ConsolePath.reviewDraft(.campaign, kept.id.uuidString)
                return HTMLResponse.redirect(to: address.path)
            }
        }
        do {
            let known = try await site.campaign(kept.subject, context)
            let content = try await content(of: form(posted, context), changing: known, context)
            if wanted == .activate, try await outlook(of: content, context).isBlocked {
                let address = ConsolePath.reviewDraft(.campaign, kept.id.uuidString)
                return HTMLResponse.redirect(to: address.path)
            }
            return try await save(
                content,
                changing: known,
                kept,
                posted,
                context,
                thenActivate: wanted == .activate
            )
        } catch let rejected as FormError {
            return try await wizard(kept, posted, context, faults: rejected.faults)
        }
    }

    private func save(
        _ content: CampaignContent,
        changing known: Campaign?,
        _ kept: FormDraft,
        _ fields: FormFields,
        _ context: ConsoleContext,
        thenActivate: Bool
    ) async throws -> Response {
        let id: CampaignID
        do {
            id = try await naming(context) {
                let origin = desk.origin(of: kept, fields)
                guard let known else {
                    return try await campaigns.create(content, by: context.actor, from: origin).id
                }
                try await campaigns.update(known, to: content, by: context.actor, from: origin)
                return known.id
            }
        } catch let refusal as RefusalError {
            throw FormError(
                faults: [FormFieldError(field: "", text: context.words(refusal.reason))]
            )
        } catch let finished as DraftFinishedError {
            return HTMLResponse.redirect(to: ConsolePath.campaign(finished.outcome).path)
        } catch let error as StoreError where error.code == .changed {
            let current = try await site.campaign(kept.subject, context)
            return try await site.campaignPage(
                form(fields, context),
                context,
                frame: desk.frame(kept, version: current?.updatedAt, isConflict: true, context)
            )
        }
        let path = ConsolePath.campaign("\(id)")
        guard thenActivate,
            let saved = try await campaigns.campaign(id, in: context.workspace)
        else { return HTMLResponse.redirect(to: FlashMessage.campaignSaved.address(path)) }
        do {
            try await naming(context) {
                try await campaigns.take(.activate, with: saved, by: context.actor)
            }
            return HTMLResponse.redirect(to: FlashMessage.campaignActivated.address(path))
        } catch is RefusalError {
            return HTMLResponse.redirect(to: FlashMessage.campaignSaved.address(path))
        }
    }

    // MARK: What is stored

    private func review(_ campaign: Campaign, _ context: ConsoleContext) async throws -> Response {
        guard campaign.state.steps.contains(.activate) else {
            return HTMLResponse.redirect(to: ConsolePath.campaign("\(campaign.id)").path)
        }
        do {
            return try await page(
                campaign.content,
                look(at: campaign.content, for: "", context),
                from: .stored(campaign),
                context
            )
        } catch let rejected as FormError {
            return try await editor(campaign, faults: rejected.faults, context)
        }
    }

    private func editor(
        _ campaign: Campaign,
        faults: [FormFieldError],
        _ context: ConsoleContext
    ) async throws -> Response {
        let audience = try await site.services.choices.choice(of: campaign.content.audience)
        return try await site.campaignPage(
            CampaignForm(campaign.content, audience: audience),
            context,
            frame: desk.frame(
                desk.new(subject: "\(campaign.id)", context),
                version: campaign.updatedAt,
                context
            ),
            faults: faults
        )
    }

    /// Activates the reviewed campaign, once; one that has changed since is reviewed again.
    private func activate(_ campaign: Campaign, _ context: ConsoleContext) async throws -> Response
    {
        let path = ConsolePath.campaign("\(campaign.id)")
        let review = ConsolePath.activateCampaign("\(campaign.id)")
        guard let seen = Int64(context.form["version"]) else {
            return HTMLResponse.redirect(to: review.path)
        }
        let version = Date(milliseconds: seen)
        do {
            if try await outlook(of: campaign.content, context).isBlocked {
                return HTMLResponse.redirect(to: review.path)
            }
            try await naming(context) {
                try await campaigns.take(
                    .activate,
                    with: campaign,
                    by: context.actor,
                    version: version
                )
            }
            return HTMLResponse.redirect(to: FlashMessage.campaignActivated.address(path))
        } catch let rejected as FormError {
            return try await editor(campaign, faults: rejected.faults, context)
        } catch is RefusalError {
            // Posted again: it has begun, and may even have ended.
            let hasBegun =
                !campaign.state.steps.contains(.activate)
                || campaign.activatedAt.map { $0 > version } == true
            return HTMLResponse.redirect(
                to: hasBegun ? path.path : FlashMessage.draftChanged.address(review)
            )
        }
    }
}
