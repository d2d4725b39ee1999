import HTTPTypes
import NoroshiWire

/// The description of the REST API (OpenAPI 3.1), made from the endpoints that are served.
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
                "description": "Send 'Authorization: Bearer <key>' with a key from the console.",
            ],
            "security": [["key": []]],
            "paths": .object(paths.mapValues(JSONValue.object)),
            "components": [
                "securitySchemes": ["key": ["type": "http", "scheme": "bearer"]],
                "schemas": ["Problem": Self.problem],
            ],
        ]
    }

    private func operation(_ endpoint: RESTEndpoint) -> JSONValue {
        var responses: [String: JSONValue] = [
            String(endpoint.success.code): [
                "description": "Done; elements that were refused are in errors",
                "content": ["application/json": ["schema": ["type": "object"]]],
            ]
        ]
        for (status, description) in [
            (400, "The request cannot be used; nothing was done"),
            (401, "No key, or one that is unknown or revoked"),
            (403, "The key has no permission for this endpoint"),
            (413, "The body is too large"), (415, "The body is packed"),
            (429, "Too many requests; come back after Retry-After seconds"),
            (503, "The server is shutting down"),
        ] {
            responses[String(status)] = [
                "description": .string(description),
                "content": [
                    "application/json": [
                        "schema": ["$ref": "#/components/schemas/Problem"]
                    ]
                ],
            ]
        }
        var operation: [String: JSONValue] = [
            "summary": .string(endpoint.summary),
            "operationId": .string(endpoint.permission),
            "responses": .object(responses),
        ]
        let places = endpoint.pathParameters.map { name -> JSONValue in
            ["name": .string(name), "in": "path", "required": true, "schema": ["type": "string"]]
        }
        if !places.isEmpty { operation["parameters"] = .array(places) }
        if endpoint.hasBody {
            operation["requestBody"] = [
                "required": true,
                "content": ["application/json": ["schema": ["type": "object"]]],
            ]
        } else {
            operation["parameters"] = .array(
                places
                    + endpoint.parameters.map {
                        [
                            "name": .string($0.name), "in": "query",
                            "required": .bool($0.isRequired), "schema": ["type": "string"],
                        ]
                    }
            )
        }
        return .object(operation)
    }

    private static let problem: JSONValue = [
        "type": "object", "required": ["message"],
        "properties": [
            "message": ["type": "string"],
            "errors": ["type": "array", "items": ["type": "object"]],
        ],
    ]
}
