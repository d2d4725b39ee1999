import Audience
import Foundation
import Hummingbird
import Ingestion
import Model
import NoroshiWire
import Reports
import Segments

/// `/reports/…`: funnels, retentions and series, as JSON or, with `Accept: text/csv`, as a table.
struct ReportRoutes: Sendable {
    let reports: ReportService
    let segments: SegmentService
    let audience: SegmentationService
    let now: @Sendable () -> Date

    var endpoints: [RESTEndpoint] {
        let all: [RESTEndpoint] = [
            .post(
                "/reports/funnel",
                "reports.funnel",
                "Counts the users who do one thing after another",
                limit: .export,
                success: .ok,
                takes: ReportSchemas.funnelQuestion,
                answers: ReportSchemas.funnelAnswer
            ) { try await funnel($0) },
            .post(
                "/reports/retention",
                "reports.retention",
                "Counts the users who come back, by cohort and interval",
                limit: .export,
                success: .ok,
                takes: ReportSchemas.retentionQuestion,
                answers: ReportSchemas.retentionAnswer
            ) { try await retention($0) },
            .post(
                "/reports/series",
                "reports.series",
                "Counts events, purchases, sessions, new users or revenue over time",
                limit: .export,
                success: .ok,
                takes: ReportSchemas.seriesQuestion,
                answers: ReportSchemas.seriesAnswer
            ) { try await series($0) },
        ]
        // They change nothing that an audit log would have to say.
        return all.map { $0.recordingItself.asTableToo }
    }

    private var reader: ReportReader {
        ReportReader(reports: reports, segments: segments, audience: audience, now: now)
    }

    // MARK: Questions

    private func funnel(_ call: RESTEndpoint.Call) async throws -> Response {
        let body = try call.reader()
        let breakdown = try await reader.breakdown(body, in: call.workspace)
        guard let window = try body.wholeNumber("window_seconds", 1...ReportLimits.longestWindow)
        else { throw body.problem("window_seconds", .required) }
        let question = FunnelQuestion(
            period: try await reader.period(body, in: call.workspace),
            steps: try body.objects("steps", limit: ReportLimits.steps.upperBound)
                .map(ReportReader.activity),
            window: window,
            exclusions: try body.objects("exclusions", limit: ReportLimits.exclusions)
                .map(Self.exclusion),
            constant: try ReportReader.property(body, "hold_constant"),
            audience: try await reader.audience(body, in: call.workspace),
            breakdown: breakdown.breakdown
        )
        let answer = try await reports.funnel(question, in: call.workspace)
        return try call.answer(answer.table(breakdown.name)) {
            ReportAnswers.json(answer, breakdown)
        }
    }

    /// Steps count from 1 for people.
    private static func exclusion(
        _ reader: RequestReader
    ) throws -> FunnelQuestion.Exclusion {
        guard let after = try reader.wholeNumber("after_step", ReportSchemas.stepNumbers) else {
            throw reader.problem("after_step", .required)
        }
        guard let before = try reader.wholeNumber("before_step", ReportSchemas.stepNumbers) else {
            throw reader.problem("before_step", .required)
        }
        return FunnelQuestion.Exclusion(
            try ReportReader.activity(reader),
            after: after - 1,
            before: before - 1
        )
    }

    private func retention(_ call: RESTEndpoint.Call) async throws -> Response {
        let body = try call.reader()
        let breakdown = try await reader.breakdown(body, in: call.workspace)
        guard let intervals = try body.wholeNumber("intervals", ReportLimits.retentionIntervals)
        else { throw body.problem("intervals", .required) }
        let cohort = try ReportReader.choice(
            body,
            "cohort",
            RetentionQuestion.Cohort.allCases
        )
        let mode = try ReportReader.choice(body, "mode", RetentionQuestion.Mode.allCases)
        let question = RetentionQuestion(
            period: try await reader.period(body, in: call.workspace),
            cohort: cohort ?? .first,
            mode: mode ?? .nDay,
            intervals: intervals,
            first: try activity("first", body),
            returning: try activity("returning", body),
            audience: try await reader.audience(body, in: call.workspace),
            breakdown: breakdown.breakdown
        )
        let answer = try await reports.retention(question, in: call.workspace)
        return try call.answer(answer.table(breakdown.name)) {
            ReportAnswers.json(answer, breakdown)
        }
    }

    private func activity(
        _ field: String,
        _ body: RequestReader
    ) throws -> ReportActivity {
        guard let value = body.value(field) else { throw body.problem(field, .required) }
        return try ReportReader.activity(try RequestReader(value, path: field))
    }

    private func series(_ call: RESTEndpoint.Call) async throws -> Response {
        let body = try call.reader()
        let breakdown = try await reader.breakdown(body, in: call.workspace)
        let measure = try ReportReader.choice(
            body,
            "measure",
            SeriesQuestion.Measure.allCases
        )
        guard let value = body.value("series") else { throw body.problem("series", .required) }
        let question = SeriesQuestion(
            period: try await reader.period(body, in: call.workspace),
            figure: try Self.figure(try RequestReader(value, path: "series")),
            measure: measure ?? .total,
            isCompared: try body.flag("compare") ?? false,
            audience: try await reader.audience(body, in: call.workspace),
            breakdown: breakdown.breakdown
        )
        let answer = try await reports.series(question, in: call.workspace)
        return try call.answer(answer.table(breakdown.name)) {
            ReportAnswers.json(answer, breakdown)
        }
    }

    private static func figure(_ reader: RequestReader) throws -> SeriesQuestion.Figure {
        if try reader.flag("new_users") == true { return .newUsers }
        guard reader.value("revenue") != nil else {
            return .activity(try ReportReader.activity(reader))
        }
        let currency = try reader.requiredString("currency").uppercased()
        try FieldValidator.currency(currency)
        let purchases = ReportActivity(
            .purchase(products: try reader.strings("revenue", limit: ReportLimits.products)),
            properties: try ReportReader.properties(reader)
        )
        return .revenue(purchases, currency: currency)
    }
}

extension RESTEndpoint.Call {
    /// A report in the form that the client takes.
    fileprivate func answer(
        _ table: @autoclosure () -> ReportTable,
        json: () -> JSONValue
    ) throws -> Response {
        guard header("Accept")?.lowercased().hasPrefix("text/csv") == true else {
            return try JSONResponse.json(json())
        }
        return Response(
            status: .ok,
            headers: [.contentType: "text/csv; charset=utf-8"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: table().csv))
        )
    }
}
