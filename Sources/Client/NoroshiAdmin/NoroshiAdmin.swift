import Foundation
import NoroshiOutbox
import NoroshiWire

/// An asynchronous client of the REST API, for servers and scripts.
///
/// ```swift
/// let admin = NoroshiAdmin(endpoint: "https://push.example.com", apiKey: "…")
/// try await admin.send(
///     .init(push: .init(title: "Tea", body: "is ready"), to: .users(["ann"]))
/// )
/// ```
/// A call throws `NoroshiAdminError` if the server rejects it or cannot be reached. Success means
/// accepted and queued.
public struct NoroshiAdmin: Sendable {
    private let endpoint: String
    private let apiKey: String
    private let transport: any NoroshiTransport

    /// A client of the server `endpoint` with a REST key that has the permissions of the calls.
    public init(
        endpoint: String,
        apiKey: String,
        transport: any NoroshiTransport = URLSessionTransport()
    ) {
        self.endpoint = endpoint
        self.apiKey = apiKey
        self.transport = transport
    }

    /// Sends `body` to `path` and decodes the response.
    func post<Body: Encodable, Answer: Decodable>(
        _ path: String,
        _ body: Body,
        as answer: Answer.Type = Answer.self
    ) async throws -> Answer {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        encoder.dateEncodingStrategy = .iso8601
        return try await perform(
            NoroshiRequest(
                method: "POST",
                url: try url(path, query: [:]),
                headers: ["Content-Type": "application/json"],
                body: try encoder.encode(body)
            )
        )
    }

    /// Reads the resource at `path`.
    func get<Answer: Decodable>(
        _ path: String,
        query: [String: String] = [:],
        as answer: Answer.Type = Answer.self
    ) async throws -> Answer {
        try await perform(NoroshiRequest(method: "GET", url: try url(path, query: query)))
    }

    private func url(_ path: String, query: [String: String]) throws -> URL {
        let base = endpoint.contains("://") ? endpoint : "https://" + endpoint
        guard var components = URLComponents(string: base), components.host != nil else {
            throw NoroshiAdminError(status: nil, message: "\(endpoint) is not a server's address")
        }
        components.path = (components.path.hasSuffix("/") ? "" : components.path + "/") + path
        if !query.isEmpty {
            components.queryItems = query.sorted { $0.key < $1.key }
                .map { URLQueryItem(name: $0.key, value: $0.value) }
            // In a query a plus sign means a space; Foundation leaves its encoding to the caller.
            components.percentEncodedQuery = components.percentEncodedQuery?
                .replacingOccurrences(of: "+", with: "%2B")
        }
        guard let url = components.url else {
            throw NoroshiAdminError(status: nil, message: "\(path) makes no address")
        }
        return url
    }

    private func perform<Answer: Decodable>(_ request: NoroshiRequest) async throws -> Answer {
        var request = request
        request.headers["Authorization"] = "Bearer \(apiKey)"
        let response: NoroshiResponse
        do {
            response = try await transport.send(request)
        } catch {
            throw NoroshiAdminError(
                status: nil,
                message: "\(request.url) could not be reached: \(error)"
            )
        }
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        decoder.dateDecodingStrategy = .iso8601
        guard (200..<300).contains(response.status) else {
            let failure = try? decoder.decode(Failure.self, from: response.body)
            throw NoroshiAdminError(
                status: response.status,
                message: failure?.message ?? "the server answered \(response.status)",
                errors: failure?.errors?.map(\.text) ?? [],
                retryAfter: response.headers["retry-after"].flatMap { TimeInterval($0) }
            )
        }
        do {
            return try decoder.decode(Answer.self, from: response.body)
        } catch {
            throw NoroshiAdminError(
                status: response.status,
                message: "the answer of \(request.url.path) was not understood: \(error)"
            )
        }
    }

    private struct Failure: Decodable {
        var message: String
        var errors: [NoroshiAdminProblem]?
    }
}

/// The reason why a call of the REST API failed.
public struct NoroshiAdminError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The HTTP status; `nil` if there was no response.
    public var status: Int?
    /// The problem.
    public var message: String
    /// The individual errors.
    public var errors: [String] = []
    /// Seconds after which to retry, according to the server; `nil` if it did not say.
    public var retryAfter: TimeInterval?

    /// A failure with `message`.
    public init(
        status: Int?,
        message: String,
        errors: [String] = [],
        retryAfter: TimeInterval? = nil
    ) {
        self.status = status
        self.message = message
        self.errors = errors
        self.retryAfter = retryAfter
    }

    /// The status and the server’s message.
    public var description: String { ([message] + errors).joined(separator: "; ") }
}

/// An error that the server reports: a text, or an object with details.
public struct NoroshiAdminProblem: Sendable, Equatable, Decodable {
    /// The problem.
    public var text: String

    /// Reads a problem from an object or from a plain text.
    public init(from decoder: any Decoder) throws {
        if let text = try? decoder.singleValueContainer().decode(String.self) {
            self.text = text
            return
        }
        let members = try decoder.singleValueContainer().decode([String: JSONValue].self)
        let type = members["type"]?.stringValue ?? members["message"]?.stringValue ?? "\(members)"
        let list = members["inputArray"] ?? members["input_array"]
        let place = [list, members["index"]].compactMap(Self.place)
        text = (place + [type]).joined(separator: " ")
    }

    private static func place(_ member: JSONValue?) -> String? {
        if let name = member?.stringValue { return name }
        return member?.integerValue.map { "\($0)" }
    }
}
