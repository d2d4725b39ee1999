import Analytics
import Audience
import Foundation
import Hummingbird
import Model
import NIOCore
import Reports
import WebPages

/// The reports: funnel, retention and series, each with a form in its address and a file.
struct ReportRoutes: Sendable {
    private static let maxEvents = 250

    private let site: ConsoleRenderer
    private let gate: ConsoleAuthenticator
    private let reports: ReportService

    init(site: ConsoleRenderer) {
        self.site = site
        gate = ConsoleAuthenticator(site: site)
        reports = site.services.activityReports
    }

    func add<Context: RequestContext>(to router: some RouterMethods<Context>) {
        router.get(
            RouterPath(ConsolePath.funnelReport.path),
            use: gate.member { visit, _ in
                let desk = try await desk(visit, .funnel)
                let (answer, problem) = try await said(visit.words) { () -> FunnelAnswer? in
                    guard let question = desk.form.funnel(desk.scope) else { return nil }
                    return try await reports.funnel(question, in: visit.workspace)
                }
                let page = FunnelReportPage(
                    fields: desk.fields,
                    form: desk.form,
                    answer: answer,
                    problem: problem,
                    visit: visit
                )
                return try show("report-funnel", page, visit)
            }
        )
        router.get(
            RouterPath(ConsolePath.retentionReport.path),
            use: gate.member { visit, _ in
                let desk = try await desk(visit, .retention)
                let (answer, problem) = try await said(visit.words) { () -> RetentionAnswer? in
                    guard let question = desk.form.retention(desk.scope) else { return nil }
                    return try await reports.retention(question, in: visit.workspace)
                }
                let page = RetentionReportPage(
                    fields: desk.fields,
                    answer: answer,
                    problem: problem,
                    visit: visit
                )
                return try show("report-retention", page, visit)
            }
        )
        router.get(
            RouterPath(ConsolePath.seriesReport.path),
            use: gate.member { visit, _ in
                let desk = try await desk(visit, .series)
                let (answer, problem) = try await said(visit.words) { () -> SeriesAnswer? in
                    guard let question = desk.form.series(desk.scope) else { return nil }
                    return try await reports.series(question, in: visit.workspace)
                }
                let page = SeriesReportPage(
                    fields: desk.fields,
                    form: desk.form,
                    answer: answer,
                    problem: problem,
                    visit: visit
                )
                return try show("report-series", page, visit)
            }
        )
        router.get(
            RouterPath(ConsolePath.controlGroupReport.path),
            use: gate.member { visit, _ in
                let desk = try await desk(visit, .controlGroup)
                let (report, problem) = try await said(visit.words) { () -> ControlGroupReport? in
                    guard
                        let question = desk.form.controlGroup(
                            desk.scope,
                            currency: visit.home.currency
                        )
                    else { return nil }
                    return try await reports.controlGroup(question, in: visit.workspace)
                }
                let page = ControlGroupReportPage(
                    fields: desk.fields,
                    figure: desk.form.figure,
                    report: report,
                    problem: problem,
                    visit: visit
                )
                return try show("report-control-group", page, visit)
            }
        )
        router.get(
            RouterPath(ConsolePath.reportFile(":report").path),
            use: gate.member { visit, parameters in
                guard let kind = parameters.get("report").flatMap(ReportKind.init) else {
                    throw PageProblem.notFound
                }
                do {
                    return try await file(kind, visit)
                } catch  where error is AudienceProblem || error is FieldProblem {
                    // The page says what hinders.
                    return HTMLResponse.redirect(to: kind.page.query(visit.query))
                }
            }
        )
    }

    // MARK: Parts of a page

    private struct Desk {
        let form: ReportForm
        let fields: ReportFields
        let scope: ReportForm.Scope
    }

    private func desk(_ visit: Visit, _ kind: ReportKind) async throws -> Desk {
        let units: [ReportUnit] =
            switch kind {
            case .funnel, .series, .controlGroup: [.day, .week, .month, .hour]
            case .retention: [.week, .day, .month]
            }
        let form = ReportForm(
            fields: visit.query,
            units: units,
            usually: [.hour: 48, .day: 30, .week: 8, .month: 12]
        )
        let known = ReportFields.Known(
            events: try await site.services.events.names(
                in: visit.workspace,
                limit: Self.maxEvents,
                offset: 0
            ),
            segments: try await site.services.segments.segments(in: visit.workspace)
        )
        return Desk(
            form: form,
            fields: ReportFields(form, kind, units: units, known: known, words: visit.words),
            scope: ReportForm.Scope(
                end: visit.now,
                zone: try await reports.zone(of: visit.workspace),
                segments: Set(known.segments.map(\.id))
            )
        )
    }

    private func show(_ template: String, _ page: Any, _ visit: Visit) throws -> Response {
        try site.page(
            template,
            page,
            title: visit.words("nav.reports"),
            place: .reports,
            visit: visit
        )
    }

    /// An answer, or what hinders it.
    private func said<Answer>(
        _ words: Words,
        _ ask: () async throws -> Answer?
    ) async throws -> (Answer?, String?) {
        do {
            return (try await ask(), nil)
        } catch let problem as FieldProblem {
            return (nil, words(problem.reason))
        } catch let problem as AudienceProblem {
            return (
                nil,
                problem.code == .notReady
                    ? words("reports.not_ready") : words(problem.reason)
            )
        }
    }

    private func file(_ kind: ReportKind, _ visit: Visit) async throws -> Response {
        let desk = try await desk(visit, kind)
        let name: ReportTable.Name = { ReportFields.label($0, visit.words) }
        var table: ReportTable?
        switch kind {
        case .funnel:
            if let question = desk.form.funnel(desk.scope) {
                table = try await reports.funnel(question, in: visit.workspace).table(name)
            }
        case .retention:
            if let question = desk.form.retention(desk.scope) {
                table = try await reports.retention(question, in: visit.workspace).table(name)
            }
        case .series:
            if let question = desk.form.series(desk.scope) {
                table = try await reports.series(question, in: visit.workspace).table(name)
            }
        case .controlGroup: break
        }
        guard let table else { throw PageProblem.notFound }
        return Response(
            status: .ok,
            headers: CSVFile.headers(name: "\(kind.rawValue).csv"),
            body: ResponseBody(byteBuffer: ByteBuffer(string: CSVFile.mark + table.csv))
        )
    }
}
