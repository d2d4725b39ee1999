import Foundation
import Hummingbird
import Model
import WebPages

/// What is written and not sent: every step has an address of its own, so that a reload, another
/// language or a new session finds it again, and it is sent once, however often that is asked.
struct PushDraftRoutes: Sendable {
    private let site: ConsoleSite
    private let gate: Gate

    init(site: ConsoleSite) {
        self.site = site
        gate = Gate(site: site)
    }

    func add<Context: RequestContext>(to router: some RouterMethods<Context>) {
        router.get(
            RouterPath(ConsolePath.pushDraft(":id").path),
            use: gate.member(.marketer) { visit, parameters in
                try await open(visit, parameters) { form in
                    try await site.composerPage(try await named(form, visit), visit)
                }
            }
        )
        router.post(
            RouterPath(ConsolePath.pushDraft(":id").path),
            use: gate.member(.marketer) { visit, _ in
                try await keep(PushForm(fields: visit.form), visit)
                let time = visit.words.clock(visit.now, in: visit.zone)
                let text = visit.words("draft.saved", ["time": time])
                return PageAnswer.json(try JSONEncoder().encode(["text": text]))
            }
        )
        router.post(
            RouterPath(ConsolePath.discardPushDraft(":id").path),
            use: gate.member(.marketer) { visit, parameters in
                let form = try await kept(visit, parameters)
                _ = try await site.services.discardForm(form.id, for: visit.member)
                return redirect(to: .pushHistory, notice: .draftDiscarded)
            }
        )
        router.post(
            RouterPath(ConsolePath.reviewPush.path),
            use: gate.member(.marketer) { visit, _ in
                let form = try await named(PushForm(fields: visit.form), visit)
                try await keep(form, visit)
                guard case .success = try await checked(form, visit) else {
                    return try await review(form, visit)
                }
                return PageAnswer.redirect(
                    to: ConsolePath.reviewPushDraft(form.draft.uuidString).path
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
            RouterPath(ConsolePath.reviewPushDraft(":id").path),
            use: gate.member(.marketer) { visit, parameters in
                try await open(visit, parameters) { form in
                    try await review(try await named(form, visit), visit)
                }
            }
        )
        router.post(
            RouterPath(ConsolePath.sendPush.path),
            use: gate.member(.marketer) { visit, _ in try await send(visit) }
        )
    }

    // MARK: Drafts

    private func kept(_ visit: Visit, _ parameters: Parameters) async throws -> KeptForm {
        guard let id = parameters.get("id").flatMap(UUID.init(uuidString:)),
            let kept = try await site.services.keptForm(id, for: visit.member)
        else { throw PageProblem.notFound }
        return kept
    }

    /// Shows what was kept; the push itself, once it was sent.
    private func open(
        _ visit: Visit,
        _ parameters: Parameters,
        _ show: (PushForm) async throws -> Response
    ) async throws -> Response {
        let kept = try await kept(visit, parameters)
        if let push = kept.push { return PageAnswer.redirect(to: ConsolePath.push(push).path) }
        var form = PushForm(fields: kept.fields)
        form.draft = kept.id
        return try await show(form)
    }

    private func keep(_ form: PushForm, _ visit: Visit) async throws {
        try await site.services.keep(
            KeptForm(
                id: form.draft,
                fields: FormFields(form.fields),
                title: form.title.isEmpty ? form.message : form.title,
                author: visit.member.name,
                updatedAt: visit.now
            ),
            for: visit.member
        )
    }

    private func named(_ form: PushForm, _ visit: Visit) async throws -> PushForm {
        try await site.withSegmentName(form, visit)
    }

    // MARK: Review

    private struct Checked {
        let draft: PushDraft
        let preview: PushPreview
        let reach: AudienceReach
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
            let reach = try await site.services.reach(of: draft, for: visit.member)
            return .success(Checked(draft: draft, preview: preview, reach: reach))
        } catch let rejected as PushDraftRejected {
            return .failure(rejected)
        }
    }

    /// The review, or the composer with what has to be changed first.
    private func review(_ form: PushForm, _ visit: Visit) async throws -> Response {
        switch try await checked(form, visit) {
        case .failure(let rejected):
            return try await site.composerPage(form, visit, faults: rejected.faults)
        case .success(let checked):
            return try site.page(
                "push-review",
                PushReviewPage(
                    form: form,
                    draft: checked.draft,
                    preview: checked.preview,
                    reach: checked.reach,
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
        if let kept = try await site.services.keptForm(form.draft, for: visit.member) {
            if let push = kept.push {
                return PageAnswer.redirect(to: ConsolePath.push(push).path)
            }
            var current = PushForm(fields: kept.fields)
            current.draft = kept.id
            guard FormFields(current.fields) == FormFields(form.fields) else {
                // Somebody, in another window perhaps, has written on.
                return redirect(
                    to: .reviewPushDraft(kept.id.uuidString),
                    notice: .draftChanged
                )
            }
        } else {
            // It was discarded, or never kept: what is posted is complete.
            try await keep(form, visit)
        }
        do {
            let draft = try form.checked(visit).get()
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
            return redirect(
                to: .push(number),
                notice: draft.deliverAt == nil ? .pushSent : .pushScheduled
            )
        } catch let rejected as PushDraftRejected {
            return try await site.composerPage(form, visit, faults: rejected.faults)
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
        return redirect(to: .push(number), notice: isChanged ? .pushChanged : .pushTooLate)
    }

    private func redirect(to path: ConsolePath, notice: Notice) -> Response {
        PageAnswer.redirect(to: notice.address(path))
    }
}
