import Foundation
import Hummingbird
import Ingestion
import JSON
import Model
import NoroshiWire
import Reasons

/// `POST /users/track`: attributes, events and purchases of up to 75 users.
struct TrackRoutes: Sendable {
    /// Maximum size of the header `Idempotency-Key`, in bytes.
    static let requestKeyLimit = 255

    private static let keyHeader = RESTEndpoint.Parameter(
        name: "Idempotency-Key",
        schema: .text(1...requestKeyLimit),
        summary: "A request sent again under the same key is not counted twice.",
        place: .header
    )

    let ingestion: IngestionService
    let now: @Sendable () -> Date

    var endpoints: [RESTEndpoint] {
        [
            .post(
                "/users/track",
                "users.track",
                "Stores attributes, events and purchases",
                limit: .track,
                flawedStrings: .kept,
                headers: [Self.keyHeader],
                takes: Self.request,
                answers: Self.answer
            ) { try await track($0) },
            // Every response is sent after the commit, so the synchronous endpoint is the same.
            .post(
                "/users/track/sync",
                "users.track.sync",
                "Stores attributes, events and purchases of one user",
                limit: .track,
                flawedStrings: .kept,
                takes: Self.request,
                answers: Self.answer
            ) { try await track($0, isForOneUser: true) },
            .post(
                "/users/track/bulk",
                "users.track.bulk",
                "Stores attributes, events and purchases of many users",
                limit: .track,
                flawedStrings: .kept,
                headers: [Self.keyHeader],
                takes: Self.bulkRequest,
                answers: Self.answer
            ) { try await track($0, limits: .bulk) },
        ]
    }

    private func track(
        _ call: RESTEndpoint.Call,
        limits: TrackRequest.Limits = .single,
        isForOneUser: Bool = false
    ) async throws -> Response {
        guard let document = call.document else { throw FieldProblem("body", .sendJSON) }
        let track = try TrackRequest(document.root, limits: limits, now: now())
        guard !isForOneUser || Set(track.items.map(\.user)).count <= 1 else {
            throw FieldProblem("body", .oneUserOnly)
        }
        var items = track.items
        if let key = call.header("Idempotency-Key") {
            guard (1...Self.requestKeyLimit).contains(key.utf8.count) else {
                throw FieldProblem(
                    "Idempotency-Key",
                    .byteCount,
                    ["count": "\(Self.requestKeyLimit)"]
                )
            }
            let record = RecordKey(workspace: call.workspace, request: key)
            for (index, origin) in track.origins.enumerated() where items[index].recordID == nil {
                let list = TrackRequest.lists.firstIndex(of: origin.list) ?? 0
                items[index].recordID = record.id(list: list, index: origin.index)
            }
        }
        let outcomes = try await submit(
            IngestRequest(
                workspace: call.workspace,
                source: .api,
                items: items,
                bytes: document.root.byteCount
            ),
            to: ingestion
        )
        return try answer(track, outcomes)
    }

    private func answer(_ track: TrackRequest, _ outcomes: [IngestOutcome]) throws -> Response {
        var processed = track.counts
        var errors: [JSONValue] = []
        func fail(_ list: String, _ index: Int, _ problem: FieldProblem) {
            let (field, message) = (problem.field, problem.message)
            errors.append([
                "type": .string("'\(field)' \(message)"), "input_array": .string(list),
                "index": .integer(Int64(index)), "field": .string(field),
                "message": .string(message),
            ])
        }
        for problem in track.problems {
            processed[problem.list, default: 0] -= 1
            fail(problem.list, problem.index, problem.problem)
        }
        for (origin, outcome) in zip(track.origins, outcomes) {
            switch outcome {
            case .stored(let problems):
                for problem in problems {
                    fail(origin.list, origin.index, problem)
                }
            case .duplicate:
                break
            case .rejected(let problem):
                processed[origin.list, default: 0] -= 1
                fail(origin.list, origin.index, problem)
            }
        }
        var body: [String: JSONValue] = ["message": "success"]
        for (list, count) in processed { body["\(list)_processed"] = .integer(Int64(count)) }
        if !errors.isEmpty { body["errors"] = .array(errors) }
        return try JSONResponse.json(JSONValue.object(body), status: .created)
    }
}
