import Analytics
import Foundation
import Hummingbird
import Model
import Sends
import WebPages

/// The push pages: history, one push, and the composer with its review.
struct PushRoutes: Sendable {
    private let site: ConsoleRenderer
    private let gate: ConsoleAuthenticator
    private let sends: SendReports

    init(site: ConsoleRenderer) {
        self.site = site
        gate = ConsoleAuthenticator(site: site)
        sends = site.services.sends
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
                PushExport(sends: sends).response(visit)
            }
        )
        router.get(
            RouterPath(ConsolePath.pushHistory.path),
            use: gate.member { visit, _ in try await history(visit) }
        )
        router.get(
            RouterPath(ConsolePath.push(":number").path),
            use: gate.member { visit, parameters in
                let report = try await report(visit, parameters)
                return try site.page(
                    "push-detail",
                    PushDetailPage(
                        report,
                        ledger: try await sends.ledger(of: report.send),
                        funnel: try await site.services.funnels.funnel(of: report.send.id),
                        opens: try await site.services.funnels.opens(of: report.send.id),
                        visit: visit
                    ),
                    title: visit.words("push.numbered", ["number": "\(report.send.id)"]),
                    place: .push,
                    visit: visit
                )
            }
        )
        router.post(
            RouterPath(ConsolePath.undoPush(":number").path),
            use: gate.member(.marketer) { visit, parameters in
                let send = try await send(visit, parameters)
                guard let draft = try await site.services.control.takeBack(send, by: visit.actor)
                else { return redirect(to: .push(send.id.rawValue), notice: .pushMoved) }
                return redirect(to: .draft(.push, draft.uuidString), notice: .pushTakenBack)
            }
        )
        addSteps(to: router)
        router.get(
            RouterPath(ConsolePath.duplicatePush(":number").path),
            use: gate.member(.marketer) { visit, parameters in
                let report = try await report(visit, parameters)
                return try await site.composerPage(
                    PushForm(copying: report.send, audience: report.audience),
                    visit
                )
            }
        )
    }

    private func add<Context: RequestContext>(
        _ step: SendStep,
        at path: ConsolePath,
        _ notice: FlashMessage,
        to router: some RouterMethods<Context>
    ) {
        router.post(
            RouterPath(path.path),
            use: gate.member(.marketer) { visit, parameters in
                let send = try await send(visit, parameters)
                let isDone = try await site.services.control.take(
                    step,
                    with: send,
                    by: visit.actor
                )
                return redirect(to: .push(send.id.rawValue), notice: isDone ? notice : .pushMoved)
            }
        )
    }

    /// Changing, pausing, resuming and stopping a push, and the list of its recipients.
    private func addSteps<Context: RequestContext>(to router: some RouterMethods<Context>) {
        router.get(
            RouterPath(ConsolePath.editPush(":number").path),
            use: gate.member(.marketer) { visit, parameters in
                let report = try await report(visit, parameters)
                let send = report.send
                if let launch = send.content.launch {
                    let address = ConsolePath.editCampaign("\(launch.campaign)")
                    return HTMLResponse.redirect(to: address.path)
                }
                guard send.state == .scheduled else {
                    return redirect(to: .push(send.id.rawValue), notice: .pushMoved)
                }
                return try await site.composerPage(
                    PushForm(changing: send, audience: report.audience, zone: visit.zone),
                    visit
                )
            }
        )
        add(.stop, at: .cancelPush(":number"), .pushCancelled, to: router)
        add(.pause, at: .pausePush(":number"), .pushPaused, to: router)
        add(.resume, at: .resumePush(":number"), .pushResumed, to: router)
        router.get(
            RouterPath(ConsolePath.recipients(":number").path),
            use: gate.member { visit, parameters in
                let report = try await report(visit, parameters)
                var query = RecipientQuery(fields: visit.query)
                query.limit += 1
                let isRemoved = try await sends.isRemoved(report.send.id)
                let rows =
                    isRemoved
                    ? []
                    : try await sends.dispatches(
                        of: report.send.id,
                        matching: query.filter,
                        after: query.after,
                        limit: query.limit
                    )
                return try site.page(
                    "push-recipients",
                    RecipientsPage(
                        rows,
                        of: report,
                        isRemoved: isRemoved,
                        query: query,
                        visit: visit
                    ),
                    title: visit.words("push.recipients"),
                    place: .push,
                    visit: visit
                )
            }
        )
        router.get(
            RouterPath(ConsolePath.exportRecipients(":number").path),
            use: gate.member { visit, parameters in
                RecipientExport(
                    sends: sends,
                    send: try await send(visit, parameters).id,
                    query: RecipientQuery(fields: visit.query)
                ).response(visit)
            }
        )
    }

    private func addComposer<Context: RequestContext>(to router: some RouterMethods<Context>) {
        router.get(
            RouterPath(ConsolePath.newPush.path),
            use: gate.member(.marketer) { visit, _ in
                try await site.composerPage(PushForm(fields: visit.query), visit)
            }
        )
        router.post(
            RouterPath(ConsolePath.newPush.path),
            use: gate.member(.marketer) { visit, _ in
                try await site.composerPage(PushForm(fields: visit.form), visit)
            }
        )
        PushDraftRoutes(site: site).add(to: router)
    }

    private func history(_ visit: Visit) async throws -> Response {
        let query = PushHistoryQuery(visit)
        let history = try await sends.history(
            of: visit.workspace,
            matching: query.sends,
            page: query.page
        )
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

    private func send(_ visit: Visit, _ parameters: Parameters) async throws -> Send {
        guard let number = parameters.get("number", as: Int64.self),
            let send = try await sends.send(SendID(number), in: visit.workspace)
        else { throw PageProblem.notFound }
        return send
    }

    private func report(_ visit: Visit, _ parameters: Parameters) async throws -> SendReport {
        guard let number = parameters.get("number", as: Int64.self),
            let report = try await sends.report(SendID(number), in: visit.workspace)
        else { throw PageProblem.notFound }
        return report
    }

    private func redirect(to path: ConsolePath, notice: FlashMessage) -> Response {
        HTMLResponse.redirect(to: notice.address(path))
    }

    /// The data for the pages' scripts.
    private func addAnswers<Context: RequestContext>(to router: some RouterMethods<Context>) {
        let answers = PushResponses(site: site)
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
        router.post(
            RouterPath(ConsolePath.pushSample.path),
            use: gate.member(.marketer) { visit, _ in try await answers.sample(visit) }
        )
        router.post(
            RouterPath(ConsolePath.everyPreview.path),
            use: gate.member(.marketer) { visit, _ in try await answers.every(visit) }
        )
        router.get(
            RouterPath(ConsolePath.userChoices.path),
            use: gate.member { visit, _ in try await answers.userChoices(visit) }
        )
    }
}
