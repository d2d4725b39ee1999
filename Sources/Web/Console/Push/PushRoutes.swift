import Foundation
import Hummingbird
import Model
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
            RouterPath(ConsolePath.undoPush(":number").path),
            use: gate.member(.marketer) { visit, parameters in
                let number = try await detail(visit, parameters).summary.number
                guard
                    let draft = try await site.services.takeBackPush(
                        number: number,
                        for: visit.member
                    )
                else { return redirect(to: .push(number), notice: .pushMoved) }
                return redirect(to: .draft(.push, draft.uuidString), notice: .pushTakenBack)
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

    private func add<Context: RequestContext>(
        _ step: SendStep,
        at path: ConsolePath,
        _ notice: Notice,
        to router: some RouterMethods<Context>
    ) {
        router.post(
            RouterPath(path.path),
            use: gate.member(.marketer) { visit, parameters in
                let number = try await detail(visit, parameters).summary.number
                let isDone = try await site.services.take(
                    step,
                    withPush: number,
                    for: visit.member
                )
                return redirect(to: .push(number), notice: isDone ? notice : .pushMoved)
            }
        )
    }

    /// Changing, pausing, resuming and stopping a push, and the list of its recipients.
    private func addSteps<Context: RequestContext>(to router: some RouterMethods<Context>) {
        router.get(
            RouterPath(ConsolePath.editPush(":number").path),
            use: gate.member(.marketer) { visit, parameters in
                let detail = try await detail(visit, parameters)
                if let campaign = detail.campaign {
                    return PageAnswer.redirect(to: ConsolePath.editCampaign("\(campaign)").path)
                }
                guard detail.summary.state == .scheduled else {
                    return redirect(to: .push(detail.summary.number), notice: .pushMoved)
                }
                return try await composer(PushForm(changing: detail, zone: visit.zone), visit)
            }
        )
        add(.stop, at: .cancelPush(":number"), .pushCancelled, to: router)
        add(.pause, at: .pausePush(":number"), .pushPaused, to: router)
        add(.resume, at: .resumePush(":number"), .pushResumed, to: router)
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
        PushDraftRoutes(site: site).add(to: router)
    }

    private func history(_ visit: Visit) async throws -> Response {
        let query = PushHistoryQuery(fields: visit.query)
        let history = try await site.services.pushHistory(query, for: visit.member)
        return try site.page(
            "push-history",
            PushHistoryPage(
                history,
                drafts: try await DraftDesk(site: site, kind: .push).list(visit),
                query: query,
                visit: visit
            ),
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

    private func composer(_ form: PushForm, _ visit: Visit) async throws -> Response {
        try await site.composerPage(form, visit)
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
