/// A call that a template makes with `connected_content`.
package struct ConnectedContentRequest: Sendable, Hashable {
    package var url: String
    /// In uppercase: `GET`, `POST`, …
    package var method = "GET"
    package var headers: [String: String] = [:]
    package var body: String?
    package var contentType: String?
    /// The name of a stored credential.
    package var basicAuth: String?
    /// How long the response may be cached, in seconds; `nil` for the default.
    package var cacheSeconds: Int?
    /// Whether to retry after a failure of the server.
    package var retries = false

    package init(url: String) {
        self.url = url
    }
}

/// The response to a call. A call that failed or timed out has an empty body.
package struct ConnectedContentResponse: Sendable {
    package var status: Int
    package var body: [UInt8]

    package init(status: Int, body: [UInt8]) {
        self.status = status
        self.body = body
    }
}
