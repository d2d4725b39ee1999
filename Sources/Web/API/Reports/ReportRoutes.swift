import Audience
import Foundation
import HTTPTypes
import Hummingbird
import Model
import NoroshiWire
import Reports

/// `/reports/…`: funnels, retentions, series, paths and the control group, as JSON or, with
/// `Accept: text/csv`, as a table.
struct ReportRoutes: Sendable {
    let reports: ReportService
    let reader: ReportQuestionReader

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
            ) { try await answer($0, .funnel) },
            .post(
                "/reports/retention",
                "reports.retention",
                "Counts the users who come back, by cohort and interval",
                limit: .export,
                success: .ok,
                takes: ReportSchemas.retentionQuestion,
                answers: ReportSchemas.retentionAnswer
            ) { try await answer($0, .retention) },
            .post(
                "/reports/series",
                "reports.series",
                "Counts events, purchases, sessions, new users or revenue over time",
                limit: .export,
                success: .ok,
                takes: ReportSchemas.seriesQuestion,
                answers: ReportSchemas.seriesAnswer
            ) { try await answer($0, .series) },
            .post(
                "/reports/paths",
                "reports.paths",
                "Shows what users do next after something, or did before it",
                limit: .export,
                success: .ok,
                takes: ReportSchemas.pathsQuestion,
                answers: ReportSchemas.pathsAnswer
            ) { try await answer($0, .paths) },
            .post(
                "/reports/users",
                "reports.users",
                "Counts the users who match now by what they are",
                limit: .export,
                success: .ok,
                takes: ReportSchemas.compositionQuestion,
                answers: ReportSchemas.compositionAnswer
            ) { try await composition($0) },
            .post(
                "/reports/control_group",
                "reports.control_group",
                "Compares the workspace's control group with everybody else",
                limit: .export,
                success: .ok,
                takes: ReportSchemas.controlGroupQuestion,
                answers: ReportSchemas.controlGroupAnswer
            ) { try await answer($0, .controlGroup) },
        ]
        // They change nothing that an audit log would have to say.
        return all.map { $0.recordingItself.asTableToo }
    }

    private func composition(_ call: RESTEndpoint.Call) async throws -> Response {
        let asked = try await reader.composition(try call.reader(), in: call.workspace)
        let answer = try await reports.composition(asked.question, in: call.workspace)
        return try call.answer(
            ReportAnswers.json(answer, asked.breakdown),
            or: answer.table(asked.breakdown.name),
            completeSince: try await reports.completeSince(asked.question, in: call.workspace)
        )
    }

    private func answer(
        _ call: RESTEndpoint.Call,
        _ kind: ReportQuestion.Kind
    ) async throws -> Response {
        let asked = try await reader.question(kind, try call.reader(), in: call.workspace)
        return try call.answer(
            try await reports.answer(asked.question, in: call.workspace),
            asked.breakdown,
            completeSince: try await reports.completeSince(asked.question, in: call.workspace)
        )
    }
}

extension RESTEndpoint.Call {
    /// A report in the form that the client takes.
    func answer(
        _ answer: ReportAnswer,
        _ breakdown: ReportQuestionForm.Breakdown,
        completeSince: Date?
    ) throws -> Response {
        try self.answer(
            ReportAnswers.json(answer, breakdown),
            or: answer.table(breakdown.name),
            completeSince: completeSince
        )
    }

    fileprivate func answer(
        _ json: JSONValue,
        or table: @autoclosure () -> ReportTable,
        completeSince: Date?
    ) throws -> Response {
        var json = json
        let since = completeSince.map(Timestamp.format)
        if let since, case .object(var members) = json {
            members["complete_since"] = .string(since)
            json = .object(members)
        }
        var response = try self.answer(json, or: table())
        // A table has no place for it.
        if let since, let name = HTTPField.Name("Complete-Since") { response.headers[name] = since }
        return response
    }

    fileprivate func answer(
        _ json: @autoclosure () -> JSONValue,
        or table: @autoclosure () -> ReportTable
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
