import Analytics
import Audience
import Foundation
import Hummingbird
import Model
import NIOCore
import Reports
import WebPages

/// The reports: funnel, retention, trend, paths and control group, each with a form in its address, and
/// files of them.
struct ReportRoutes: Sendable {
    private static let suggestionDays = 30
    private static let suggestionEvents = 50

    private let site: ConsoleRenderer
    private let gate: ConsoleAuthenticator

    init(site: ConsoleRenderer) {
        self.site = site
        gate = ConsoleAuthenticator(site: site)
    }

    func add<Context: RequestContext>(to router: some RouterMethods<Context>) {
        for kind in ReportKind.allCases where kind != .saved {
            router.get(
                RouterPath(kind.page.path),
                use: gate.member { visit, _ in
                    try await page(try await ReportDesk(site, kind, visit), visit)
                }
            )
        }
        router.get(
            RouterPath(ConsolePath.reportFile(":report").path),
            use: gate.member { visit, parameters in
                guard let kind = parameters.get("report").flatMap(ReportKind.init) else {
                    throw PageProblem.notFound
                }
                let desk = try await ReportDesk(site, kind, visit)
                guard let answer = try await desk.answer().answer else {
                    // The page says what hinders.
                    guard desk.question != nil else { throw PageProblem.notFound }
                    return HTMLResponse.redirect(to: kind.page.query(visit.query))
                }
                return ReportFile(answer.table(desk.name), name: kind.rawValue).csv
            }
        )
    }

    private func page(_ desk: ReportDesk, _ visit: Visit) async throws -> Response {
        let (answer, problem) = try await desk.answer()
        switch (desk.kind, answer) {
        case (.saved, _): throw PageProblem.notFound
        case (.funnel, _):
            var found: FunnelAnswer?
            if case .funnel(let answer)? = answer { found = answer }
            let page = FunnelReportPage(
                desk,
                answer: found,
                problem: problem,
                suggestions: try await suggestions(for: desk, visit),
                visit: visit
            )
            return try show("report-funnel", page, visit)
        case (.retention, _):
            var found: RetentionAnswer?
            if case .retention(let answer)? = answer { found = answer }
            let page = RetentionReportPage(desk, answer: found, problem: problem, visit: visit)
            return try show("report-retention", page, visit)
        case (.series, _):
            var found: SeriesAnswer?
            if case .series(let answer)? = answer { found = answer }
            let page = SeriesReportPage(desk, answer: found, problem: problem, visit: visit)
            return try show("report-series", page, visit)
        case (.paths, _):
            var found: PathsAnswer?
            if case .paths(let answer)? = answer { found = answer }
            let page = PathsReportPage(desk, answer: found, problem: problem, visit: visit)
            return try show("report-paths", page, visit)
        case (.controlGroup, _):
            var found: ControlGroupReport?
            if case .controlGroup(let report)? = answer { found = report }
            let page = ControlGroupReportPage(desk, report: found, problem: problem, visit: visit)
            return try show("report-control-group", page, visit)
        }
    }

    /// For whoever has not chosen anything yet.
    private func suggestions(
        for desk: ReportDesk,
        _ visit: Visit
    ) async throws -> [ReportSuggestion] {
        guard desk.form.steps.allSatisfy({ $0.question == nil }) else { return [] }
        let found = try await site.services.events.events(
            in: visit.workspace,
            matching: "",
            days: Self.suggestionDays,
            in: visit.zone,
            limit: Self.suggestionEvents,
            offset: 0
        )
        return ReportSuggestion.all(found.events, visit.words)
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
}

/// A report as a file.
struct ReportFile {
    private let table: ReportTable
    private let name: String

    init(_ table: ReportTable, name: String) {
        self.table = table
        self.name = name
    }

    var csv: Response {
        Response(
            status: .ok,
            headers: CSVFile.headers(name: "\(name).csv"),
            body: ResponseBody(byteBuffer: ByteBuffer(string: CSVFile.mark + table.csv))
        )
    }

    var json: Response {
        Response(
            status: .ok,
            headers: [
                .contentType: "application/json", .cacheControl: "no-store",
                .contentDisposition: "attachment; filename=\"\(name).json\"",
            ],
            body: ResponseBody(byteBuffer: ByteBuffer(string: table.json))
        )
    }
}
