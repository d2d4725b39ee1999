import Foundation
import HTTPTypes
import Hummingbird
import Logging
import Model
import NoroshiWire

/// An answer that says no: a status, a message for a person and the items at fault.
///
/// The one place where an error becomes an HTTP answer: handlers throw it, Hummingbird sends it.
package struct APIError: Error, HTTPResponseError {
    package var status: HTTPResponse.Status
    package var message: String
    package var errors: [JSONValue]
    package var retryAfterSeconds: Int?
    /// What kind of refusal it is in the words of SCIM, where the standard has a name for it.
    var scimType: String?

    /// How answers of an endpoint are written.
    enum Form: Sendable, Hashable {
        case general
        /// RFC 7644.
        case scim

        init(path: String) { self = path.hasPrefix("/scim/") ? .scim : .general }

        var contentType: String {
            switch self {
            case .general: "application/json; charset=utf-8"
            case .scim: "application/scim+json; charset=utf-8"
            }
        }
    }

    package init(
        _ status: HTTPResponse.Status,
        _ message: String,
        errors: [JSONValue] = [],
        retryAfterSeconds: Int? = nil
    ) {
        self.status = status
        self.message = message
        self.errors = errors
        self.retryAfterSeconds = retryAfterSeconds
    }

    /// A field that breaks a rule.
    static func field(_ problem: FieldProblem) -> APIError {
        field(problem.field, problem.message)
    }

    /// A record that breaks a rule.
    static func record(_ rejection: SDKRejection) -> APIError {
        field(rejection.field, rejection.message)
    }

    private static func field(_ field: String, _ message: String) -> APIError {
        APIError(
            .badRequest,
            field.isEmpty ? message : "'\(field)' \(message)",
            errors: [["field": .string(field), "message": .string(message)]]
        )
    }

    /// An error that says nothing to a client; the log says what it was. Of a store that cannot
    /// work now the client learns so much that it waits.
    package static func unexpected(
        _ error: any Error,
        at route: String,
        _ logger: Logger
    ) -> APIError {
        if let error = error as? StoreError, error.code == .unavailable {
            logger.warning(
                "a request waits for the store",
                metadata: ["http.route": "\(route)", "api.error": "\(error)"]
            )
            return APIError(
                .serviceUnavailable,
                "the server cannot store or read anything at the moment, and /ready says why; "
                    + "send the same request again",
                retryAfterSeconds: 5
            )
        }
        logger.error(
            "a request failed",
            metadata: ["http.route": "\(route)", "api.error": "\(error)"]
        )
        return APIError(
            .internalServerError,
            "the server failed and has logged why; nothing can be said of what was done"
        )
    }

    /// A refusal repeats what was sent, but never U+0000, which many clients cannot read.
    private static func shown(_ text: String) -> String {
        text.replacing("\u{0}", with: "\u{FFFD}")
    }

    private static func shown(_ value: JSONValue) -> JSONValue {
        switch value {
        case .string(let text): .string(shown(text))
        case .array(let values): .array(values.map(shown))
        case .object(let members): .object(members.mapValues(shown))
        default: value
        }
    }

    private func body(_ form: Form) -> [String: JSONValue] {
        let message = Self.shown(message)
        let errors = errors.map(Self.shown)
        var body: [String: JSONValue]
        switch form {
        case .general:
            body = ["message": .string(message)]
            if !errors.isEmpty { body["errors"] = .array(errors) }
        case .scim:
            body = [
                "schemas": ["urn:ietf:params:scim:api:messages:2.0:Error"],
                "status": .string(String(status.code)), "detail": .string(message),
            ]
            body["scimType"] = scimType.map(JSONValue.string)
        }
        return body
    }

    package func response(
        from request: Request,
        context: some RequestContext
    ) throws -> Response {
        let form = Form(path: request.uri.path)
        var response = try JSONResponse.json(JSONValue.object(body(form)), status: status)
        response.headers[.contentType] = form.contentType
        if let retryAfterSeconds { response.headers[.retryAfter] = String(retryAfterSeconds) }
        if status == .unauthorized { response.headers[.wwwAuthenticate] = "Bearer" }
        return response
    }
}

/// Makes answers of JSON.
enum JSONResponse {
    static func json(
        _ value: JSONValue,
        status: HTTPResponse.Status = .ok
    ) throws -> Response {
        try text(of: value, status: status)
    }

    static func json(
        _ value: some Encodable,
        status: HTTPResponse.Status = .ok
    ) throws -> Response {
        try text(of: value, status: status)
    }

    private static func text(
        of value: some Encodable,
        status: HTTPResponse.Status
    ) throws -> Response {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let data = try encoder.encode(value)
        return Response(
            status: status,
            headers: [.contentType: "application/json; charset=utf-8"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: data))
        )
    }
}
