import Foundation
import Hummingbird
import WebPages

/// The push pages: history, one push, and the composer with its review.
struct PushRoutes: Sendable {
    private let site: ConsoleSite
    private let gate: Gate

    init(site: ConsoleSite) {
        self.site = site
        gate = Gate(site: site)
    }

    func add<Context: RequestContext>(to router: some RouterMethods<Context>) {
        addHistory(to: router)
        addComposer(to: router)
        addAnswers(to: router)
    }

    private func addHistory<Context: RequestContext>(to router: some RouterMethods<Context>) {
        router.get(
            RouterPath(ConsolePath.exportPushes.path),
            use: gate.member { visit, _ in
                PushExport(services: site.services, query: visit.query).response(visit)
            }
        )
        router.get(
            RouterPath(ConsolePath.pushHistory.path),
            use: gate.member { visit, _ in try await history(visit) }
        )
        router.get(
            RouterPath(ConsolePath.push(":number").path),
            use: gate.member { visit, parameters in
                let detail = try await detail(visit, parameters)
                return try site.page(
                    "push-detail",
                    PushDetailPage(detail, hasWhy: site.features.why != nil, visit: visit),
                    title: visit.words("push.numbered", ["number": "\(detail.summary.number)"]),
                    place: .push,
                    visit: visit
                )
            }
        )
        router.post(
            RouterPath(ConsolePath.cancelPush(":number").path),
            use: gate.member(.marketer) { visit, parameters in
                let number = try await detail(visit, parameters).summary.number
                let isCancelled = try await site.services.cancelPush(
                    number: number,
                    for: visit.member
                )
                if isCancelled { try await site.record(.pushCancelled, "#\(number)", visit) }
                return redirect(
                    to: .push(number),
                    notice: isCancelled ? .pushCancelled : .pushTooLate
                )
            }
        )
        addSteps(to: router)
        router.get(
            RouterPath(ConsolePath.duplicatePush(":number").path),
            use: gate.member(.marketer) { visit, parameters in
                let detail = try await detail(visit, parameters)
                return try await composer(PushForm(copying: detail), visit)
            }
        )
    }

    /// Changing, pausing and resuming a push, and the list of its recipients.
    private func addSteps<Context: RequestContext>(to router: some RouterMethods<Context>) {
        router.get(
            RouterPath(ConsolePath.editPush(":number").path),
            use: gate.member(.marketer) { visit, parameters in
                let detail = try await detail(visit, parameters)
                if let campaign = detail.campaign {
                    return PageAnswer.redirect(to: ConsolePath.editCampaign("\(campaign)").path)
                }
                guard detail.summary.state == .scheduled else {
                    return redirect(to: .push(detail.summary.number), notice: .pushTooLate)
                }
                return try await composer(PushForm(changing: detail, zone: visit.zone), visit)
            }
        )
        router.post(
            RouterPath(ConsolePath.pausePush(":number").path),
            use: gate.member(.marketer) { visit, parameters in
                let number = try await detail(visit, parameters).summary.number
                let isPaused = try await site.services.pausePush(
                    number: number,
                    for: visit.member
                )
                if isPaused { try await site.record(.pushPaused, "#\(number)", visit) }
                return redirect(to: .push(number), notice: isPaused ? .pushPaused : .pushTooLate)
            }
        )
        router.post(
            RouterPath(ConsolePath.resumePush(":number").path),
            use: gate.member(.marketer) { visit, parameters in
                let number = try await detail(visit, parameters).summary.number
                let isResumed = try await site.services.resumePush(
                    number: number,
                    for: visit.member
                )
                if isResumed { try await site.record(.pushResumed, "#\(number)", visit) }
                return redirect(to: .push(number), notice: isResumed ? .pushResumed : .pushTooLate)
            }
        )
        router.get(
            RouterPath(ConsolePath.recipients(":number").path),
            use: gate.member { visit, parameters in
                let detail = try await detail(visit, parameters)
                var query = RecipientQuery(fields: visit.query)
                query.limit += 1
                let rows = try await site.services.recipients(
                    ofPush: detail.summary.number,
                    query,
                    for: visit.member
                )
                return try site.page(
                    "push-recipients",
                    RecipientsPage(rows, of: detail.summary, query: query, visit: visit),
                    title: visit.words("push.recipients"),
                    place: .push,
                    visit: visit
                )
            }
        )
        router.get(
            RouterPath(ConsolePath.exportRecipients(":number").path),
            use: gate.member { visit, parameters in
                let number = try await detail(visit, parameters).summary.number
                return RecipientExport(
                    services: site.services,
                    number: number,
                    query: RecipientQuery(fields: visit.query)
                ).response(visit)
            }
        )
    }

