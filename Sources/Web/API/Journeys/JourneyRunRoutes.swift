import Campaigns
import Foundation
import Hummingbird
import Ingestion
import Journeys
import Model
import NoroshiWire
import Reasons
import Users

/// `/journeys/…`: publishes journeys, pauses and stops them, and lets users in.
struct JourneyRunRoutes: Sendable {
    let journeys: JourneyService
    let users: UserService
    let now: @Sendable () -> Date

    var endpoints: [RESTEndpoint] {
        let version = Schema.time.described(
            "When it had last been changed as you read it: nothing happens if it was changed since."
        )
        let state = Schema.success([
            "journey_id": Schema.uuid.required, "state": JourneySchemas.state.required,
            "version": Schema.integer().orNull.required, "updated_at": Schema.time.required,
        ])
        let verbs: [(JourneyAction, String)] = [
            (.pause, "Pauses a journey: nobody enters or moves on, times of waits go on"),
            (.resume, "Resumes a journey that is paused"),
            (.drain, "Lets nobody enter a journey any more; who is inside goes on to the end"),
            (.stop, "Stops a journey: everybody leaves, and what was not sent is not"),
            (.archive, "Hides a journey that is a draft or stopped from lists"),
        ]
        return [
            .post(
                "/journeys/preview",
                "journeys.preview",
                "Counts what publishing the draft would do with the people who are inside",
                success: .ok,
                takes: .object(JourneySchemas.migration),
                answers: JourneySchemas.preview
            ) { try await preview($0) }.recordingItself,
            .post(
                "/journeys/publish",
                "journeys.publish",
                "Makes the draft the version that people enter, and starts the journey",
                takes: .object(
                    JourneySchemas.migration.merging(["updated_at": version]) { $1 }
                ),
                answers: state
            ) { try await publish($0) }.recordingItself,
            .post(
                "/journeys/enter",
                "journeys.enter",
                "Lets users into a journey that is entered by the API",
                headers: [Self.key],
                takes: .object([
                    "journey_id": Schema.uuid.required, "properties": Schema.map.orNull,
                    "recipients": RecipientsReader.schema(properties: "properties").notEmpty
                        .required,
                ]),
                answers: Self.entered
            ) { try await enter($0) }.recordingItself,
        ]
            + verbs.map { action, summary in
                .post(
                    "/journeys/\(action.rawValue)",
                    "journeys.\(action.rawValue)",
                    summary,
                    takes: .object([
                        "journey_id": Schema.uuid.required, "updated_at": version,
                    ]),
                    answers: state
                ) { try await take(action, $0) }.recordingItself
            }
    }

    static let key = RESTEndpoint.Parameter(
        name: IdempotencyKeyReader.header.name,
        schema: IdempotencyKeyReader.header.schema,
        summary: "A request sent again under the same key within 30 days lets nobody in again and "
            + "gets the same answer.",
        place: .header
    )

    static let entering: [String: Schema] = [
        "users": Schema.count.required.described(
            "How many of them are known; they enter if the journey's rules let them then."
        ),
        "errors": .list(of: "ItemProblem"),
    ]
    static let entered = Schema.success(entering)

    private var reader: JourneyReader { JourneyReader(journeys: journeys) }

    private func preview(_ call: RESTEndpoint.Call) async throws -> Response {
        let reader = try call.reader()
        let journey = try await self.reader.journey(reader, in: call.workspace)
        let migration = try JourneyReader.migration(reader, of: journey)
        let rows = try await journeys.preview(of: migration, of: journey)
        let problems = try await journeys.problems(of: journey.draft, in: call.workspace)
        return try JSONResponse.json([
            "message": "success",
            "waiting": JourneyAnswer.number(rows.reduce(0) { $0 + $1.waiting }),
            "steps": .array(
                rows.map { row in
                    [
                        "step_id": .string(row.step.description),
                        "name": journey.draft.step(row.step).map { .string($0.name) } ?? .null,
                        "waiting": JourneyAnswer.number(row.waiting),
                        "keeping": JourneyAnswer.number(row.keeping),
                        "staying": JourneyAnswer.number(row.staying),
                        "going_on": JourneyAnswer.number(row.goingOn),
                        "leaving": JourneyAnswer.number(row.leaving),
                    ]
                }
            ),
            "problems": JourneyAnswer.problems(problems),
        ])
    }

    private func publish(_ call: RESTEndpoint.Call) async throws -> Response {
        let reader = try call.reader()
        let journey = try await self.reader.journey(reader, in: call.workspace)
        if let version = try JourneyReader.version(reader),
            Timestamp.format(version) != Timestamp.format(journey.updatedAt)
        {
            throw RefusalError(.journeyMoved)
        }
        let published = try await journeys.publish(
            journey,
            migration: try JourneyReader.migration(reader, of: journey),
            by: .key(call.key)
        )
        return try answer(published)
    }

    private func take(
        _ action: JourneyAction,
        _ call: RESTEndpoint.Call
    ) async throws -> Response {
        let reader = try call.reader()
        let journey = try await self.reader.journey(reader, in: call.workspace)
        try await journeys.take(
            action,
            with: journey,
            by: .key(call.key),
            version: try JourneyReader.version(reader)
        )
        return try answer(try await self.reader.journey(reader, in: call.workspace))
    }

    private func answer(_ journey: Journey) throws -> Response {
        try JSONResponse.json(
            [
                "message": "success", "journey_id": JourneyAnswer.text(journey.apiID),
                "state": .string(journey.state.rawValue),
                "version": journey.version.map(JourneyAnswer.number) ?? .null,
                "updated_at": JourneyAnswer.time(journey.updatedAt),
            ],
            status: .created
        )
    }

    private func enter(_ call: RESTEndpoint.Call) async throws -> Response {
        let reader = try call.reader()
        let journey = try await self.reader.journey(reader, in: call.workspace)
        guard !(try reader.list("recipients", limit: RecipientsReader.limit).isEmpty) else {
            throw reader.problem("recipients", .needsElement)
        }
        return try await JourneyEntrance(journeys: journeys, users: users, now: now).letIn(
            call,
            into: journey,
            properties: "properties",
            operation: "/journeys/enter"
        )
    }
}
