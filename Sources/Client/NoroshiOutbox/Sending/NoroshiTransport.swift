import Foundation

/// Sends a request to the server and returns the response.
public protocol NoroshiTransport: Sendable {
    /// Sends `request`; throws if no response was received.
    func send(_ request: NoroshiRequest) async throws -> NoroshiResponse
}

/// A request to the server.
public struct NoroshiRequest: Sendable {
    /// The HTTP method.
    public var method: String
    /// The URL.
    public var url: URL
    /// The header fields.
    public var headers: [String: String]
    /// The body.
    public var body: Data?
    /// Timeout of the request, in seconds.
    public var timeout: TimeInterval

    /// A request to `url`.
    public init(
        method: String = "POST",
        url: URL,
        headers: [String: String] = [:],
        body: Data? = nil,
        timeout: TimeInterval = 25
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.timeout = timeout
    }
}

/// The server's response.
public struct NoroshiResponse: Sendable {
    /// The HTTP status.
    public var status: Int
    /// The header fields, with lowercase names.
    public var headers: [String: String]
    /// The body.
    public var body: Data

    /// A response with `status`.
    public init(status: Int, headers: [String: String] = [:], body: Data = Data()) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}