    private func addComposer<Context: RequestContext>(to router: some RouterMethods<Context>) {
        router.get(
            RouterPath(ConsolePath.newPush.path),
            use: gate.member(.marketer) { visit, _ in
                try await composer(PushForm(fields: visit.query, isNew: true), visit)
            }
        )
        router.post(
            RouterPath(ConsolePath.newPush.path),
            use: gate.member(.marketer) { visit, _ in
                try await composer(PushForm(fields: visit.form), visit)
            }
        )
        router.post(
            RouterPath(ConsolePath.reviewPush.path),
            use: gate.member(.marketer) { visit, _ in try await review(visit) }
        )
        router.post(
            RouterPath(ConsolePath.sendPush.path),
            use: gate.member(.marketer) { visit, _ in try await send(visit) }
        )
    }

    private func history(_ visit: Visit) async throws -> Response {
        let query = PushHistoryQuery(fields: visit.query)
        let history = try await site.services.pushHistory(query, for: visit.member)
        return try site.page(
            "push-history",
            PushHistoryPage(history, query: query, visit: visit),
            title: visit.words("push.history"),
            place: .push,
            visit: visit
        )
    }

    private func detail(_ visit: Visit, _ parameters: Parameters) async throws -> PushDetail {
        guard let number = parameters.get("number", as: Int64.self),
            let detail = try await site.services.push(number: number, for: visit.member)
        else { throw PageProblem.notFound }
        return detail
    }

    private func composer(
        _ form: PushForm,
        _ visit: Visit,
        faults: [FieldFault] = []
    ) async throws -> Response {
        let page = try await site.composer(form, faults: faults.map { FormFault($0) }, visit)
        return try site.page(
            "push-composer",
            page,
            title: visit.words("push.new"),
            place: .push,
            visit: visit,
            status: faults.isEmpty ? .ok : .unprocessableContent
        )
    }

    private func posted(_ visit: Visit) async throws -> PushForm {
        try await site.withSegmentName(PushForm(fields: visit.form), visit)
    }

    private func review(_ visit: Visit) async throws -> Response {
        let form = try await posted(visit)
        switch form.checked(visit) {
        case .failure(let rejected):
            return try await composer(form, visit, faults: rejected.faults)
        case .success(let draft):
            let preview = try await site.services.preview(draft, for: visit.member)
            guard preview.faults.isEmpty else {
                return try await composer(form, visit, faults: preview.faults)
            }
            let reach = try await site.services.reach(of: draft, for: visit.member)
            return try site.page(
                "push-review",
                PushReviewPage(
                    form: form,
                    draft: draft,
                    preview: preview,
                    reach: reach,
                    visit: visit
                ),
                title: visit.words("review.title"),
                place: .push,
                visit: visit
            )
        }
    }

    private func send(_ visit: Visit) async throws -> Response {
        let form = try await posted(visit)
        switch form.checked(visit) {
        case .failure(let rejected):
            return try await composer(form, visit, faults: rejected.faults)
        case .success(let draft):
            do {
                if let number = Int64(form.editing) {
                    return try await change(number, to: draft, visit)
                }
                let number = try await site.services.send(draft, for: visit.member)
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
                return try await composer(form, visit, faults: rejected.faults)
            }
        }
    }

    private func change(
        _ number: Int64,
        to draft: PushDraft,
        _ visit: Visit
    ) async throws -> Response {
        let isChanged = try await site.services.updatePush(
            number: number,
            to: draft,
            for: visit.member
        )
        if isChanged { try await site.record(.pushChanged, "#\(number)", visit) }
        return redirect(to: .push(number), notice: isChanged ? .pushChanged : .pushTooLate)
    }

    private func redirect(to path: ConsolePath, notice: Notice) -> Response {
        PageAnswer.redirect(to: notice.address(path))
    }

    /// What the pages' scripts ask for.
    private func addAnswers<Context: RequestContext>(to router: some RouterMethods<Context>) {
        let answers = PushAnswers(site: site)
        router.get(
            RouterPath(ConsolePath.pushChanges.path),
            use: gate.member { visit, _ in answers.changes(visit) }
        )
        router.post(
            RouterPath(ConsolePath.previewPush.path),
            use: gate.member(.marketer) { visit, _ in try await answers.preview(visit) }
        )
        router.post(
            RouterPath(ConsolePath.testPush.path),
            use: gate.member(.marketer) { visit, _ in try await answers.test(visit) }
        )
        router.post(
            RouterPath(ConsolePath.pushReach.path),
            use: gate.member(.marketer) { visit, _ in try await answers.reach(visit) }
        )
        router.get(
            RouterPath(ConsolePath.userChoices.path),
            use: gate.member { visit, _ in try await answers.userChoices(visit) }
        )
    }
}
