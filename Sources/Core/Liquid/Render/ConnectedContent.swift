/// A call a template makes with `connected_content`.
package struct ConnectedContentRequest: Sendable, Hashable {
    package var url: String
    /// In capitals: `GET`, `POST`, …
    package var method = "GET"
    package var headers: [String: String] = [:]
    package var body: String?
    package var contentType: String?
    /// The name of a stored credential.
    package var basicAuth: String?
    /// How long the answer may be used again; `nil` for the usual time.
    package var cacheSeconds: Int?
    /// Whether a failure of the server is worth another try.
    package var retries = false

    package init(url: String) {
        self.url = url
    }
}

/// The answer to a call. A call that failed or timed out has an empty body.
package struct ConnectedContentResponse: Sendable {
    package var status: Int
    package var body: [UInt8]

    package init(status: Int, body: [UInt8]) {
        self.status = status
        self.body = body
    }
}
