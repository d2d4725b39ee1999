import Campaigns
import Foundation
import HTTPTypes
import Hummingbird
import Ingestion
import Model
import NoroshiWire

/// One endpoint of the REST API: where it is, which permission it needs and what it answers.
struct RESTEndpoint: Sendable {
    typealias Handler = @Sendable (Call) async throws -> Response

    /// What a handler gets: the body of a POST, or the parameters of a GET as strings.
    struct Call: Sendable {
        var key: APIKey
        var body: JSONValue
        fileprivate var headers: HTTPFields

        var workspace: WorkspaceID { key.workspace }

        func reader() throws(FieldProblem) -> RequestReader { try RequestReader(body) }

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
                response = try await answer(request, key)
            } catch let problem as APIProblem {
                response = try problem.response(from: request, context: context)
            }
            for (name, value) in verdict.headers { response.headers[name] = value }
            return response
        }
    }

    private func answer(_ request: Request, _ key: APIKey) async throws -> Response {
        do {
            return try await handler(
                Call(key: key, body: try await body(request), headers: request.headers)
            )
        } catch let problem as FieldProblem {
            throw APIProblem.field(problem.field, problem.message)
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

    private func body(_ request: Request) async throws -> JSONValue {
        guard method == .get else { return try await APIRequestBody.json(request) }
        var parameters: [String: JSONValue] = [:]
        for (name, value) in request.uri.queryParameters {
            parameters[String(name)] = .string(String(value))
        }
        return .object(parameters)
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
