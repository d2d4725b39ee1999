import ContentFiles
import Foundation
import Hummingbird
import Ingestion
import Journeys
import Model
import NoroshiWire
import Reasons

/// `/journeys/…`: writes journeys and shows what they are. Braze has no endpoints for this; these
/// are specific to this server.
struct JourneyRoutes: Sendable {
    private static let pageLength = 100

    let journeys: JourneyService
    let forms: JourneyForms

    var endpoints: [RESTEndpoint] {
        let id = Schema.success([
            "journey_id": Schema.uuid.required, "updated_at": Schema.time.required,
            "problems": JourneySchemas.problems,
        ])
        var required = JourneySchemas.fields
        for name in ["name", "entry"] { required[name] = required[name]?.required }
        return [
            .post(
                "/journeys/create",
                "journeys.create",
                "Makes a draft of a journey, and tells what keeps it from being published",
                takes: Schema.object(required).example(JourneySchemas.example),
                answers: id
            ) { try await create($0) }.recordingItself,
            .post(
                "/journeys/update",
                "journeys.update",
                "Changes the draft of a journey; nobody's way changes before it is published",
                takes: .object(
                    JourneySchemas.fields.merging([
                        "journey_id": Schema.uuid.required,
                        "updated_at": Schema.time.described(
                            "When it had last been changed as you read it: nothing is changed "
                                + "if somebody else has done so since."
                        ),
                    ]) { $1 }
                ),
                answers: id
            ) { try await update($0) }.recordingItself,
            .post(
                "/journeys/duplicate",
                "journeys.duplicate",
                "Makes a draft that is a copy of a journey's draft",
                takes: .object([
                    "journey_id": Schema.uuid.required, "name": Schema.text(1...250).required,
                ]),
                answers: id
            ) { try await duplicate($0) }.recordingItself,
            .get(
                "/journeys/list",
                "journeys.list",
                "Lists journeys, the newest first, \(Self.pageLength) on a page",
                [
                    .page, .init(name: "text", summary: "In the name or a tag."),
                    .init(
                        name: "state",
                        schema: JourneySchemas.state,
                        summary: "All but archived ones without it."
                    ),
                ],
                answers: .success([
                    "journeys": Schema.list(of: .object(JourneySchemas.summary)).required,
                    "total": Schema.count.required,
                ])
            ) { try await list($0) },
            .get(
                "/journeys/details",
                "journeys.details",
                "Shows a journey's draft, or a version that was published",
                [
                    JourneySchemas.id,
                    .init(
                        name: "version",
                        schema: .integer(1...1_000_000),
                        summary: "The draft without it."
                    ),
                ],
                answers: .success(
                    JourneySchemas.summary.merging([
                        "journey": Schema.object(JourneySchemas.fields).required,
                        "versions": Schema.list(
                            of: .object([
                                "version": Schema.integer().required,
                                "published_at": Schema.time.required,
                                "publisher": Schema.text.required,
                            ])
                        ).required,
                    ]) { $1 }
                )
            ) { try await details($0) },
            .get(
                "/journeys/check",
                "journeys.check",
                "Lists every field that keeps a journey's draft from being published",
                [JourneySchemas.id],
                answers: .success(["problems": JourneySchemas.problems])
            ) { try await check($0) },
        ]
    }

    private var reader: JourneyReader { JourneyReader(journeys: journeys) }

    private func create(_ call: RESTEndpoint.Call) async throws -> Response {
        let reader = try call.reader()
        _ = try reader.requiredPlainText("name", 1...250)
        guard reader.value("entry") != nil else { throw reader.problem("entry", .required) }
        let definition = try await forms.definition(try members(call), in: call.workspace)
        let created = try await journeys.create(definition, by: .key(call.key))
        return try await answer(created)
    }

    private func update(_ call: RESTEndpoint.Call) async throws -> Response {
        let reader = try call.reader()
        let journey = try await self.reader.journey(reader, in: call.workspace)
        let version = try JourneyReader.version(reader)
        let definition = try await forms.definition(
            try members(call, besides: ["journey_id", "updated_at"]),
            changing: journey.draft,
            in: call.workspace
        )
        do {
            try await journeys.update(
                journey,
                to: definition,
                by: .key(call.key),
                from: EditOrigin(version: version)
            )
        } catch  where JourneyService.isOutdated(error) {
            throw RefusalError(.journeyMoved)
        }
        return try await answer(try await self.reader.journey(reader, in: call.workspace))
    }

    private func duplicate(_ call: RESTEndpoint.Call) async throws -> Response {
        let reader = try call.reader()
        let journey = try await self.reader.journey(reader, in: call.workspace)
        let copy = try await journeys.duplicate(
            journey,
            name: try reader.requiredPlainText("name", 1...250),
            by: .key(call.key)
        )
        return try await answer(copy)
    }

    /// The fields of the form, without those that name what is changed and the key of old clients.
    private func members(
        _ call: RESTEndpoint.Call,
        besides others: [String] = []
    ) throws -> [String: JSONValue] {
        var members = call.body.objectValue ?? [:]
        for name in others + ["api_key"] { members[name] = nil }
        return members
    }

    private func answer(_ journey: Journey) async throws -> Response {
        let problems = try await journeys.problems(of: journey.draft, in: journey.workspace)
        return try JSONResponse.json(
            [
                "message": "success", "journey_id": JourneyAnswer.text(journey.apiID),
                "updated_at": JourneyAnswer.time(journey.updatedAt),
                "problems": JourneyAnswer.problems(problems),
            ],
            status: .created
        )
    }

    private func list(_ call: RESTEndpoint.Call) async throws -> Response {
        let reader = try call.reader()
        let state = try reader.choice("state", JourneyState.allCases)
        let found = try await journeys.journeys(
            in: call.workspace,
            matching: JourneyQuery(
                text: try reader.string("text") ?? "",
                states: state.map { [$0] } ?? [],
                limit: Self.pageLength,
                offset: try reader.page() * Self.pageLength
            )
        )
        return try JSONResponse.json([
            "message": "success", "total": JourneyAnswer.number(found.total),
            "journeys": .array(found.journeys.map { .object(JourneyAnswer($0).summary) }),
        ])
    }

    private func details(_ call: RESTEndpoint.Call) async throws -> Response {
        let reader = try call.reader()
        let journey = try await self.reader.journey(reader, in: call.workspace)
        let versions = try await journeys.versions(of: journey)
        var definition = journey.draft
        if let number = try reader.wholeNumber("version", 1...1_000_000) {
            guard let version = versions.first(where: { $0.number == number }) else {
                throw reader.problem("version", .noJourneyVersion)
            }
            definition = version.definition
        }
        var answer = JourneyAnswer(journey).summary
        answer["message"] = "success"
        answer["journey"] = .object(
            try await forms.members(of: definition, in: call.workspace)
        )
        answer["versions"] = .array(
            versions.map {
                [
                    "version": JourneyAnswer.number($0.number),
                    "published_at": JourneyAnswer.time($0.publishedAt),
                    "publisher": .string($0.publisher),
                ]
            }
        )
        return try JSONResponse.json(JSONValue.object(answer))
    }

    private func check(_ call: RESTEndpoint.Call) async throws -> Response {
        let journey = try await reader.journey(try call.reader(), in: call.workspace)
        let problems = try await journeys.problems(of: journey.draft, in: call.workspace)
        return try JSONResponse.json([
            "message": "success", "problems": JourneyAnswer.problems(problems),
        ])
    }
}
