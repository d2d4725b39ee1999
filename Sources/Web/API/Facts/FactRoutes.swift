import Facts
import Foundation
import HTTPTypes
import Hummingbird
import JSON
import Model
import NIOCore
import NoroshiWire
import Reasons

/// `GET /facts`: everything that happened, in the order of growing numbers, as lines of JSON.
struct FactRoutes: Sendable {
    private static let usualLimit = 1_000
    private static let positionName = "Noroshi-Position"
    private static let endName = "Noroshi-End"

    let facts: FactService

    var endpoints: [RESTEndpoint] {
        [
            .get(
                "/facts",
                "facts",
                """
                Everything that happened, once, in the order of growing numbers, one in each line; a reader \
                goes on after the position of the header \(Self.positionName)
                """,
                [
                    .init(
                        name: "after",
                        schema: .integer(0...Int.max),
                        summary: "The position of the page before; 0 begins with the first fact."
                    ),
                    .init(
                        name: "limit",
                        schema: .integer(FactService.limits),
                        summary: "The most lines; \(Self.usualLimit) unless you say otherwise."
                    ),
                    .init(
                        name: "kinds",
                        schema: .text,
                        summary:
                            "Those that are wanted, with commas between; all unless you say so."
                    ),
                    .init(
                        name: "wait",
                        schema: .integer(FactService.waits),
                        summary: "Seconds to wait for the next fact if there is none."
                    ),
                ],
                answers: .object([
                    "number": Schema.count.required,
                    "kind": Schema.choice(Fact.Kind.allCases.map(\.rawValue)).required,
                    "time": Schema.time.orNull.required,
                ])
            ) { try await page($0) }.asLines
        ]
    }

    private func page(_ call: RESTEndpoint.Call) async throws -> Response {
        let reader = try call.reader()
        let after = try reader.wholeNumber("after", 0...Int.max) ?? 0
        let page: FactPage
        do {
            page = try await facts.page(
                in: call.workspace,
                after: Int64(after),
                kinds: try kinds(reader),
                limit: try reader.wholeNumber("limit", FactService.limits) ?? Self.usualLimit,
                waiting: try reader.wholeNumber("wait", FactService.waits) ?? 0
            )
        } catch let problem as UnknownFactPositionError {
            throw reader.problem("after", .factUnknown, ["last": "\(problem.last)"])
        }
        let lines = page.facts.map { JSONWriter.text($0.object) + "\n" }.joined()
        var headers: HTTPFields = [.contentType: RESTEndpoint.lines, .cacheControl: "no-store"]
        for (name, value) in [
            (Self.positionName, "\(page.position)"), (Self.endName, "\(page.isLast)"),
        ] {
            if let name = HTTPField.Name(name) { headers[name] = value }
        }
        return Response(
            status: .ok,
            headers: headers,
            body: ResponseBody(byteBuffer: ByteBuffer(string: lines))
        )
    }

    private func kinds(_ reader: RequestReader) throws -> Set<Fact.Kind> {
        guard let text = try reader.string("kinds") else { return Set(Fact.Kind.allCases) }
        return Set(
            try text.split(separator: ",").map { name in
                guard let kind = Fact.Kind(rawValue: String(name)) else {
                    throw reader.problem(
                        "kinds",
                        .isOneOf,
                        ["known": .text(Fact.Kind.allCases.map(\.rawValue).joined(separator: ", "))]
                    )
                }
                return kind
            }
        )
    }
}
