import HTTPTypes
import Hummingbird
import NIOCore

/// Responds with HTML under the content security policy of all pages: nothing inline, nothing from
/// another host, no framing.
package enum HTMLResponse {
    package static let policy = [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "font-src 'self'",
        "connect-src 'self'",
        // For the page of an HTML message, which has its own sandbox.
        "frame-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    ].joined(separator: "; ")

    package static func html(_ text: String, status: HTTPResponse.Status = .ok) -> Response {
        Response(
            status: status,
            headers: headers(contentType: "text/html; charset=utf-8"),
            body: ResponseBody(byteBuffer: ByteBuffer(string: text))
        )
    }

    /// An untrusted page for a frame. It is sandboxed: it runs no scripts, reaches no host and has
    /// no origin.
    package static func sandbox(_ html: String) -> Response {
        var headers = headers(contentType: "text/html; charset=utf-8")
        headers[.contentSecurityPolicy] =
            "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; "
            + "font-src data:; frame-ancestors 'self'"
        return Response(
            status: .ok,
            headers: headers,
            body: ResponseBody(byteBuffer: ByteBuffer(string: html))
        )
    }

    package static func json(
        _ bytes: some Collection<UInt8>,
        status: HTTPResponse.Status = .ok
    ) -> Response {
        Response(
            status: status,
            headers: headers(contentType: "application/json"),
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes))
        )
    }

    package static func redirect(to path: String) -> Response {
        var fields = headers(contentType: "text/plain; charset=utf-8")
        fields[.location] = path
        return Response(status: .seeOther, headers: fields)
    }

    package static func headers(contentType: String) -> HTTPFields {
        var fields: HTTPFields = [.contentType: contentType, .cacheControl: "no-store"]
        fields[.contentSecurityPolicy] = policy
        fields[.xContentTypeOptions] = "nosniff"
        if let referrerPolicy = HTTPField.Name("Referrer-Policy") {
            fields[referrerPolicy] = "same-origin"
        }
        return fields
    }
}
