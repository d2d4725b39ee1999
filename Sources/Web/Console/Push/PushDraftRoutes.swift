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
            use: gate.member(.marketer) { visit, parameters in
                try await open(visit, parameters) { draft, form in
                    try await site.composerPage(form, visit, draft: draft)
                }
            }
        )
        router.post(
            RouterPath(ConsolePath.reviewPush.path),
            use: gate.member(.marketer) { visit, _ in
                let form = try await named(PushForm(fields: visit.form), visit)
                let kept = try await keep(form, visit)
                if let outcome = kept.outcome {
                    return HTMLResponse.redirect(to: ConsolePath.push(outcome).path)
                }
                do {
                    _ = try await checked(form, visit)
                } catch let rejected as FormRejected {
                    return try await site.composerPage(
                        form,
                        visit,
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
            use: gate.member(.marketer) { visit, parameters in
                try await open(visit, parameters) { draft, form in
                    try await review(form, draft, visit)
                }
            }
        )
        router.post(
            RouterPath(ConsolePath.sendPush.path),
            use: gate.member(.marketer) { visit, _ in try await send(visit) }
        )
    }

    // MARK: Drafts

    /// Shows a stored draft, or its push if it was sent.
    private func open(
        _ visit: Visit,
        _ parameters: Parameters,
        _ show: (FormDraft, PushForm) async throws -> Response
    ) async throws -> Response {
        try await desk.open(visit, parameters) { draft, fields in
            var form = PushForm(fields: fields)
            form.draft = draft.id
            return try await show(draft, try await named(form, visit))
        }
    }

    private func keep(_ form: PushForm, _ visit: Visit) async throws -> FormDraft {
        var draft = desk.posted(visit)
        draft.id = form.draft
        draft.subject = form.editing
        return try await desk.keep(draft, visit)
    }

    private func named(_ form: PushForm, _ visit: Visit) async throws -> PushForm {
        try await site.withSegmentName(form, visit)
    }

    // MARK: Review

    private struct Checked {
        let content: SendContent
        let preview: MessagePreview
        let outlook: SendOutlook
    }

    /// - Throws: ``FormRejected``.
    private func checked(_ form: PushForm, _ visit: Visit) async throws -> Checked {
        try form.checked(visit)
        let content = try await site.content(of: form, visit)
        return Checked(
            content: content,
            preview: try await site.preview(content, for: form.previewUser, visit),
            outlook: try await outlook(of: content, form, visit)
        )
    }

    private func outlook(
        of content: SendContent,
        _ form: PushForm,
        _ visit: Visit
    ) async throws -> SendOutlook {
        try await ConsoleRenderer.naming(visit) {
            try await site.services.review.outlook(
                of: SendReview.Request(content, startsAt: form.moment(in: visit.zone)),
                in: visit.workspace
            )
        }
    }

    /// The review, or the composer with the errors.
    private func review(
        _ form: PushForm,
        _ draft: FormDraft,
        _ visit: Visit
    ) async throws -> Response {
        do {
            let checked = try await checked(form, visit)
            return try site.page(
                "push-review",
                PushReviewPage(
                    form: form,
                    draft: draft,
                    audience: try await site.services.choices.choice(of: checked.content.audience),
                    preview: checked.preview.message,
                    outlook: checked.outlook,
                    visit: visit
                ),
                title: visit.words("review.title"),
                place: .push,
                visit: visit
            )
        } catch let rejected as FormRejected {
            return try await site.composerPage(
                form,
                visit,
                draft: draft,
                faults: rejected.faults
            )
        }
    }

    // MARK: Sending

    /// Sends exactly the reviewed content, once.
    private func send(_ visit: Visit) async throws -> Response {
        let form = try await named(PushForm(fields: visit.form), visit)
        var kept: FormDraft?
        if let known = try await desk.known(visit) {
            if let outcome = known.outcome {
                return HTMLResponse.redirect(to: ConsolePath.push(outcome).path)
            }
            guard known.written == DraftDesk.written(in: visit.form) else {
                // The draft was changed, perhaps in another window.
                return redirect(
                    to: .reviewDraft(.push, known.id.uuidString),
                    notice: .draftChanged
                )
            }
            kept = known
        } else {
            // The draft was discarded, or never stored: the posted content is complete.
            kept = try await keep(form, visit)
        }
        do {
            try form.checked(visit)
            let content = try await site.content(of: form, visit)
            if try await outlook(of: content, form, visit).isBlocked {
                return HTMLResponse.redirect(
                    to: ConsolePath.reviewDraft(.push, form.draft.uuidString).path
                )
            }
            if let number = Int64(form.editing) {
                return try await change(SendID(number), to: content, form, visit)
            }
            let moment = form.moment(in: visit.zone)
            let sent = try await ConsoleRenderer.naming(visit) {
                try await site.services.composer.send(
                    content,
                    ofDraft: form.draft,
                    by: visit.actor,
                    at: moment
                )
            }
            guard let sent, let send = try await site.services.sends.send(sent, in: visit.workspace)
            else { throw PageProblem.notFound }
            // A push that can be taken back shows its own notice.
            if send.content.heldUntil != nil {
                return HTMLResponse.redirect(to: ConsolePath.push(sent.rawValue).path)
            }
            return redirect(
                to: .push(sent.rawValue),
                notice: moment == nil ? .pushSent : .pushScheduled
            )
        } catch let rejected as FormRejected {
            return try await site.composerPage(
                form,
                visit,
                draft: kept,
                faults: rejected.faults
            )
        }
    }

    private func change(
        _ id: SendID,
        to content: SendContent,
        _ form: PushForm,
        _ visit: Visit
    ) async throws -> Response {
        // A push launched by a campaign can only be changed through the campaign.
        guard let send = try await site.services.sends.send(id, in: visit.workspace),
            send.state == .scheduled, send.content.launch == nil
        else { return redirect(to: .push(id.rawValue), notice: .pushMoved) }
        var content = content
        var moment = form.moment(in: visit.zone) ?? visit.now
        // The form shows whole minutes: an unchanged value keeps the seconds.
        if Int64(moment.timeIntervalSince1970 / 60)
            == Int64(send.scheduledAt.timeIntervalSince1970 / 60)
        {
            moment = send.scheduledAt
        } else {
            content.localMoment = nil
        }
        let (changed, time) = (content, moment)
        let isChanged = try await ConsoleRenderer.naming(visit) {
            try await site.services.composer.update(
                send,
                to: changed,
                at: time,
                ofDraft: form.draft,
                by: visit.actor
            )
        }
        return redirect(to: .push(id.rawValue), notice: isChanged ? .pushChanged : .pushMoved)
    }

    private func redirect(to path: ConsolePath, notice: FlashMessage) -> Response {
        HTMLResponse.redirect(to: notice.address(path))
    }
}
