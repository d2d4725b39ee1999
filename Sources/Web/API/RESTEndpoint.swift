import Campaigns
import Foundation
import HTTPTypes
import Hummingbird
import Ingestion
import JSON
import Model
import NoroshiWire
import Ports

/// One endpoint of the REST API: where it is, which permission it needs and what it answers.
struct RESTEndpoint: Sendable {
    typealias Handler = @Sendable (Call) async throws -> Response

    /// What a handler gets: the body of a POST, or the parameters of a GET as strings.
    struct Call: Sendable {
        fileprivate enum Content: Sendable {
            case document(JSONDocument)
            case parameters([String: JSONValue])
        }

        var key: APIKey
        fileprivate var content: Content
        fileprivate var headers: HTTPFields
        fileprivate var pathParameters: [String: String]

        var body: JSONValue {
            switch content {
            case .document(let document): document.root.value
            case .parameters(let parameters): .object(parameters)
            }
        }

        /// The body of a POST, for a handler that reads it without making a tree of it.
        var document: JSONDocument? {
            if case .document(let document) = content { document } else { nil }
        }

        var workspace: WorkspaceID { key.workspace }

        func reader() throws(FieldProblem) -> RequestReader { try RequestReader(body) }

        /// A part of the path that the endpoint's path names in braces.
        func pathParameter(_ name: String) -> String { pathParameters[name] ?? "" }

        func header(_ name: String) -> String? {
            HTTPField.Name(name).flatMap { headers[$0] }
        }
    }

    /// A parameter of the query.
    struct Parameter: Sendable {
        var name: String
        var isRequired = false
    }

    let method: HTTPRequest.Method
    let path: String
    let permission: String
    /// One line that says what the endpoint is for.
    let summary: String
    let limit: RateLimiter.Kind
    let success: HTTPResponse.Status
    let parameters: [Parameter]
    private let handler: Handler

    static func post(
        _ path: String,
        _ permission: String,
        _ summary: String,
        limit: RateLimiter.Kind = .other,
        success: HTTPResponse.Status = .created,
        _ handler: @escaping Handler
    ) -> RESTEndpoint {
        RESTEndpoint(
            method: .post,
            path: path,
            permission: permission,
            summary: summary,
            limit: limit,
            success: success,
            parameters: [],
            handler: handler
        )
    }

    static func get(
        _ path: String,
        _ permission: String,
        _ summary: String,
        _ parameters: [Parameter] = [],
        _ handler: @escaping Handler
    ) -> RESTEndpoint {
        RESTEndpoint(
            method: .get,
            path: path,
            permission: permission,
            summary: summary,
            limit: .other,
            success: .ok,
            parameters: parameters,
            handler: handler
        )
    }

    /// An endpoint with another method, or with `{names}` in its path.
    static func on(
        _ method: HTTPRequest.Method,
        _ path: String,
        _ permission: String,
        _ summary: String,
        _ parameters: [Parameter] = [],
        success: HTTPResponse.Status = .ok,
        _ handler: @escaping Handler
    ) -> RESTEndpoint {
        RESTEndpoint(
            method: method,
            path: path,
            permission: permission,
            summary: summary,
            limit: .other,
            success: success,
            parameters: parameters,
            handler: handler
        )
    }

    /// Whether requests carry a JSON body. A DELETE names what is deleted in its path, or, of a
    /// list, in its body.
    var hasBody: Bool { method != .get && (method != .delete || path.hasSuffix("/items")) }

    /// The names in the braces of the path.
    var pathParameters: [String] {
        path.split(separator: "/").filter { $0.hasPrefix("{") && $0.hasSuffix("}") }
            .map { String($0.dropFirst().dropLast()) }
    }

    func add(
        to router: Router<some RequestContext>,
        authorizer: APIAuthorizer,
        limiter: RateLimiter
    ) {
        router.on(RouterPath(path), method: method) { request, context in
            let key = try await authorizer.key(of: request, permission: permission)
            let verdict = limiter.take(limit, for: key)
            var response: Response
            do {
                guard verdict.isAllowed else {
                    throw APIProblem(
                        .tooManyRequests,
                        "the key '\(key.name)' has made too many requests; "
                            + "wait \(verdict.retryAfterSeconds) seconds",
                        retryAfterSeconds: verdict.retryAfterSeconds
                    )
                }
                var places: [String: String] = [:]
                for name in pathParameters {
                    places[name] = context.parameters.get(name)?.removingPercentEncoding
                }
                response = try await answer(request, key, places)
            } catch let problem as APIProblem {
                response = try problem.response(from: request, context: context)
            }
            for (name, value) in verdict.headers { response.headers[name] = value }
            return response
        }
    }

    private func answer(
        _ request: Request,
        _ key: APIKey,
        _ pathParameters: [String: String]
    ) async throws -> Response {
        do {
            return try await handler(
                Call(
                    key: key,
                    content: try await content(request),
                    headers: request.headers,
                    pathParameters: pathParameters
                )
            )
        } catch let problem as FieldProblem {
            throw APIProblem.field(problem.field, problem.message)
        } catch let problem as AudienceProblem {
            throw problem.code == .notReady
                ? APIProblem(.serviceUnavailable, problem.message, retryAfterSeconds: 5)
                : APIProblem(.badRequest, problem.message)
        } catch let problems as PushProblems {
            throw APIProblem(
                .badRequest,
                problems.problems.map { "'\($0.field)' \($0.message)" }.joined(separator: "; "),
                errors: problems.problems.map {
                    ["field": .string($0.field), "message": .string($0.message)]
                }
            )
        }
    }

    private func content(_ request: Request) async throws -> Call.Content {
        if hasBody { return .document(try await APIRequestBody.json(request)) }
        var parameters: [String: JSONValue] = [:]
        for (name, value) in request.uri.queryParameters {
            parameters[String(name)] = .string(String(value))
        }
        return .parameters(parameters)
    }
}

extension RateLimiter.Verdict {
    fileprivate var headers: [(HTTPField.Name, String)] {
        [
            ("X-RateLimit-Limit", String(limit)), ("X-RateLimit-Remaining", String(remaining)),
            ("X-RateLimit-Reset", String(Int(reset.timeIntervalSince1970.rounded(.up)))),
        ].compactMap { name, value in HTTPField.Name(name).map { ($0, value) } }
    }
}
