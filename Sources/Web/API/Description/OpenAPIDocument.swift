import HTTPTypes
import NoroshiWire

/// The description of the REST API (OpenAPI 3.1), generated from the served endpoints.
struct OpenAPIDocument {
    let endpoints: [RESTEndpoint]

    var json: JSONValue {
        var paths: [String: [String: JSONValue]] = [:]
        for endpoint in endpoints {
            paths[endpoint.path, default: [:]][endpoint.method.rawValue.lowercased()] =
                operation(endpoint)
        }
        return [
            "openapi": "3.1.0",
            "info": [
                "title": "Noroshi REST API", "version": "1",
                "description": .string(
                    "Send 'Authorization: Bearer <key>' with a key from the console. Old clients "
                        + "may have the key as 'api_key' in the query, or in a JSON body of at "
                        + "most 262144 bytes."
                ),
            ],
            "servers": [["url": "/"]],
            "security": [["key": []]],
            "paths": .object(paths.mapValues(JSONValue.object)),
            "components": [
                "securitySchemes": ["key": ["type": "http", "scheme": "bearer"]],
                "schemas": .object(SharedSchemas.all.mapValues(\.json)),
                "headers": .object(Self.rateHeaders),
            ],
        ]
    }

    private func operation(_ endpoint: RESTEndpoint) -> JSONValue {
        let isSCIM = endpoint.form == .scim
        let problem: Schema = isSCIM ? "SCIMProblem" : "Problem"
        var responses: [String: JSONValue] = [
            String(endpoint.success.code): Self.answer(
                isSCIM ? "Done" : "Done; elements that were refused are in errors",
                endpoint.success == .noContent ? nil : endpoint.answer,
                endpoint.form,
                asTableToo: endpoint.answersTable,
                asLines: endpoint.answersLines
            )
        ]
        for (status, description) in Self.refusals
        where endpoint.hasBody || !Self.bodyStatuses.contains(status) {
            responses[String(status)] = Self.answer(description, problem, endpoint.form)
        }
        if !endpoint.pathParameters.isEmpty || isSCIM {
            responses["404"] = Self.answer("There is nothing of this name", problem, endpoint.form)
            responses["409"] = Self.answer(
                "There is something of this name",
                problem,
                endpoint.form
            )
        }
        var operation: [String: JSONValue] = [
            "summary": .string(endpoint.summary),
            "operationId": .string(endpoint.operation),
            "tags": [.string(endpoint.group)],
            "x-permission": .string(endpoint.permission),
            "responses": .object(responses),
        ]
        if endpoint.hasBody {
            operation["requestBody"] = [
                "required": true,
                "content": ["application/json": ["schema": endpoint.request.json]],
            ]
        }
        let places = endpoint.pathParameters.map {
            RESTEndpoint.Parameter(name: $0, isRequired: true, schema: .name, place: .path)
        }
        let parameters = places + endpoint.parameters
        if !parameters.isEmpty {
            operation["parameters"] = .array(parameters.map(Self.parameter))
        }
        // OpenAPI has no word for parameters that stand for each other.
        if !endpoint.alternatives.isEmpty {
            operation["x-one-of"] = .array(
                endpoint.alternatives.map { .array($0.map(JSONValue.string)) }
            )
        }
        return .object(operation)
    }

    private static func parameter(_ parameter: RESTEndpoint.Parameter) -> JSONValue {
        var json: [String: JSONValue] = [
            "name": .string(parameter.name), "in": .string(parameter.place.rawValue),
            "required": .bool(parameter.isRequired), "schema": parameter.schema.json,
        ]
        if !parameter.meaning.isEmpty { json["description"] = .string(parameter.meaning) }
        return .object(json)
    }

    /// - Parameter schema: `nil` for a response without a body.
    private static func answer(
        _ description: String,
        _ schema: Schema?,
        _ form: APIError.Form,
        asTableToo: Bool = false,
        asLines: Bool = false
    ) -> JSONValue {
        var answer: [String: JSONValue] = [
            "description": .string(description),
            "headers": .object(
                Dictionary(
                    uniqueKeysWithValues: rateHeaders.keys.map {
                        ($0, ["$ref": .string("#/components/headers/\($0)")])
                    }
                )
            ),
        ]
        if let schema {
            let type =
                asLines ? RESTEndpoint.lines : String(form.contentType.prefix { $0 != ";" })
            var content: [String: JSONValue] = [type: ["schema": schema.json]]
            if asTableToo { content["text/csv"] = ["schema": Schema.text.json] }
            answer["content"] = .object(content)
        }
        return .object(answer)
    }

    private static let bodyStatuses: Set<Int> = [408, 413, 415]

    private static let refusals = [
        (400, "The request cannot be used; nothing was done"),
        (401, "No key, or one that is unknown or revoked"),
        (403, "The key has no permission for this endpoint, or not from this address"),
        (408, "The body did not come in time; send it again"),
        (413, "The body is too large"), (415, "The body is packed, or no JSON"),
        (429, "Too many requests; come back after Retry-After seconds"),
        (503, "The server cannot take it now; send it again after Retry-After seconds"),
    ]

    private static let rateHeaders: [String: JSONValue] = [
        "X-RateLimit-Limit": [
            "description": "Requests that this key may make at once", "schema": Schema.count.json,
        ],
        "X-RateLimit-Remaining": [
            "description": "Requests that are left", "schema": Schema.count.json,
        ],
        "X-RateLimit-Reset": [
            "description": "When the limit is available again, in seconds since 1970",
            "schema": Schema.count.json,
        ],
    ]
}
