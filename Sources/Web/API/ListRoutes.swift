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
                [.page],
                answers: .success(["events": Schema.list(of: .text).required])
            ) { try await events($0) },
            .get(
                "/custom_attributes",
                "custom_attributes.get",
                "Lists the custom attributes of the most recently updated users",
                answers: .success([
                    "attributes": Schema.list(of: .object(["name": .text.required])).required
                ])
            ) { try await attributes($0) },
            .get(
                "/feed/list",
                "feed.list",
                "Lists news feed cards of Braze: none, this server has no such cards",
                [.page],
                answers: .success(["cards": Schema.list(of: .map).required])
            ) { call in
                _ = try call.reader().page()
                return try APIAnswer.json(["message": "success", "cards": []])
            },
        ]
    }

    private func events(_ call: RESTEndpoint.Call) async throws -> Response {
        let names = try await store.eventNames(
            in: call.workspace,
            limit: Self.pageLength,
            offset: try call.reader().page() * Self.pageLength
        )
        return try APIAnswer.json([
            "message": "success", "events": .array(names.map(JSONValue.string)),
        ])
    }

    private func attributes(_ call: RESTEndpoint.Call) async throws -> Response {
        let names = try await store.customAttributeNames(
            in: call.workspace,
            limit: Self.attributeLimit
        )
        return try APIAnswer.json([
            "message": "success", "attributes": .array(names.map { ["name": .string($0)] }),
        ])
    }
}
