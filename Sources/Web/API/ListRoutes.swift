import Foundation
import Hummingbird
import Ingestion
import Model
import NoroshiWire
import Ports

/// Lists of what a workspace has: names of events and of custom attributes.
struct ListRoutes: Sendable {
    private static let pageLength = 250
    private static let attributeLimit = 500

    let store: any ReportStore

    var endpoints: [RESTEndpoint] {
        [
            .get(
                "/events/list",
                "events.list",
                "Lists the names of custom events, \(Self.pageLength) on a page",
                [RESTEndpoint.Parameter(name: "page")]
            ) { try await events($0) },
            .get(
                "/custom_attributes",
                "custom_attributes.get",
                "Lists the custom attributes of the most recently updated users"
            ) { try await attributes($0) },
        ]
    }

    private func events(_ call: RESTEndpoint.Call) async throws -> Response {
        let reader = try call.reader()
        let text = try reader.string("page") ?? "0"
        guard let page = Int(text), (0...1_000_000).contains(page) else {
            throw reader.problem("page", "is a whole number; the first page is 0")
        }
        let names = try await store.eventNames(
            in: call.workspace,
            limit: Self.pageLength,
            offset: page * Self.pageLength
        )
        return try APIAnswer.json(
            JSONValue.object([
                "message": "success", "events": .array(names.map(JSONValue.string)),
            ])
        )
    }

    private func attributes(_ call: RESTEndpoint.Call) async throws -> Response {
        let names = try await store.customAttributeNames(
            in: call.workspace,
            limit: Self.attributeLimit
        )
        return try APIAnswer.json(
            JSONValue.object([
                "message": "success", "attributes": .array(names.map { ["name": .string($0)] }),
            ])
        )
    }
}
