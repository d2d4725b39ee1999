import Audience
import Campaigns
import Foundation
import Hummingbird
import Model
import Sends
import WebPages

/// Unsent pushes: every step has its own address, which survives a reload, a change of language and
/// a new session, and a draft is sent only once, however often that is requested.
struct PushDraftRoutes: Sendable {
    private let site: ConsoleRenderer
    private let gate: ConsoleAuthenticator
    private let desk: DraftDesk

    init(site: ConsoleRenderer) {
        self.site = site
        gate = ConsoleAuthenticator(site: site)
        desk = DraftDesk(site: site, kind: .push)
    }

    func add<Context: RequestContext>(to router: some RouterMethods<Context>) {
        desk.add(to: router)
        router.get(
            RouterPath(ConsolePath.draft(.push, ":id").path),
            use: gate.member(.marketer) { context, parameters in
                try await open(context, parameters) { draft, form in
                    try await site.composerPage(form, context, draft: draft)
                }
            }
        )
        router.post(
            RouterPath(ConsolePath.reviewPush.path),
            use: gate.member(.marketer) { context, _ in
                let form = try await named(PushForm(fields: context.form), context)
                let kept = try await keep(form, context)
                if let outcome = kept.outcome {
                    return HTMLResponse.redirect(to: ConsolePath.push(outcome).path)
                }
                do {
                    _ = try await checked(form, context)
                } catch let rejected as FormError {
                    return try await site.composerPage(
                        form,
                        context,
                        draft: kept,
                        faults: rejected.faults
                    )
                }
                let review = ConsolePath.reviewDraft(.push, kept.id.uuidString)
                return HTMLResponse.redirect(
                    to: kept.id == form.draft
                        ? review.path : FlashMessage.draftCopied.address(review)
                )
            }
        )
        // The address to which a browser without scripts returns from a form with errors.
        router.get(
            RouterPath(ConsolePath.reviewPush.path),
            use: gate.member(.marketer) { _, _ in
                HTMLResponse.redirect(to: ConsolePath.pushHistory.path)
            }
        )
        router.get(
            RouterPath(ConsolePath.reviewDraft(.push, ":id").path),
            use: gate.member(.marketer) { context, parameters in
                try await open(context, parameters) { draft, form in
                    try await review(form, draft, context)
                }
            }
        )
        router.post(
            RouterPath(ConsolePath.sendPush.path),
            use: gate.member(.marketer) { context, _ in try await send(context) }
        )
    }

    // MARK: Drafts

    /// Shows a stored draft, or its push if it was sent.
    private func open(
        _ context: ConsoleContext,
        _ parameters: Parameters,
        _ show: (FormDraft, PushForm) async throws -> Response
    ) async throws -> Response {
        try await desk.open(context, parameters) { draft, fields in
            var form = PushForm(fields: fields)
            form.draft = draft.id
            return try await show(draft, try await named(form, context))
        }
    }

    private func keep(_ form: PushForm, _ context: ConsoleContext) async throws -> FormDraft {
        var draft = desk.posted(context)
        draft.id = form.draft
        draft.subject = form.editing
        return try await desk.keep(draft, context)
    }

    private func named(_ form: PushForm, _ context: ConsoleContext) async throws -> PushForm {
        try await site.withSegmentName(form, context)
    }

    // MARK: Review

    private struct Checked {
        let content: SendContent
        let preview: MessagePreview
        let outlook: SendOutlook
    }

    /// - Throws: ``FormError``.
    private func checked(_ form: PushForm, _ context: ConsoleContext) async throws -> Checked {
        try form.checked(context)
        let content = try await site.content(of: form, context)
        return Checked(
            content: content,
            preview: try await site.preview(content, for: form.previewUser, context),
            outlook: try await outlook(of: content, form, context)
        )
    }

    private func outlook(
        of content: SendContent,
        _ form: PushForm,
        _ context: ConsoleContext
    ) async throws -> SendOutlook {
        try await ConsoleRenderer.naming(context) {
            try await site.services.review.outlook(
                of: SendReview.Request(content, startsAt: form.moment(in: context.zone)),
                in: context.workspace
            )
        }
    }

