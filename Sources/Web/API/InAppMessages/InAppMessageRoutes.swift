import Audience
import ContentFiles
import Experiments
import Foundation
import Hummingbird
import InAppMessages
import Ingestion
import Model
import NoroshiWire
import Reasons

/// `/in_app_messages/…`: messages that devices show themselves after an occurrence in the app.
/// Braze has no endpoints for them; these are specific to this server.
struct InAppMessageRoutes: Sendable {
    private static let pageLength = 100

    let segments: SegmentService
    let service: InAppMessageService

    var endpoints: [RESTEndpoint] {
        let changes: [String: Schema] = [
            "state": InAppMessageSchemas.state,
            "segment_id": Schema.uuid.orNull.described("Who is eligible; null for everybody."),
            "experiment": InAppMessageSchemas.experiment.orNull
                .described("Other contents to compare, and a control group."),
            "goal": JourneySchemas.goal.orNull
                .described(
                    "What users should do, by which contents and control group are compared."
                ),
        ]
        let id = Schema.success(["in_app_message_id": Schema.uuid.required])
        return [
            .post(
                "/in_app_messages/create",
                "in_app_messages.create",
                "Makes an in-app message, a draft unless its state says otherwise",
                takes: Schema.object(
                    changes.merging([
                        "name": Schema.text(1...250).required,
                        "message": Schema("InAppMessage").required,
                    ]) { $1 }
                ).example(InAppMessageSchemas.example),
                answers: id
            ) { try await create($0) }.recordingItself,
            .post(
                "/in_app_messages/update",
                "in_app_messages.update",
                "Changes an in-app message; devices get it at their next session",
                takes: .object(
                    changes.merging([
                        "in_app_message_id": Schema.uuid.required, "name": .text(1...250),
                        "message": "InAppMessage",
                    ]) { $1 }
                ),
                answers: id
            ) { try await update($0) }.recordingItself,
            .get(
                "/in_app_messages/list",
                "in_app_messages.list",
                "Lists in-app messages, \(Self.pageLength) on a page",
                [.page],
                answers: InAppMessageSchemas.list
            ) { try await list($0) },
            .get(
                "/in_app_messages/details",
                "in_app_messages.details",
                "Shows an in-app message and what users did with it",
                [.init(name: "in_app_message_id", isRequired: true, schema: .uuid)],
                answers: InAppMessageSchemas.details
            ) { try await details($0) },
            .get(
                "/in_app_messages/experiment",
                "in_app_messages.experiment",
                "Compares the contents of an in-app message, user by user, by who tapped and who reached "
                    + "the goal",
                [
                    .init(name: "in_app_message_id", isRequired: true, schema: .uuid),
                    .init(
                        name: "smallest_lift",
                        schema: .number,
                        summary:
                            "The smallest relative lift worth knowing; without it 0.1, for 10 %."
                    ),
                ],
                answers: InAppComparisonAnswer.schema
            ) { try await experiment($0) },
        ]
    }

    private func create(_ call: RESTEndpoint.Call) async throws -> Response {
        let reader = try call.reader()
        guard reader.value("message") != nil else {
            throw reader.problem("message", .required)
        }
        _ = try reader.requiredString("name")
        var stored = service.blank(in: call.workspace)
        try await InAppMessageReader(segments: segments).read(reader, into: &stored)
        try await service.create(stored, by: .key(call.key))
        return try answer(stored)
    }

    private func update(_ call: RESTEndpoint.Call) async throws -> Response {
        let reader = try call.reader()
        var stored = try await message(reader, in: call.workspace)
        try await InAppMessageReader(segments: segments).read(reader, into: &stored)
        guard try await service.update(stored, by: .key(call.key)) else { throw unknown(reader) }
        return try answer(stored)
    }

    private func answer(_ stored: InAppMessageDefinition) throws -> Response {
        try JSONResponse.json(
            [
                "message": "success",
                "in_app_message_id": .string(stored.id.uuidString.lowercased()),
            ],
            status: .created
        )
    }

    private func list(_ call: RESTEndpoint.Call) async throws -> Response {
        let found = try await service.messages(
            in: call.workspace,
            limit: Self.pageLength,
            offset: try call.reader().page() * Self.pageLength
        )
        var rows: [JSONValue] = []
        for stored in found { rows.append(.object(try await summary(stored))) }
        return try JSONResponse.json(["message": "success", "in_app_messages": .array(rows)])
    }

