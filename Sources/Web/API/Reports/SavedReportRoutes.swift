import Audience
import Foundation
import Hummingbird
import Model
import NoroshiWire
import Reasons
import Reports

/// `/reports/list`, `create`, `details`, `run`, `update` and `delete`: questions with a name.
struct SavedReportRoutes: Sendable {
    let saved: SavedReportService

    var endpoints: [RESTEndpoint] {
        [
            .get(
                "/reports/list",
                "reports.list",
                "Lists the saved reports, by name",
                answers: .success(["reports": .list(of: .object(Self.report))])
            ) { try await list($0) },
            .get(
                "/reports/details",
                "reports.details",
                "Tells what a saved report asks, and the secret that signs its webhook",
                [.init(name: "report_id", isRequired: true, schema: .uuid)],
                answers: .success(
                    Self.report.merging([
                        "webhook_secret": Schema.text.orNull.required.described(
                            "null without a webhook. Noroshi-Signature has t, a time in Unix "
                                + "seconds, and v1, the HMAC-SHA256 in hexadecimal of t, a dot and "
                                + "the body."
                        )
                    ]) { $1 }
                )
            ) { try await details($0) },
            .post(
                "/reports/create",
                "reports.create",
                "Saves a report by a name",
                takes: .object(
                    Self.members(isNew: true)
                ),
                answers: .success(Self.report)
            ) { try await create($0) }.recordingItself,
            .post(
                "/reports/update",
                "reports.update",
                "Changes a saved report; what is not sent stays",
                success: .ok,
                takes: .object(
                    Self.members(isNew: false).merging(["report_id": Schema.uuid.required]) { $1 }
                ),
                answers: .success(Self.report)
            ) { try await update($0) }.recordingItself,
            .post(
                "/reports/run",
                "reports.run",
                "Answers a saved report as of now, as its kind of report does",
                limit: .export,
                success: .ok,
                takes: .object(["report_id": Schema.uuid.required]),
                answers: .either(
                    ReportSchemas.funnelAnswer,
                    ReportSchemas.retentionAnswer,
                    ReportSchemas.seriesAnswer,
                    ReportSchemas.controlGroupAnswer
                )
            ) { try await run($0) }.recordingItself.asTableToo,
            .post(
                "/reports/delete",
                "reports.delete",
                "Deletes a saved report",
                success: .ok,
                takes: .object(["report_id": Schema.uuid.required]),
                answers: .success()
            ) { try await delete($0) }.recordingItself,
        ]
    }

    // MARK: Schemas

    private static let kind = Schema.choice(ReportQuestion.Kind.allCases.map(\.rawValue))
        .example(.string(ReportQuestion.Kind.series.rawValue))
        .described("As /reports/funnel, retention, series and control_group.")

    private static let weekly = Schema.object([
        "url": Schema.text.required.described(
            "Gets a signed POST. Only addresses that connected_content may call."
        ),
        "weekday": Schema.integer(1...7).required.described("ISO 8601: Monday is 1."),
        "time": Schema.text.required.example("08:00").described("In the workspace's time zone."),
    ])

    private static func members(isNew: Bool) -> [String: Schema] {
        func field(_ schema: Schema) -> Schema { isNew ? schema.required : schema }
        return [
            "name": field(Schema.text(1...SavedReport.nameLimit)), "kind": field(kind),
            "question": field(
                Schema.map.described("What the kind's endpoint takes; ending_at is left out.")
            ).example(["length": 30, "series": ["session": true]]),
            "on_overview": .bool, "weekly": weekly.orNull,
        ]
    }

    private static let report: [String: Schema] = [
        "id": Schema.uuid.required, "name": Schema.text.required, "kind": kind.required,
        "question": Schema.map.required, "on_overview": Schema.bool.required,
        "author": Schema.text.required, "created_at": Schema.time.required,
        "updated_at": Schema.time.required, "weekly": weekly.orNull.required,
        "last_sent_at": Schema.time.orNull.required, "next_at": Schema.time.orNull.required,
        "problem": Schema.text.orNull.required.described("Why it did not arrive the last time."),
    ]

