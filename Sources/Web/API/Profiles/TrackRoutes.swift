import Foundation
import Hummingbird
import Ingestion
import Model
import NoroshiWire
import Ports

/// `POST /users/track`: attributes, events and purchases of up to 75 users.
package struct TrackRoutes: Sendable {
    private let authorizer: APIAuthorizer
    private let ingestion: IngestionService
    private let now: @Sendable () -> Date

    package init(
        authorizer: APIAuthorizer,
        ingestion: IngestionService,
        now: @escaping @Sendable () -> Date
    ) {
        self.authorizer = authorizer
        self.ingestion = ingestion
        self.now = now
    }

    package func add(to router: Router<some RequestContext>) {
        router.post("/users/track") { request, _ in try await track(request) }
    }

    @Sendable private func track(_ request: Request) async throws -> Response {
        let workspace = try await authorizer.key(of: request, permission: "users.track")
            .workspace
        let body = try await APIRequestBody.json(request)
        let track: TrackRequest
        do {
            track = try TrackRequest(body, now: now())
        } catch {
            throw APIProblem.field(error.field, error.message)
        }
        let outcomes = try await submit(
            IngestRequest(workspace: workspace, source: .api, items: track.items),
            to: ingestion
        )
        return try answer(track, outcomes)
    }

    private func answer(_ track: TrackRequest, _ outcomes: [IngestOutcome]) throws -> Response {
        var processed = track.counts
        var errors: [JSONValue] = []
        func fail(_ list: String, _ index: Int, _ field: String, _ message: String) {
            errors.append([
                "type": .string("'\(field)' \(message)"), "input_array": .string(list),
                "index": .integer(Int64(index)), "field": .string(field),
                "message": .string(message),
            ])
        }
        for problem in track.problems {
            processed[problem.list, default: 0] -= 1
            fail(problem.list, problem.index, problem.field, problem.message)
        }
        for (origin, outcome) in zip(track.origins, outcomes) {
            switch outcome {
            case .stored(let problems):
                for problem in problems {
                    fail(origin.list, origin.index, problem.attribute, problem.message)
                }
            case .duplicate:
                break
            case .rejected(let field, let message):
                processed[origin.list, default: 0] -= 1
                fail(origin.list, origin.index, field, message)
            }
        }
        var body: [String: JSONValue] = ["message": "success"]
        for (list, count) in processed { body["\(list)_processed"] = .integer(Int64(count)) }
        if !errors.isEmpty { body["errors"] = .array(errors) }
        return try APIAnswer.json(JSONValue.object(body), status: .created)
    }
}
