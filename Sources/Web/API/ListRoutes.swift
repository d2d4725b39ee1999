import Analytics
import Foundation
import HTTPTypes
import Hummingbird
import Ingestion
import Model
import NoroshiWire

/// Lists of a workspace's custom events and custom attributes.
struct ListRoutes: Sendable {
    private static let namesOnAPage = 250
    private static let rowsOnAPage = 50
    private static let attributeLimit = 10_000

    let catalog: EventCatalog

    var endpoints: [RESTEndpoint] {
        let cursor = RESTEndpoint.Parameter(
            name: "cursor",
            summary: "Where the answer before ended: from its header Link."
        )
        return [
            .get(
                "/events/list",
                "events.list",
                "Lists the names of custom events, \(Self.namesOnAPage) on a page",
                [.page],
                answers: .success(["events": Schema.list(of: .text).required])
            ) { try await names($0) },
            .get(
                "/events",
                "events.get",
                "Lists the custom events by name, \(Self.rowsOnAPage) at a time",
                [cursor],
                answers: .success(["events": Schema.list(of: Self.event).required])
            ) { try await events($0) },
            .get(
                "/events/details",
                "events.details",
                "Shows an event's properties and their values, and who did it last",
                [.init(name: "event", isRequired: true, schema: .text)],
                answers: Self.detail
            ) { try await detail($0) },
            .get(
                "/custom_attributes",
                "custom_attributes.get",
                "Lists the custom attributes of the most recently updated users by name, "
                    + "\(Self.rowsOnAPage) at a time",
                [cursor],
                answers: .success(["attributes": Schema.list(of: Self.attribute).required])
            ) { try await attributes($0) },
        ]
    }

    private static let event = Schema.object([
        "name": Schema.text.required, "description": Schema.text.orNull.required,
        "included_in_analytics_report": Schema.bool.required,
        "status": Schema.choice("Active", "Blocklisted").required,
        "tag_names": Schema.list(of: .text).required,
    ])

    private static let detail = Schema.success([
        "name": Schema.text.required,
        "status": Schema.choice("Active", "Blocklisted").required,
        "sample": Schema.count.required
            .described("How many of its newest occurrences the properties are from."),
        "properties": Schema.list(
            of: .object([
                "name": Schema.text.required, "events": Schema.count.required,
                "types": Schema.map.required.described("Number of values by type."),
                "values": Schema.list(
                    of: .object([
                        "value": Schema.any.required, "events": Schema.count.required,
                    ])
                ).required,
            ])
        ).required,
        "latest": Schema.list(
            of: .object(["user": Schema.text.required, "time": Schema.text.required])
        ).required,
    ])

    private static let attribute = Schema.object([
        "name": Schema.text.required, "description": Schema.text.orNull.required,
        "data_type": Schema.text.required.described("With the types its values have by now."),
        "array_length": Schema.integer().orNull.required,
        "status": Schema.choice("Active", "Blocklisted").required,
        "tag_names": Schema.list(of: .text).required,
    ])

    private func names(_ call: RESTEndpoint.Call) async throws -> Response {
        let names = try await catalog.names(
            in: call.workspace,
            limit: Self.namesOnAPage,
            offset: try call.reader().page() * Self.namesOnAPage
        )
        return try JSONResponse.json([
            "message": "success", "events": .array(names.map(JSONValue.string)),
        ])
    }

    private func events(_ call: RESTEndpoint.Call) async throws -> Response {
        let start = try start(call)
        let found = try await catalog.summaries(
            in: call.workspace,
            limit: Self.rowsOnAPage,
            offset: start
        )
        let rows = found.events.map { event -> JSONValue in
            [
                "name": .string(event.name), "description": .null,
                "included_in_analytics_report": .bool(!event.isBlocked),
                "status": Self.status(event.isBlocked), "tag_names": [],
            ]
        }
        return try Self.answer("events", rows, "/events", start, of: found.total)
    }

    private func detail(_ call: RESTEndpoint.Call) async throws -> Response {
        let reader = try call.reader()
        let name = try reader.requiredString("event")
        guard let (event, isBlocked) = try await catalog.detail(of: name, in: call.workspace) else {
            throw reader.problem("event", .isUnknown)
        }
        let properties = try event.properties.map { property -> JSONValue in
            [
                "name": .string(property.name), "events": .integer(Int64(property.events)),
                "types": .object(property.types.mapValues { .integer(Int64($0)) }),
                "values": .array(
                    try property.values.map { value in
                        [
                            "value": try JSONDecoder().decode(
                                JSONValue.self,
                                from: Data(value.json.utf8)
                            ),
                            "events": .integer(Int64(value.events)),
                        ]
                    }
                ),
            ]
        }
        return try JSONResponse.json([
            "message": "success", "name": .string(name), "status": Self.status(isBlocked),
            "sample": .integer(Int64(event.sample)), "properties": .array(properties),
            "latest": .array(
                event.latest.map {
                    [
                        "user": .string($0.userName), "time": .string(Timestamp.format($0.time)),
                    ]
                }
            ),
        ])
    }

    private func attributes(_ call: RESTEndpoint.Call) async throws -> Response {
        let start = try start(call)
        let all = try await catalog.attributes(
            in: call.workspace,
            limit: Self.attributeLimit
        ).sorted { $0.name < $1.name }
        let rows = all.dropFirst(start).prefix(Self.rowsOnAPage).map { attribute -> JSONValue in
            let isList = attribute.types["list"] != nil
            return [
                "name": .string(attribute.name), "description": .null,
                "data_type": .string(Self.type(attribute)),
                "array_length": isList
                    ? .integer(Int64(CustomAttributeValidator.arrayLimit)) : .null,
                "status": Self.status(attribute.isBlocked), "tag_names": [],
            ]
        }
        return try Self.answer("attributes", rows, "/custom_attributes", start, of: all.count)
    }

    /// A type such as `String (Automatically Detected)`; for an attribute with several types, the
    /// most frequent one first.
    private static func type(_ attribute: AttributeSummary) -> String {
        let words = ["text": "String", "number": "Number", "boolean": "Boolean", "list": "Array"]
        let names = attribute.types.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
            .map { words[$0.key] ?? "Object" }
        guard !names.isEmpty else { return "Unknown" }
        return names.joined(separator: ", ") + " (Automatically Detected)"
    }

    private static func status(_ isBlocked: Bool) -> JSONValue {
        isBlocked ? "Blocklisted" : "Active"
    }

    private func start(_ call: RESTEndpoint.Call) throws -> Int {
        try call.reader().wholeNumber("cursor", 0...Self.attributeLimit) ?? 0
    }

    private static func answer(
        _ field: String,
        _ rows: [JSONValue],
        _ path: String,
        _ start: Int,
        of total: Int
    ) throws -> Response {
        var response = try JSONResponse.json(
            JSONValue.object(["message": "success", field: .array(rows)])
        )
        let next = start + rows.count
        if next < total, next <= attributeLimit, let link = HTTPField.Name("Link") {
            response.headers[link] = "<\(path)?cursor=\(next)>; rel=\"next\""
        }
        return response
    }
}
