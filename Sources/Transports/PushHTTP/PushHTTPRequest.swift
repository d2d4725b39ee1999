/// One `POST`, ready for the wire.
package struct PushHTTPRequest: Sendable {
    package var path: String
    /// The headers that many requests share; sent as one byte each after the first time.
    package var sharedHeaders: SharedHeaders
    /// The headers of this request alone.
    package var headers: [(name: PushHeaderName, value: String)]
    package var body: [UInt8]

    package init(
        path: String,
        sharedHeaders: SharedHeaders,
        headers: [(name: PushHeaderName, value: String)] = [],
        body: [UInt8]
    ) {
        self.path = path
        self.sharedHeaders = sharedHeaders
        self.headers = headers
        self.body = body
    }
}

/// A set of header fields that many requests carry unchanged.
///
/// It is a class because a connection remembers by identity how it encoded the set.
package final class SharedHeaders: Sendable {
    package let fields: [(name: String, value: String)]

    /// - Parameter fields: names in lower case, as HTTP/2 wants them.
    package init(_ fields: [(name: String, value: String)]) {
        self.fields = fields
    }
}

/// The name of a header whose value differs from request to request.
package struct PushHeaderName: Sendable {
    package let text: String
    /// The start of an HPACK literal without indexing (RFC 7541, 6.2.2), name included.
    let encodedStart: [UInt8]

    /// A name outside the static table of RFC 7541; at most 126 bytes.
    package init(_ text: String) {
        precondition(text.utf8.count < 127, "a header name of 127 bytes or more")
        self.text = text
        encodedStart = [0x00, UInt8(text.utf8.count)] + Array(text.utf8)
    }

    /// A name of the static table of RFC 7541, appendix A.
    init(_ text: String, staticIndex: Int) {
        self.text = text
        encodedStart =
            staticIndex < 15 ? [UInt8(staticIndex)] : [0x0f, UInt8(staticIndex - 15)]
    }

    package static let authorization = PushHeaderName("authorization", staticIndex: 23)
    package static let contentType = PushHeaderName("content-type", staticIndex: 31)
}

/// The answer to one request.
package struct PushHTTPResponse: Sendable {
    package var status: Int
    package var headers: [(name: String, value: String)]
    package var body: [UInt8]

    package init(status: Int, headers: [(name: String, value: String)] = [], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// The first value of a header; the name in lower case.
    package func header(_ name: String) -> String? {
        headers.first { $0.name == name }?.value
    }
}

/// The result of a request.
package enum PushHTTPResult: Sendable {
    case response(PushHTTPResponse)
    /// The peer has certainly not processed the request.
    case notSent(reason: String, retryAfter: Duration?)
    /// The request was sent but not answered: it may or may not have been processed.
    case unanswered(reason: String)
}