    private func details(_ call: RESTEndpoint.Call) async throws -> Response {
        let stored = try await message(try call.reader(), in: call.workspace)
        let report = try await service.report(of: stored)
        var answer = try await summary(stored)
        answer["in_app_message"] = try JSONDecoder().decode(
            JSONValue.self,
            from: try JSONEncoder().encode(stored.message)
        )
        answer["experiment"] = try Self.shown(stored.experiment)
        answer["goal"] = try stored.goal.map(GoalForm.value) ?? .null
        answer["figures"] = Self.figures(report.counts)
        answer["variants"] = .object(report.variants.mapValues(Self.figures))
        answer["variant_contents"] = .array(
            report.contents.map {
                [
                    "number": .integer(Int64($0.number)),
                    "variant_id": .string($0.id.uuidString.lowercased()),
                    "header": .string($0.header), "message": .string($0.text),
                    "is_current": .bool(report.current.contains($0.number)),
                ]
            }
        )
        answer["message"] = "success"
        return try JSONResponse.json(JSONValue.object(answer))
    }

    private func experiment(_ call: RESTEndpoint.Call) async throws -> Response {
        let reader = try call.reader()
        let stored = try await message(reader, in: call.workspace)
        let lift = try ExperimentRoutes.number("smallest_lift", in: ExperimentRoutes.lifts, reader)
        let comparison = try await service.comparison(
            of: stored,
            smallestLift: lift ?? Experiment.usualLift
        )
        guard let comparison else {
            throw reader.problem("in_app_message_id", .nothingCompared)
        }
        return try JSONResponse.json(InAppComparisonAnswer(comparison).json)
    }

    private static func shown(_ experiment: InAppExperiment) throws -> JSONValue {
        guard experiment.isRunning else { return .null }
        let others = try experiment.others.map { other in
            var object = try JSONDecoder().decode(
                [String: JSONValue].self,
                from: try JSONEncoder().encode(other)
            )
            for field in ["id", "rules"] { object[field] = nil }
            return JSONValue.object(object)
        }
        return [
            "control_share": .integer(Int64(experiment.controlShare)),
            "weights": .array(experiment.weights.map { .integer(Int64($0)) }),
            "variant_ids": .array(
                experiment.identities.map { .string($0.id.uuidString.lowercased()) }
            ),
            "others": .array(others),
        ]
    }

    private static func figures(_ counts: InAppMessageCounts) -> JSONValue {
        func number(_ count: Int?) -> JSONValue { .integer(Int64(count ?? 0)) }
        return [
            "impressions": number(counts.impressions),
            "unique_recipients": number(counts.recipients),
            "clicks": number(counts.clicks), "dismissals": number(counts.dismissals),
            "first_button_clicks": number(counts.buttonClicks["0"]),
            "second_button_clicks": number(counts.buttonClicks["1"]),
            "button_clicks": .object(counts.buttonClicks.mapValues { number($0) }),
        ]
    }

    private func summary(_ stored: InAppMessageDefinition) async throws -> [String: JSONValue] {
        var segment: StoredSegment?
        if let id = stored.audience.segments.first {
            segment = try await segments.segment(
                id,
                in: stored.workspace,
                includingArchived: true
            )
        }
        return [
            "id": .string(stored.id.uuidString.lowercased()), "name": .string(stored.name),
            "state": .string(stored.state.rawValue),
            "segment_id": (segment?.apiID.uuidString.lowercased()).map(JSONValue.string) ?? .null,
            "created_at": .string(Timestamp.format(stored.createdAt)),
            "updated_at": .string(Timestamp.format(stored.updatedAt)),
        ]
    }

    private func message(
        _ reader: RequestReader,
        in workspace: WorkspaceID
    ) async throws -> InAppMessageDefinition {
        guard let id = UUID(uuidString: try reader.requiredString("in_app_message_id")),
            let stored = try await service.message(id, in: workspace)
        else { throw unknown(reader) }
        return stored
    }

    private func unknown(_ reader: RequestReader) -> FieldProblem {
        reader.problem("in_app_message_id", .noInAppMessage)
    }
}
