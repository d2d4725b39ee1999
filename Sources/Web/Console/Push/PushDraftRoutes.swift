import Foundation
import Hummingbird
import Model
import WebPages

/// What is written and not sent: every step has an address of its own, so that a reload, another
/// language or a new session finds it again, and it is sent once, however often that is asked.
struct PushDraftRoutes: Sendable {
    private let site: ConsoleSite
    private let gate: Gate
    private let desk: DraftDesk

    init(site: ConsoleSite) {
        self.site = site
        gate = Gate(site: site)
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
                    return PageAnswer.redirect(to: ConsolePath.push(outcome).path)
                }
                if case .failure(let rejected) = try await checked(form, visit) {
                    return try await site.composerPage(
                        form,
                        visit,
                        draft: kept,
                        faults: rejected.faults
                    )
                }
                let review = ConsolePath.reviewDraft(.push, kept.id.uuidString)
                return PageAnswer.redirect(
                    to: kept.id == form.draft ? review.path : Notice.draftCopied.address(review)
                )
            }
        )
        // Where a browser without scripts goes back to from a form with mistakes.
        router.get(
            RouterPath(ConsolePath.reviewPush.path),
            use: gate.member(.marketer) { _, _ in
                PageAnswer.redirect(to: ConsolePath.pushHistory.path)
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

    /// Shows what was kept; the push itself, once it was sent.
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
        var draft = desk.posted(
            FormFields(form.fields),
            title: form.title.isEmpty ? form.message : form.title,
            visit
        )
        draft.id = form.draft
        draft.subject = form.editing
        return try await desk.keep(draft, visit)
    }

    private func named(_ form: PushForm, _ visit: Visit) async throws -> PushForm {
        try await site.withSegmentName(form, visit)
    }

    // MARK: Review

    private struct Checked {
        let draft: PushDraft
        let preview: PushPreview
        let outlook: SendOutlook
    }

    private func checked(
        _ form: PushForm,
        _ visit: Visit
    ) async throws -> Result<Checked, PushDraftRejected> {
        do {
            let draft = try form.checked(visit).get()
            let preview = try await site.services.preview(draft, for: visit.member)
            guard preview.faults.isEmpty else {
                throw PushDraftRejected(faults: preview.faults)
            }
            guard preview.payloadBytes <= PushPreview.payloadLimit else {
                let text = visit.words(
                    "fault.payload",
                    [
                        "bytes": visit.words.number(preview.payloadBytes),
                        "limit": visit.words.number(PushPreview.payloadLimit),
                    ]
                )
                throw PushDraftRejected(faults: [FieldFault(field: .message, text: text)])
            }
            let outlook = try await site.services.outlook(of: draft, for: visit.member)
            return .success(Checked(draft: draft, preview: preview, outlook: outlook))
        } catch let rejected as PushDraftRejected {
            return .failure(rejected)
        }
    }

    /// The review, or the composer with what has to be changed first.
    private func review(
        _ form: PushForm,
        _ draft: FormDraft,
        _ visit: Visit
    ) async throws -> Response {
        switch try await checked(form, visit) {
        case .failure(let rejected):
            return try await site.composerPage(
                form,
                visit,
                draft: draft,
                faults: rejected.faults
            )
        case .success(let checked):
            return try site.page(
                "push-review",
                PushReviewPage(
                    form: form,
                    draft: checked.draft,
                    preview: checked.preview,
                    outlook: checked.outlook,
                    visit: visit
                ),
                title: visit.words("review.title"),
                place: .push,
                visit: visit
            )
        }
    }

    // MARK: Sending

    /// Sends what was reviewed: exactly that, and once.
    private func send(_ visit: Visit) async throws -> Response {
        let form = try await named(PushForm(fields: visit.form), visit)
        var kept: FormDraft?
        if let known = try await desk.known(visit) {
            if let outcome = known.outcome {
                return PageAnswer.redirect(to: ConsolePath.push(outcome).path)
            }
            var current = PushForm(fields: FormFields(urlEncoded: known.fields))
            current.draft = known.id
            guard FormFields(current.fields) == FormFields(form.fields) else {
                // Somebody, in another window perhaps, has written on.
                return redirect(
                    to: .reviewDraft(.push, known.id.uuidString),
                    notice: .draftChanged
                )
            }
            kept = known
        } else {
            // It was discarded, or never kept: what is posted is complete.
            kept = try await keep(form, visit)
        }
        do {
            let draft = try form.checked(visit).get()
            if try await site.services.outlook(of: draft, for: visit.member).isBlocked {
                return PageAnswer.redirect(
                    to: ConsolePath.reviewDraft(.push, form.draft.uuidString).path
                )
            }
            if let number = Int64(form.editing) {
                return try await change(number, to: draft, form, visit)
            }
            guard
                let number = try await site.services.send(
                    draft,
                    keptAs: form.draft,
                    for: visit.member
                )
            else { throw PageProblem.notFound }
            try await site.record(
                draft.deliverAt == nil ? .pushSent : .pushScheduled,
                "#\(number)",
                detail: draft.title.isEmpty ? draft.message : draft.title,
                visit
            )
            // One that can be taken back says so itself.
            let sent = try await site.services.push(number: number, for: visit.member)
            if sent?.summary.heldUntil != nil {
                return PageAnswer.redirect(to: ConsolePath.push(number).path)
            }
            return redirect(
                to: .push(number),
                notice: draft.deliverAt == nil ? .pushSent : .pushScheduled
            )
        } catch let rejected as PushDraftRejected {
            return try await site.composerPage(
                form,
                visit,
                draft: kept,
                faults: rejected.faults
            )
        }
    }

    private func change(
        _ number: Int64,
        to draft: PushDraft,
        _ form: PushForm,
        _ visit: Visit
    ) async throws -> Response {
        let isChanged = try await site.services.updatePush(
            number: number,
            to: draft,
            keptAs: form.draft,
            for: visit.member
        )
        if isChanged { try await site.record(.pushChanged, "#\(number)", visit) }
        return redirect(to: .push(number), notice: isChanged ? .pushChanged : .pushMoved)
    }

    private func redirect(to path: ConsolePath, notice: Notice) -> Response {
        PageAnswer.redirect(to: notice.address(path))
    }
}
