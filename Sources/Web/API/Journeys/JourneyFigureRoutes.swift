import Experiments
import Foundation
import Hummingbird
import Ingestion
import Journeys
import Model
import NoroshiWire
import Reasons
import Users

/// `/journeys/…`: what became of the people in journeys, and why somebody is where they are.
struct JourneyFigureRoutes: Sendable {
    private static let pageLength = 100

    let journeys: JourneyService
    let users: UserService

    var endpoints: [RESTEndpoint] {
        [
            .get(
                "/journeys/figures",
                "journeys.figures",
                "Counts the people who are and were in a journey, step by step",
                [JourneySchemas.id],
                answers: JourneySchemas.figures
            ) { try await figures($0) },
            .get(
                "/journeys/people",
                "journeys.people",
                "Lists the people behind a figure of a step, the newest entries first, "
                    + "\(Self.pageLength) on a page",
                [
                    JourneySchemas.id, .init(name: "step_id", isRequired: true, schema: .uuid),
                    .init(
                        name: "group",
                        schema: .choice(JourneyStepGroup.allCases.map(\.rawValue)),
                        summary: "The figure; those who wait there now without it."
                    ), .page,
                ],
                answers: .success([
                    "people": Schema.list(of: .object(JourneySchemas.person)).required,
                    "total": Schema.count.required,
                ])
            ) { try await people($0) },
            .get(
                "/journeys/experiment",
                "journeys.experiment",
                "Compares the shares of a random split, user by user, by who reached the goal",
                [
                    JourneySchemas.id, .init(name: "step_id", isRequired: true, schema: .uuid),
                    .init(
                        name: "smallest_lift",
                        schema: .number,
                        summary:
                            "The smallest relative lift worth knowing; without it 0.1, for 10 %."
                    ),
                ],
                answers: JourneySchemas.experiment
            ) { try await experiment($0) },
            .get(
                "/journeys/why",
                "journeys.why",
                "Tells where a user is in journeys, since when and why, and what comes next",
                NamedUser.parameters + [
                    .init(
                        name: "journey_id",
                        schema: .uuid,
                        summary: "All journeys without it."
                    )
                ],
                answers: .success([
                    "entries": Schema.list(of: JourneySchemas.explanation).required
                        .described("The newest first.")
                ])
            ) { try await explain($0) },
        ]
    }

    private var reader: JourneyReader { JourneyReader(journeys: journeys) }

    private func figures(_ call: RESTEndpoint.Call) async throws -> Response {
        let journey = try await reader.journey(try call.reader(), in: call.workspace)
        var answer = JourneyAnswer.figures(
            try await journeys.figures(of: journey),
            steps: try await steps(of: journey)
        )
        answer["message"] = "success"
        return try JSONResponse.json(JSONValue.object(answer))
    }

    /// Those of the present version, then those that only earlier ones have.
    private func steps(of journey: Journey) async throws -> [JourneyStep] {
        let versions = try await journeys.versions(of: journey)
        guard !versions.isEmpty else { return journey.draft.steps }
        var seen: Set<JourneyStepID> = []
        return versions.flatMap(\.definition.steps).filter { seen.insert($0.id).inserted }
    }

    private func people(_ call: RESTEndpoint.Call) async throws -> Response {
        let reader = try call.reader()
        let journey = try await self.reader.journey(reader, in: call.workspace)
        let text = try reader.requiredString("step_id")
        guard let id = UUID(uuidString: text).map(JourneyStepID.init),
            try await steps(of: journey).contains(where: { $0.id == id })
        else { throw reader.problem("step_id", .noJourneyStep) }
        let found = try await journeys.people(
            at: id,
            of: journey,
            in: try reader.choice("group", JourneyStepGroup.allCases) ?? .waiting,
            page: ListPage(try reader.page() + 1, size: Self.pageLength)
        )
        var rows: [JSONValue] = []
        for entry in found.entries {
            let profile = try await journeys.profile(of: entry)
            rows.append(.object(JourneyAnswer.person(entry, profile)))
        }
        return try JSONResponse.json([
            "message": "success", "people": .array(rows),
            "total": JourneyAnswer.number(found.total),
        ])
    }

    private func experiment(_ call: RESTEndpoint.Call) async throws -> Response {
        let reader = try call.reader()
        let journey = try await self.reader.journey(reader, in: call.workspace)
        let lift = try ExperimentRoutes.number("smallest_lift", in: ExperimentRoutes.lifts, reader)
        let text = try reader.requiredString("step_id")
        guard let id = UUID(uuidString: text).map(JourneyStepID.init),
            let split = try await journeys.split(
                at: id,
                of: journey,
                smallestLift: lift ?? Experiment.usualLift
            )
        else { throw reader.problem("step_id", .noSplit) }
        return try JSONResponse.json(JourneyAnswer.split(split))
    }

    private func explain(_ call: RESTEndpoint.Call) async throws -> Response {
        let reader = try call.reader()
        var journey: Journey?
        if reader.value("journey_id") != nil {
            journey = try await self.reader.journey(reader, in: call.workspace)
        }
        let profile = try await NamedUser.profile(call, users)
        let entries = try await journeys.explanations(of: profile, in: journey)
        return try JSONResponse.json([
            "message": "success",
            "entries": .array(
                try entries.map { try JourneyAnswer.explanation($0, of: profile) }
            ),
        ])
    }
}
