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
            use: gate.member { context, _ in
                PushExport(sends: sends).response(context)
            }
        )
        router.get(
            RouterPath(ConsolePath.pushHistory.path),
            use: gate.member { context, _ in try await history(context) }
        )
        router.get(
            RouterPath(ConsolePath.push(":number").path),
            use: gate.member { context, parameters in
                let report = try await report(context, parameters)
                return try site.page(
                    "push-detail",
                    PushDetailPage(
                        report,
                        ledger: try await sends.ledger(of: report.send),
                        funnel: try await site.services.funnels.funnel(of: report.send.id),
                        opens: try await site.services.funnels.opens(of: report.send.id),
                        context: context
                    ),
                    title: context.words("push.numbered", ["number": "\(report.send.id)"]),
                    place: .push,
                    context: context
                )
            }
        )
        router.post(
            RouterPath(ConsolePath.undoPush(":number").path),
            use: gate.member(.marketer) { context, parameters in
                let send = try await send(context, parameters)
                guard let draft = try await site.services.control.takeBack(send, by: context.actor)
                else { return redirect(to: .push(send.id.rawValue), notice: .pushMoved) }
                return redirect(to: .draft(.push, draft.uuidString), notice: .pushTakenBack)
            }
        )
        addSteps(to: router)
        router.get(
            RouterPath(ConsolePath.duplicatePush(":number").path),
            use: gate.member(.marketer) { context, parameters in
                let report = try await report(context, parameters)
                return try await site.composerPage(
                    PushForm(copying: report.send, audience: report.audience),
                    context
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
            use: gate.member(.marketer) { context, parameters in
                let send = try await send(context, parameters)
                let isDone = try await site.services.control.take(
                    step,
                    with: send,
                    by: context.actor
                )
                return redirect(to: .push(send.id.rawValue), notice: isDone ? notice : .pushMoved)
            }
        )
    }

    /// Changing, pausing, resuming and stopping a push, and the list of its recipients.
    private func addSteps<Context: RequestContext>(to router: some RouterMethods<Context>) {
        router.get(
            RouterPath(ConsolePath.editPush(":number").path),
            use: gate.member(.marketer) { context, parameters in
                let report = try await report(context, parameters)
                let send = report.send
                if let launch = send.content.launch {
                    let address = ConsolePath.editCampaign("\(launch.campaign)")
                    return HTMLResponse.redirect(to: address.path)
                }
                guard send.state == .scheduled else {
                    return redirect(to: .push(send.id.rawValue), notice: .pushMoved)
                }
                return try await site.composerPage(
                    PushForm(changing: send, audience: report.audience, zone: context.zone),
                    context
                )
            }
        )
        add(.stop, at: .cancelPush(":number"), .pushCancelled, to: router)
        add(.pause, at: .pausePush(":number"), .pushPaused, to: router)
        add(.resume, at: .resumePush(":number"), .pushResumed, to: router)
        router.get(
            RouterPath(ConsolePath.recipients(":number").path),
            use: gate.member { context, parameters in
                let report = try await report(context, parameters)
                var query = RecipientQuery(fields: context.query)
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
                        context: context
                    ),
                    title: context.words("push.recipients"),
                    place: .push,
                    context: context
                )
            }
        )
        router.get(
            RouterPath(ConsolePath.exportRecipients(":number").path),
            use: gate.member { context, parameters in
                RecipientExport(
                    sends: sends,
                    send: try await send(context, parameters).id,
                    query: RecipientQuery(fields: context.query)
                ).response(context)
            }
        )
    }

    private func addComposer<Context: RequestContext>(to router: some RouterMethods<Context>) {
        router.get(
            RouterPath(ConsolePath.newPush.path),
            use: gate.member(.marketer) { context, _ in
                try await site.composerPage(PushForm(fields: context.query), context)
            }
        )
        router.post(
            RouterPath(ConsolePath.newPush.path),
            use: gate.member(.marketer) { context, _ in
                try await site.composerPage(PushForm(fields: context.form), context)
            }
        )
        PushDraftRoutes(site: site).add(to: router)
    }

    private func history(_ context: ConsoleContext) async throws -> Response {
        let query = PushHistoryQuery(context)
        let history = try await sends.history(
            of: context.workspace,
            matching: query.sends,
            page: query.page
        )
        return try site.page(
            "push-history",
            PushHistoryPage(
                history,
                drafts: try await DraftDesk(site: site, kind: .push).list(context),
                query: query,
                context: context
            ),
            title: context.words("push.history"),
            place: .push,
            context: context
        )
    }

    private func send(_ context: ConsoleContext, _ parameters: Parameters) async throws -> Send {
        guard let number = parameters.get("number", as: Int64.self),
            let send = try await sends.send(SendID(number), in: context.workspace)
        else { throw PageError.notFound }
        return send
    }

    private func report(_ context: ConsoleContext, _ parameters: Parameters) async throws
        -> SendReport
    {
        guard let number = parameters.get("number", as: Int64.self),
            let report = try await sends.report(SendID(number), in: context.workspace)
        else { throw PageError.notFound }
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
            use: gate.member { context, _ in answers.changes(context) }
        )
        router.post(
            RouterPath(ConsolePath.previewPush.path),
            use: gate.member(.marketer) { context, _ in try await answers.preview(context) }
        )
        router.post(
            RouterPath(ConsolePath.testPush.path),
            use: gate.member(.marketer) { context, _ in try await answers.test(context) }
        )
        router.post(
            RouterPath(ConsolePath.pushReach.path),
            use: gate.member(.marketer) { context, _ in try await answers.reach(context) }
        )
        router.post(
            RouterPath(ConsolePath.pushSample.path),
            use: gate.member(.marketer) { context, _ in try await answers.sample(context) }
        )
        router.post(
            RouterPath(ConsolePath.everyPreview.path),
            use: gate.member(.marketer) { context, _ in try await answers.every(context) }
        )
        router.get(
            RouterPath(ConsolePath.userChoices.path),
            use: gate.member { context, _ in try await answers.userChoices(context) }
        )
    }
}
