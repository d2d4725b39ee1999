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
                use: gate.member { context, _ in
                    try await page(try await ReportDesk(site, kind, context), context)
                }
            )
        }
        router.get(
            RouterPath(ConsolePath.reportFile(":report").path),
            use: gate.member { context, parameters in
                guard let kind = parameters.get("report").flatMap(ReportKind.init) else {
                    throw PageError.notFound
                }
                let desk = try await ReportDesk(site, kind, context)
                guard let answer = try await desk.answer().answer else {
                    // The page says what hinders.
                    guard desk.question != nil else { throw PageError.notFound }
                    return HTMLResponse.redirect(to: kind.page.query(context.query))
                }
                return ReportFile(answer.table(desk.name), name: kind.rawValue).csv
            }
        )
    }

    private func page(_ desk: ReportDesk, _ context: ConsoleContext) async throws -> Response {
        let (answer, problem) = try await desk.answer()
        switch (desk.kind, answer) {
        case (.saved, _): throw PageError.notFound
        case (.funnel, _):
            var found: FunnelAnswer?
            if case .funnel(let answer)? = answer { found = answer }
            let page = FunnelReportPage(
                desk,
                answer: found,
                problem: problem,
                suggestions: try await suggestions(for: desk, context),
                context: context
            )
            return try show("report-funnel", page, context)
        case (.retention, _):
            var found: RetentionAnswer?
            if case .retention(let answer)? = answer { found = answer }
            let page = RetentionReportPage(desk, answer: found, problem: problem, context: context)
            return try show("report-retention", page, context)
        case (.series, _):
            var found: SeriesAnswer?
            if case .series(let answer)? = answer { found = answer }
            let page = SeriesReportPage(desk, answer: found, problem: problem, context: context)
            return try show("report-series", page, context)
        case (.paths, _):
            var found: PathsAnswer?
            if case .paths(let answer)? = answer { found = answer }
            let page = PathsReportPage(desk, answer: found, problem: problem, context: context)
            return try show("report-paths", page, context)
        case (.controlGroup, _):
            var found: ControlGroupReport?
            if case .controlGroup(let report)? = answer { found = report }
            let page = ControlGroupReportPage(
                desk,
                report: found,
                problem: problem,
                context: context
            )
            return try show("report-control-group", page, context)
        }
    }

    /// For whoever has not chosen anything yet.
    private func suggestions(
        for desk: ReportDesk,
        _ context: ConsoleContext
    ) async throws -> [ReportSuggestion] {
        guard desk.form.steps.allSatisfy({ $0.question == nil }) else { return [] }
        let found = try await site.services.events.events(
            in: context.workspace,
            matching: "",
            days: Self.suggestionDays,
            in: context.zone,
            limit: Self.suggestionEvents,
            offset: 0
        )
        return ReportSuggestion.all(found.events, context.words)
    }

    private func show(_ template: String, _ page: Any, _ context: ConsoleContext) throws -> Response
    {
        try site.page(
            template,
            page,
            title: context.words("nav.reports"),
            place: .reports,
            context: context
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
