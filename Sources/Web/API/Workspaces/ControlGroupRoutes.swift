import Audience
import Campaigns
import Experiments
import Foundation
import Hummingbird
import Ingestion
import Model
import NoroshiWire
import Reasons
import Reports

/// `/workspace/control_group` and `/reports/control_group`: the users who get no campaign's messages,
/// and what messages change.
struct ControlGroupRoutes: Sendable {
    private static let lifts = 0.001...10.0

    let limits: LimitService
    let audience: SegmentationService
    let reports: ReportService
    let reader: ReportReader

    var endpoints: [RESTEndpoint] {
        [
            .get(
                "/workspace/control_group",
                "workspace.control_group",
                "Tells which share of the users gets no campaign's messages, and how many they are",
                answers: Self.group
            ) { call in try await show(call) },
            .post(
                "/workspace/control_group/update",
                "workspace.control_group.update",
                "Changes the share of users who get no campaign's messages",
                success: .ok,
                takes: .object([
                    "share": Schema.integer(0...ControlGroup.shares.upperBound).required
                        .described(
                            "A percentage; 0 for no such group. A larger one keeps its members."
                        ),
                    "redraw": Schema.bool.described("Whether other users are drawn."),
                ]),
                answers: Self.group
            ) { try await change($0) }.recordingItself,
            .post(
                "/reports/control_group",
                "reports.control_group",
                "Compares the workspace's control group with everybody else",
                limit: .export,
                success: .ok,
                takes: ReportSchemas.controlGroupQuestion,
                answers: ReportSchemas.controlGroupAnswer
            ) { try await report($0) }.recordingItself,
        ]
    }

    private static let group = Schema.success([
        "share": Schema.integer(0...ControlGroup.shares.upperBound).required
            .described("0 without such a group."),
        "since": Schema.time.orNull.required,
        "users": Schema.count.required.described("Its members now."),
    ])

    private func show(_ call: RESTEndpoint.Call) async throws -> Response {
        let group = try await limits.limits(of: call.workspace).controlGroup
        let users = try await audience.select(.controlGroup, in: call.workspace).count().users
        return try JSONResponse.json([
            "message": "success", "share": .integer(Int64(group?.share ?? 0)),
            "since": group.map { .string(Timestamp.format($0.since)) } ?? .null,
            "users": .integer(Int64(users)),
        ])
    }

    private func change(_ call: RESTEndpoint.Call) async throws -> Response {
        let body = try call.reader()
        guard let share = try body.wholeNumber("share", 0...ControlGroup.shares.upperBound) else {
            throw body.problem("share", .required)
        }
        _ = try await limits.saveControlGroup(
            share: share,
            redraws: try body.flag("redraw") ?? false,
            by: .key(call.key)
        )
        return try await show(call)
    }

    private static func lift(_ body: RequestReader) throws -> Double? {
        guard let value = body.value("smallest_lift") else { return nil }
        guard let lift = value.doubleValue, lifts.contains(lift) else {
            throw body.problem(
                "smallest_lift",
                Reason(
                    FieldReason.number,
                    ["first": "\(lifts.lowerBound)", "last": "\(lifts.upperBound)"]
                )
            )
        }
        return lift
    }

    private func report(_ call: RESTEndpoint.Call) async throws -> Response {
        let body = try call.reader()
        guard let value = body.value("activity") else { throw body.problem("activity", .required) }
        let currency = try body.string("currency")?.uppercased()
        if let currency { try FieldValidator.currency(currency) }
        let lift = try Self.lift(body)
        let question = ControlGroupQuestion(
            period: try await reader.period(body, in: call.workspace),
            activity: try ReportReader.activity(try RequestReader(value, path: "activity")),
            currency: currency,
            audience: try await reader.audience(body, in: call.workspace),
            smallestLift: lift ?? Experiment.usualLift
        )
        let report = try await reports.controlGroup(question, in: call.workspace)
        return try JSONResponse.json(
            JSONValue.object([
                "message": "success",
                "share": .integer(Int64(report?.group.share ?? 0)),
                "since": report.map { .string(Timestamp.format($0.group.since)) } ?? .null,
                "measures": .array(
                    (report?.results ?? []).map { result in
                        ExperimentMeasureAnswer(
                            result.experiment,
                            name: result.measure.isRate ? "rate" : "revenue",
                            isRate: result.measure.isRate
                        ) { $0 == .control ? "control" : "others" }.json
                    }
                ),
            ])
        )
    }
}
