import Audience
import Foundation
import Hummingbird
import Model
import NoroshiWire
import Reports
import WebPages

/// Saved reports: their list, files of them, and the form with which one is saved.
struct SavedReportRoutes: Sendable {
    private let site: ConsoleRenderer
    private let gate: ConsoleAuthenticator
    private let saved: SavedReportService

    init(site: ConsoleRenderer) {
        self.site = site
        gate = ConsoleAuthenticator(site: site)
        saved = site.services.savedReports
    }

    func add<Context: RequestContext>(to router: some RouterMethods<Context>) {
        router.get(
            RouterPath(ConsolePath.savedReports.path),
            use: gate.member { context, _ in try await list(context) }
        )
        router.get(
            RouterPath(ConsolePath.savedReport(":report").path),
            use: gate.member { context, parameters in
                try await show(try await report(parameters.get("report"), context), context)
            }
        )
        router.get(
            RouterPath(ConsolePath.savedReportFile(":report", ":format").path),
            use: gate.member { context, parameters in
                let report = try await report(parameters.get("report"), context)
                guard let table = try await answer(report, context).table else {
                    // The page says what hinders.
                    return HTMLResponse.redirect(
                        to: ConsolePath.savedReport(report.name).path
                    )
                }
                let file = ReportFile(table, name: report.content.kind)
                return parameters.get("format") == "json" ? file.json : file.csv
            }
        )
        router.get(
            RouterPath(ConsolePath.saveReport.path),
            use: gate.member(.marketer) { context, _ in
                let former = try await former(context.query, context)
                return try form(SaveReportForm(context.query, former), former, context)
            }
        )
        router.post(
            RouterPath(ConsolePath.saveReport.path),
            use: gate.member(.marketer) { context, _ in try await save(context) }
        )
        router.post(
            RouterPath(ConsolePath.deleteReport(":report").path),
            use: gate.member(.marketer) { context, parameters in
                let report = try await report(parameters.get("report"), context)
                _ = try await saved.delete(report.id, by: context.actor)
                return HTMLResponse.redirect(to: FlashMessage.reportDeleted.address(.savedReports))
            }
        )
    }

    private func report(_ id: String?, _ context: ConsoleContext) async throws -> SavedReport {
        guard let id = id.flatMap(UUID.init),
            let report = try await saved.report(id, in: context.workspace)
        else { throw PageError.notFound }
        return report
    }

    private func page(
        _ template: String,
        _ page: Any,
        _ context: ConsoleContext,
        isWrong: Bool = false
    ) throws -> Response {
        try site.page(
            template,
            page,
            title: context.words("nav.reports"),
            place: .reports,
            context: context,
            status: isWrong ? .unprocessableContent : .ok
        )
    }

    // MARK: Looking

    private func list(_ context: ConsoleContext) async throws -> Response {
        let reports = try await saved.reports(in: context.workspace)
        return try page("reports-saved", SavedReportsPage(reports, context: context), context)
    }

    /// The report's own page where its form says all that is asked; else its table alone.
    private func show(_ report: SavedReport, _ context: ConsoleContext) async throws -> Response {
        let segments = try await site.services.segments.segments(in: context.workspace)
        if let kind = report.kind {
            let fields = FormFields(
                ReportForm.fields(of: report.content.question, segments)
                    + [(name: "saved", value: report.name)]
            )
            let form = ReportDesk.form(fields, kind, context)
            if let said = form.question(kind, segments),
                try await isSame(said, report, context)
            {
                return HTMLResponse.redirect(to: kind.page.query(fields))
            }
        }
        let (table, problem) = try await answer(report, context)
        let content = SavedReportPage(report, table: table, problem: problem, context: context)
        return try page("report-saved", content, context)
    }

    private func isSame(
        _ said: [String: JSONValue],
        _ report: SavedReport,
        _ context: ConsoleContext
    ) async throws -> Bool {
        guard let kind = report.kind?.question else { return false }
        var asked: [ReportQuestion] = []
        for question in [said, report.content.question] {
            do {
                let found = try await site.services.questions.question(
                    kind,
                    RequestReader(.object(question)),
                    in: context.workspace
                )
                asked.append(found.question.ending(at: context.now))
            } catch is FieldProblem {
                return false
            }
        }
        return asked[0] == asked[1]
    }

    private func answer(
        _ report: SavedReport,
        _ context: ConsoleContext
    ) async throws -> (table: ReportTable?, problem: String?) {
        do {
            let found = try await saved.run(report)
            return (found.answer.table(found.breakdown.name), nil)
        } catch let problem as FieldProblem {
            return (nil, ReportDesk.text(problem.reason, context.words))
        } catch let problem as AudienceError {
            return (nil, context.words(problem.reason))
        }
    }

    // MARK: Saving

    /// The report that a form changes; `nil` for a new one.
    private func former(_ fields: FormFields, _ context: ConsoleContext) async throws
        -> SavedReport?
    {
        guard let id = UUID(uuidString: fields["saved"]) else { return nil }
        return try await saved.report(id, in: context.workspace)
    }

    private func form(
        _ form: SaveReportForm,
        _ former: SavedReport?,
        _ context: ConsoleContext,
        _ error: ValidationError? = nil
    ) throws -> Response {
        let secret = try former.flatMap { report in
            report.content.schedule == nil
                ? nil : try saved.signingSecret(of: report, for: context.actor)
        }
        let content = SaveReportPage(form, former, secret: secret, error: error, context: context)
        return try page("report-save", content, context, isWrong: error != nil)
    }

    private func save(_ context: ConsoleContext) async throws -> Response {
        let former = try await former(context.form, context)
        let form = SaveReportForm(context.form, former)
        let isNew = former == nil || form.isCopy
        guard let kind = ReportKind(rawValue: form.kind), kind.question != nil else {
            throw PageError.notFound
        }
        var question = former?.content.question
        if form.hasQuestion {
            let segments = try await site.services.segments.segments(in: context.workspace)
            question = ReportDesk.form(FormFields(form.question), kind, context)
                .question(kind, segments)
        }
        guard let question else { throw PageError.notFound }
        do {
            let content = SavedReport.Content(
                name: form.name,
                kind: kind.rawValue,
                question: question,
                isOnOverview: form.isOnOverview,
                schedule: try form.schedule()
            )
            guard
                let report = try await saved.save(
                    content,
                    as: isNew ? nil : former?.id,
                    by: context.actor
                )
            else { throw PageError.notFound }
            return HTMLResponse.redirect(
                to: FlashMessage.reportSaved.address(.savedReports) + "#\(report.name)"
            )
        } catch let error as ValidationError {
            return try self.form(form, former, context, error)
        }
    }
}

extension SavedReport {
    /// Its identifier in addresses.
    var name: String { id.uuidString.lowercased() }

    var kind: ReportKind? { ReportKind(rawValue: content.kind) }
}
