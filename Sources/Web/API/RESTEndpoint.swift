import Campaigns
import Foundation
import HTTPTypes
import Hummingbird
import Ingestion
import JSON
import Logging
import Model
import NoroshiWire
import WebPages

/// An endpoint of the REST API: its path, its permission and its handler.
struct RESTEndpoint: Sendable {
    typealias Handler = @Sendable (Call) async throws -> Response

    /// The input of a handler: the body of a POST, or the parameters of a GET as strings.
    struct Call: Sendable {
        fileprivate enum Content: Sendable {
            case document(JSONDocument)
            case parameters([String: JSONValue])

            var apiKey: String? {
                switch self {
                case .document(let document): document.root["api_key"]?.string
                case .parameters: nil
                }
            }

            /// Whether it is a message to users who are not named individually.
            var isBroadcast: Bool {
                switch self {
                case .document(let document): document.root["broadcast"]?.bool == true
                case .parameters: false
                }
            }
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

        /// The body of a POST, for a handler that reads it without building a tree.
        var document: JSONDocument? {
            if case .document(let document) = content { document } else { nil }
        }

        var workspace: WorkspaceID { key.workspace }

        /// The host at which the client reached this server, according to the request.
        fileprivate(set) var host: String?

        func reader() throws(FieldProblem) -> RequestReader { try RequestReader(body) }

        /// The part of the path in place of a name in braces.
        func pathParameter(_ name: String) -> String { pathParameters[name] ?? "" }

        func header(_ name: String) -> String? {
            HTTPField.Name(name).flatMap { headers[$0] }
        }
    }

    let method: HTTPRequest.Method
    let path: String
    let permission: String
    /// A one-line summary of the endpoint.
    let summary: String
    let limit: RateLimiter.Kind
    /// Whether broadcasts have a separate rate limit.
    var limitsBroadcasts = false
    /// `kept` if the handler itself rejects flawed strings and accepts the rest.
    var flawedStrings = JSONDocument.FlawedStrings.refused
    let success: HTTPResponse.Status
    let parameters: [Parameter]
    /// The schema of the body of a POST.
    let request: Schema
    /// The schema of a successful response.
    let answer: Schema
    private var handler: Handler

    /// The same endpoint with its own responses to errors of its handler. Errors for which
    /// `refusal` returns `nil` get the default response.
    func refusing(
        with refusal: @escaping @Sendable (any Error) -> APIError?
    ) -> RESTEndpoint {
        var endpoint = self
        endpoint.handler = { [handler] call in
            do {
                return try await handler(call)
            } catch {
                if let problem = refusal(error) { throw problem }
                throw error
            }
        }
        return endpoint
    }

    /// The first part of the path; endpoints are shown in these groups.
    var group: String { path.split(separator: "/").first.map(String.init) ?? "" }

    /// A unique name of the endpoint.
    var operation: String {
        ([method.rawValue.lowercased()]
            + path.split(separator: "/").map { $0.filter { !"{}".contains($0) } })
            .joined(separator: ".")
    }

    static func post(
        _ path: String,
        _ permission: String,
        _ summary: String,
        limit: RateLimiter.Kind = .other,
        limitsBroadcasts: Bool = false,
        flawedStrings: JSONDocument.FlawedStrings = .refused,
        success: HTTPResponse.Status = .created,
        headers: [Parameter] = [],
        takes request: Schema = .map,
        answers answer: Schema = .success(),
        _ handler: @escaping Handler
    ) -> RESTEndpoint {
        RESTEndpoint(
            method: .post,
            path: path,
            permission: permission,
            summary: summary,
            limit: limit,
            limitsBroadcasts: limitsBroadcasts,
            flawedStrings: flawedStrings,
            success: success,
            parameters: headers,
            request: request,
            answer: answer,
            handler: handler
        )
    }

    static func get(
        _ path: String,
        _ permission: String,
        _ summary: String,
        _ parameters: [Parameter] = [],
        limit: RateLimiter.Kind = .other,
        answers answer: Schema = .success(),
        _ handler: @escaping Handler
    ) -> RESTEndpoint {
        RESTEndpoint(
            method: .get,
            path: path,
            permission: permission,
            summary: summary,
            limit: limit,
            success: .ok,
            parameters: parameters,
            request: .any,
            answer: answer,
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
        takes request: Schema = .map,
        answers answer: Schema = .success(),
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
            request: request,
            answer: answer,
            handler: handler
        )
    }

    /// Whether requests have a JSON body. A DELETE names the object in its path, or a list of
    /// objects in its body.
    var hasBody: Bool {
        switch method {
        case .get: false
        case .delete: path.hasSuffix("/items") || saysWhatItDeletes
        default: !isBare
        }
    }

    /// Whether it answers with a table in CSV to whoever says so in `Accept`.
    private(set) var answersTable = false

    /// The same endpoint, whose answers are tables too.
    var asTableToo: RESTEndpoint {
        var endpoint = self
        endpoint.answersTable = true
        return endpoint
    }

    /// The type of answers that are lines of JSON.
    static let lines = "application/x-ndjson"
    /// Whether its answers are lines of JSON, each as its schema says.
    private(set) var answersLines = false

    /// The same endpoint, which answers with lines of JSON.
    var asLines: RESTEndpoint {
        var endpoint = self
        endpoint.answersLines = true
        return endpoint
    }

    /// Whether it is a DELETE that names what is deleted in a body.
    private var saysWhatItDeletes = false
    /// Whether requests consist of their path only.
    private var isBare = false