    /// The review, or the composer with the errors.
    private func review(
        _ form: PushForm,
        _ draft: FormDraft,
        _ context: ConsoleContext
    ) async throws -> Response {
        do {
            let checked = try await checked(form, context)
            return try site.page(
                "push-review",
                PushReviewPage(
                    form: form,
                    draft: draft,
                    audience: try await site.services.choices.choice(of: checked.content.audience),
                    preview: checked.preview.message,
                    outlook: checked.outlook,
                    context: context
                ),
                title: context.words("review.title"),
                place: .push,
                context: context
            )
        } catch let rejected as FormError {
            return try await site.composerPage(
                form,
                context,
                draft: draft,
                faults: rejected.faults
            )
        }
    }

    // MARK: Sending

    /// Sends exactly the reviewed content, once.
    private func send(_ context: ConsoleContext) async throws -> Response {
        let form = try await named(PushForm(fields: context.form), context)
        var kept: FormDraft?
        if let known = try await desk.known(context) {
            if let outcome = known.outcome {
                return HTMLResponse.redirect(to: ConsolePath.push(outcome).path)
            }
            guard known.written == DraftDesk.written(in: context.form) else {
                // The draft was changed, perhaps in another window.
                return redirect(
                    to: .reviewDraft(.push, known.id.uuidString),
                    notice: .draftChanged
                )
            }
            kept = known
        } else {
            // The draft was discarded, or never stored: the posted content is complete.
            kept = try await keep(form, context)
        }
        do {
            try form.checked(context)
            let content = try await site.content(of: form, context)
            if try await outlook(of: content, form, context).isBlocked {
                return HTMLResponse.redirect(
                    to: ConsolePath.reviewDraft(.push, form.draft.uuidString).path
                )
            }
            if let number = Int64(form.editing) {
                return try await change(SendID(number), to: content, form, context)
            }
            let moment = form.moment(in: context.zone)
            let sent = try await ConsoleRenderer.naming(context) {
                try await site.services.composer.send(
                    content,
                    ofDraft: form.draft,
                    by: context.actor,
                    at: moment
                )
            }
            guard let sent,
                let send = try await site.services.sends.send(sent, in: context.workspace)
            else { throw PageError.notFound }
            // A push that can be taken back shows its own notice.
            if send.content.heldUntil != nil {
                return HTMLResponse.redirect(to: ConsolePath.push(sent.rawValue).path)
            }
            return redirect(
                to: .push(sent.rawValue),
                notice: moment == nil ? .pushSent : .pushScheduled
            )
        } catch let rejected as FormError {
            return try await site.composerPage(
                form,
                context,
                draft: kept,
                faults: rejected.faults
            )
        }
    }

    private func change(
        _ id: SendID,
        to content: SendContent,
        _ form: PushForm,
        _ context: ConsoleContext
    ) async throws -> Response {
        // A push launched by a campaign can only be changed through the campaign.
        guard let send = try await site.services.sends.send(id, in: context.workspace),
            send.state == .scheduled, send.content.launch == nil
        else { return redirect(to: .push(id.rawValue), notice: .pushMoved) }
        var content = content
        var moment = form.moment(in: context.zone) ?? context.now
        // The form shows whole minutes: an unchanged value keeps the seconds.
        if Int64(moment.timeIntervalSince1970 / 60)
            == Int64(send.scheduledAt.timeIntervalSince1970 / 60)
        {
            moment = send.scheduledAt
        } else {
            content.localMoment = nil
        }
        let (changed, time) = (content, moment)
        let isChanged = try await ConsoleRenderer.naming(context) {
            try await site.services.composer.update(
                send,
                to: changed,
                at: time,
                ofDraft: form.draft,
                by: context.actor
            )
        }
        return redirect(to: .push(id.rawValue), notice: isChanged ? .pushChanged : .pushMoved)
    }

    private func redirect(to path: ConsolePath, notice: FlashMessage) -> Response {
        HTMLResponse.redirect(to: notice.address(path))
    }
}
