import Audience
import Campaigns
import Foundation
import Hummingbird
import Ingestion
import Journeys
import Model
import NoroshiWire
import Reasons
import Users

/// `/canvas/…`: journeys in the terms of Braze. A canvas has one variant here, the journey itself.
struct CanvasRoutes: Sendable {
    private static let pageLength = 100

    let journeys: JourneyService

    var endpoints: [RESTEndpoint] {
        let named = RESTEndpoint.Parameter(name: "canvas_id", isRequired: true, schema: .uuid)
        return [
            .get(
                "/canvas/list",
                "canvas.list",
                "Lists journeys as canvases, \(Self.pageLength) on a page",
                [
                    .page, .init(name: "include_archived", schema: .choice("true", "false")),
                    .init(name: "sort_direction", schema: .choice("asc", "desc")),
                    .init(name: "last_edit.time[gt]", schema: .time),
                ],
                answers: .success([
                    "canvases": Schema.list(
                        of: .object([
                            "id": Schema.uuid.required, "last_edited": Schema.time.required,
                            "name": Schema.text.required,
                            "tags": Schema.list(of: .text).required,
                        ])
                    ).required
                ])
            ) { try await list($0) },
            .get(
                "/canvas/details",
                "canvas.details",
                "Describes a journey as a canvas: its published version, or else its draft",
                [
                    named,
                    .init(
                        name: "post_launch_draft_version",
                        schema: .choice("true", "false"),
                        summary: "Whether the draft is described although a version is published."
                    ),
                ],
                answers: CanvasSchemas.details
            ) { try await details($0) },
            .post(
                "/canvas/duplicate",
                "canvas.duplicate",
                "Makes a draft that is a copy of a journey's draft",
                success: .accepted,
                takes: .object([
                    "canvas_id": Schema.uuid.required, "name": Schema.text(1...250).required,
                    "description": Schema.text(0...1_000).orNull,
                    "tag_names": Schema.list(of: .text(1...250), limit: 50)
                        .described("The copy's tags; those of the journey where there are none."),
                ]),
                answers: .success(["canvas_id": Schema.uuid.required])
            ) { try await duplicate($0) }.recordingItself,
        ]
    }

    private var reader: JourneyReader { JourneyReader(journeys: journeys) }

    private func list(_ call: RESTEndpoint.Call) async throws -> Response {
        let reader = try call.reader()
        var query = JourneyQuery(
            limit: Self.pageLength,
            offset: try reader.page() * Self.pageLength
        )
        if try Self.flag("include_archived", reader) { query.states = Set(JourneyState.allCases) }
        switch try reader.string("sort_direction") ?? "asc" {
        case "asc": query.order = .oldestFirst
        case "desc": query.order = .newestFirst
        default: throw reader.problem("sort_direction", .ascOrDesc)
        }
        query.editedAfter = try reader.time("last_edit.time[gt]")
        let found = try await journeys.journeys(in: call.workspace, matching: query)
        return try JSONResponse.json([
            "message": "success",
            "canvases": .array(
                found.journeys.map { journey in
                    [
                        "id": JourneyAnswer.text(journey.apiID),
                        "last_edited": JourneyAnswer.time(journey.updatedAt),
                        "name": .string(journey.draft.name),
                        "tags": .array(journey.draft.tags.map(JSONValue.string)),
                    ]
                }
            ),
        ])
    }

    /// A flag among the parameters of a GET.
    static func flag(_ field: String, _ reader: RequestReader) throws(FieldProblem) -> Bool {
        switch try reader.string(field) ?? "false" {
        case "true": true
        case "false": false
        default: throw reader.problem(field, .mustBeFlag)
        }
    }

    private func details(_ call: RESTEndpoint.Call) async throws -> Response {
        let reader = try call.reader()
        let journey = try await self.reader.canvas(reader, in: call.workspace)
        var definition = journey.draft
        if let number = journey.version, try !Self.flag("post_launch_draft_version", reader),
            let version = try await journeys.version(number, of: journey)
        {
            definition = version.definition
        }
        return try JSONResponse.json(
            JSONValue.object(CanvasAnswer(journey, definition).details)
        )
    }

    private func duplicate(_ call: RESTEndpoint.Call) async throws -> Response {
        let reader = try call.reader()
        let journey = try await self.reader.canvas(reader, in: call.workspace)
        var tags: [String]?
        if reader.value("tag_names") != nil {
            tags = try reader.strings("tag_names", limit: 50)
            if let wrong = tags?.firstIndex(where: { !(1...250).contains($0.count) }) {
                throw reader.problem(
                    "tag_names.\(wrong)",
                    .textLength,
                    ["first": "1", "last": "250"]
                )
            }
        }
        let copy = try await journeys.duplicate(
            journey,
            name: try reader.requiredPlainText("name", 1...250),
            note: try reader.plainText("description", 0...1_000),
            tags: tags,
            by: .key(call.key)
        )
        return try JSONResponse.json(
            ["message": "success", "canvas_id": JourneyAnswer.text(copy.apiID)],
            status: .accepted
        )
    }
}