    /// The format of its responses.
    var form: APIError.Form { APIError.Form(path: path) }
    /// Whether the service that makes the change writes the audit record.
    private var recordsItself = false

    /// The same endpoint, with audit records written by the service in more detail than the
    /// permission.
    var recordingItself: RESTEndpoint {
        var endpoint = self
        endpoint.recordsItself = true
        return endpoint
    }

    /// The same endpoint, with a body that names the objects to delete.
    var withBody: RESTEndpoint {
        var endpoint = self
        endpoint.saysWhatItDeletes = true
        return endpoint
    }

    /// The same endpoint, for requests without a body.
    var withoutBody: RESTEndpoint {
        var endpoint = self
        endpoint.isBare = true
        return endpoint
    }

    /// The names in the braces of the path.
    var pathParameters: [String] {
        path.split(separator: "/").filter { $0.hasPrefix("{") && $0.hasSuffix("}") }
            .map { String($0.dropFirst().dropLast()) }
    }

    func add(
        to router: Router<some RequestContext>,
        authorizer: APIAuthorizer,
        limiter: RateLimiter,
        bodies: APIRequestBody
    ) {
        router.on(RouterPath(path), method: method) { request, context in
            let key: APIKey
            let early: Call.Content?
            do {
                (key, early) = try await admit(request, context, authorizer, bodies)
            } catch let problem as any HTTPResponseError {
                var response = try problem.response(from: request, context: context)
                for (name, value) in limiter.untouched(limit).headers {
                    response.headers[name] = value
                }
                return response
            }
            var verdict = limiter.take(limit, for: key)
            var response: Response
            do {
                try verdict.check(key, "requests")
                let content =
                    if let early { early } else { try await content(request, bodies) }
                if limitsBroadcasts, content.isBroadcast {
                    verdict = limiter.take(.broadcast, for: key)
                    try verdict.check(key, "broadcasts")
                }
                var places: [String: String] = [:]
                for name in pathParameters {
                    places[name] = context.parameters.get(name)?.removingPercentEncoding
                }
                response = try await answer(request, key, content, places)
                if method != .get, !recordsItself {
                    try await authorizer.record(permission, by: key)
                }
            } catch let problem as any HTTPResponseError {
                response = try problem.response(from: request, context: context)
            } catch let error where !(error is CancellationError) {
                response = try APIError.unexpected(error, at: path, context.logger)
                    .response(from: request, context: context)
            }
            for (name, value) in verdict.headers { response.headers[name] = value }
            return response
        }
    }

    /// Authenticates a request, by its headers alone if possible. Old clients send the key with the
    /// parameters: in the query, or in the body, which then must be read before authentication.
    private func admit(
        _ request: Request,
        _ context: some RequestContext,
        _ authorizer: APIAuthorizer,
        _ bodies: APIRequestBody
    ) async throws -> (key: APIKey, content: Call.Content?) {
        var secret: String?
        var content: Call.Content?
        if request.headers[.authorization] == nil {
            secret = request.query.value("api_key")
            if secret == nil, hasBody {
                let early = Call.Content.document(
                    try await bodies.strangersJSON(request, flawedStrings: flawedStrings)
                )
                (secret, content) = (early.apiKey, early)
            }
        }
        let key = try await authorizer.key(
            of: request,
            in: context,
            beside: secret,
            permission: permission
        )
        return (key, content)
    }

    private func answer(
        _ request: Request,
        _ key: APIKey,
        _ content: Call.Content,
        _ pathParameters: [String: String]
    ) async throws -> Response {
        do {
            return try await handler(
                Call(
                    key: key,
                    content: content,
                    headers: request.headers,
                    pathParameters: pathParameters,
                    host: request.head.authority
                )
            )
        } catch let problem as FieldProblem {
            throw APIError.field(problem)
        } catch let refusal as RefusalError {
            throw APIError(.badRequest, refusal.description)
        } catch let problem as AudienceError {
            throw problem.code == .notReady
                ? APIError(.serviceUnavailable, problem.description, retryAfterSeconds: 5)
                : APIError(.badRequest, problem.description)
        } catch let error as ValidationError {
            throw APIError(
                .badRequest,
                error.description,
                errors: error.problems.map {
                    ["field": .string($0.field), "message": .string($0.message)]
                }
            )
        }
    }

    /// The JSON of a request, or its parameters.
    private func content(
        _ request: Request,
        _ bodies: APIRequestBody
    ) async throws -> Call.Content {
        if hasBody {
            return .document(try await bodies.json(request, flawedStrings: flawedStrings))
        }
        var parameters: [String: JSONValue] = [:]
        for (name, value) in request.query.entries {
            // A list is written as `id[]=a&id[]=b` or `id=a&id=b`.
            let field = name.hasSuffix("[]") ? String(name.dropLast(2)) : name
            let text = JSONValue.string(value)
            switch parameters[field] {
            case .array(let list)?: parameters[field] = .array(list + [text])
            case let first?: parameters[field] = .array([first, text])
            case nil: parameters[field] = name.hasSuffix("[]") ? .array([text]) : text
            }
        }
        return .parameters(parameters)
    }
}

extension RateLimiter.Verdict {
    /// - Parameter things: The word for the objects of which there are too many.
    fileprivate func check(_ key: APIKey, _ things: String) throws(APIError) {
        guard !isAllowed else { return }
        throw APIError(
            .tooManyRequests,
            "the key '\(key.name)' has made too many \(things); wait \(retryAfterSeconds) seconds",
            retryAfterSeconds: retryAfterSeconds
        )
    }
}
