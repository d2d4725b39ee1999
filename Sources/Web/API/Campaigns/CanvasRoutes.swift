import Foundation
import Hummingbird
import Ingestion
import Model
import NoroshiWire
import Reasons

/// `/canvas/…`: this server has no canvases and responds accordingly, in the expected format.
struct CanvasRoutes: Sendable {
    var endpoints: [RESTEndpoint] {
        let named = [RESTEndpoint.Parameter(name: "canvas_id", isRequired: true)]
        return [
            .get(
                "/canvas/list",
                "canvas.list",
                "Lists canvases: none, this server has no journeys of several steps",
                [.page],
                answers: .success(["canvases": Schema.list(of: .map).required])
            ) { call in
                _ = try call.reader().page()
                return try JSONResponse.json(["message": "success", "canvases": []])
            },
            .get("/canvas/details", "canvas.details", Self.summary, named, Self.refuse),
            .get("/canvas/data_series", "canvas.data_series", Self.summary, named, Self.refuse),
            .get("/canvas/data_summary", "canvas.data_summary", Self.summary, named, Self.refuse),
        ]
            + ["send", "schedule/create", "schedule/update", "schedule/delete"].map { verb in
                .post(
                    "/canvas/trigger/\(verb)",
                    "canvas.trigger.\(verb.replacing("/", with: "."))",
                    Self.summary,
                    takes: .object(["canvas_id": .text.required]),
                    Self.refuse
                )
            }
    }

    private static let summary = "Refuses every canvas_id, because there are no canvases"

    @Sendable
    private static func refuse(_ call: RESTEndpoint.Call) async throws -> Response {
        let reader = try call.reader()
        _ = try reader.requiredString("canvas_id")
        throw reader.problem("canvas_id", .noCanvases)
    }
}