    private static func json(_ report: SavedReport) -> [String: JSONValue] {
        func time(_ date: Date?) -> JSONValue {
            date.map { .string(Timestamp.format($0)) } ?? .null
        }
        let content = report.content
        return [
            "message": "success", "id": .string(report.id.uuidString.lowercased()),
            "name": .string(content.name), "kind": .string(content.kind),
            "question": .object(content.question), "on_overview": .bool(content.isOnOverview),
            "author": .string(report.author), "created_at": time(report.createdAt),
            "updated_at": time(report.updatedAt),
            "weekly": content.schedule.map { schedule in
                [
                    "url": .string(schedule.address),
                    "weekday": .integer(Int64(schedule.weekday)),
                    "time": .string(schedule.time.description),
                ]
            } ?? .null,
            "last_sent_at": time(report.delivery?.sentAt), "next_at": time(report.delivery?.dueAt),
            "problem": report.delivery?.problem.map { .string("\($0)") } ?? .null,
        ]
    }

    // MARK: Verbs

    private func list(_ call: RESTEndpoint.Call) async throws -> Response {
        let reports = try await saved.reports(in: call.workspace).map { report in
            var members = Self.json(report)
            members["message"] = nil
            return JSONValue.object(members)
        }
        return try JSONResponse.json(["message": "success", "reports": .array(reports)])
    }

    private func details(_ call: RESTEndpoint.Call) async throws -> Response {
        let report = try await report(try call.reader(), call)
        var members = Self.json(report)
        members["webhook_secret"] =
            report.content.schedule == nil
            ? .null : .string(try saved.signingSecret(of: report, for: .key(call.key)))
        return try JSONResponse.json(.object(members))
    }

    private func create(_ call: RESTEndpoint.Call) async throws -> Response {
        let body = try call.reader()
        let content = SavedReport.Content(
            name: try body.requiredString("name"),
            kind: try body.requiredString("kind"),
            question: try body.object("question"),
            isOnOverview: try body.flag("on_overview") ?? false,
            schedule: try Self.schedule(body)
        )
        guard let report = try await saved.save(content, by: .key(call.key)) else {
            throw body.problem("report_id", .isUnknown)
        }
        return try JSONResponse.json(.object(Self.json(report)), status: .created)
    }

    private func update(_ call: RESTEndpoint.Call) async throws -> Response {
        let body = try call.reader()
        let former = try await report(body, call)
        var content = former.content
        content.name = try body.string("name") ?? content.name
        content.kind = try body.string("kind") ?? content.kind
        if body.value("question") != nil { content.question = try body.object("question") }
        content.isOnOverview = try body.flag("on_overview") ?? content.isOnOverview
        if body.value("weekly") != nil || body.isNull("weekly") {
            content.schedule = try Self.schedule(body)
        }
        guard let report = try await saved.save(content, as: former.id, by: .key(call.key)) else {
            throw body.problem("report_id", .isUnknown)
        }
        return try JSONResponse.json(.object(Self.json(report)))
    }

    private func run(_ call: RESTEndpoint.Call) async throws -> Response {
        let found = try await saved.run(try await report(try call.reader(), call))
        return try call.answer(
            found.answer,
            found.breakdown,
            completeSince: found.completeSince
        )
    }

    private func delete(_ call: RESTEndpoint.Call) async throws -> Response {
        let body = try call.reader()
        let report = try await report(body, call)
        guard try await saved.delete(report.id, by: .key(call.key)) else {
            throw body.problem("report_id", .isUnknown)
        }
        return try JSONResponse.json(["message": "success"])
    }

    private func report(
        _ body: RequestReader,
        _ call: RESTEndpoint.Call
    ) async throws -> SavedReport {
        let text = try body.requiredString("report_id")
        guard let id = UUID(uuidString: text),
            let report = try await saved.report(id, in: call.workspace)
        else { throw body.problem("report_id", .isUnknown) }
        return report
    }

    private static func schedule(_ body: RequestReader) throws -> SavedReport.Schedule? {
        guard let value = body.value("weekly") else { return nil }
        let reader = try RequestReader(value, path: "weekly")
        guard let weekday = try reader.wholeNumber("weekday", 1...7) else {
            throw reader.problem("weekday", .required)
        }
        guard let time = TimeOfDay(try reader.requiredString("time")) else {
            throw reader.problem("time", .isTimeOfDay)
        }
        return SavedReport.Schedule(
            address: try reader.requiredString("url"),
            weekday: weekday,
            time: time
        )
    }
}
