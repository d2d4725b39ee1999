import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// Why a request is not read, or not to its end.
package enum FrontError: Error, Sendable, Hashable, HTTPResponseError {
    /// There is no memory left for bodies.
    case noRoom
    /// There is no memory left for bodies of those who are not known yet.
    case noRoomForStrangers
    /// There is no memory left for bodies, and this one was the slowest.
    case gaveWay
    /// The body came too slowly.
    case tooSlow
    /// The body is not framed as HTTP demands, or the connection broke.
    case broken(String)
    /// The head names two hosts.
    case twoHosts

    package var status: HTTPResponse.Status {
        switch self {
        case .noRoom, .noRoomForStrangers, .gaveWay: .serviceUnavailable
        case .tooSlow: .requestTimeout
        case .broken, .twoHosts: .badRequest
        }
    }

    package var message: String {
        switch self {
        case .noRoom:
            "the server holds as many bytes of requests as it may (body-budget); "
                + "send the same request again"
        case .gaveWay:
            "the server holds as many bytes of requests as it may (body-budget), and this one came "
                + "too slowly; send the same request again"
        case .noRoomForStrangers:
            "too many requests without the header Authorization are being read; "
                + "send the key in that header, or the same request again"
        case .tooSlow:
            "the body did not come in time (body-seconds, body-rate); send the same request again"
        case .broken(let reason):
            "the body cannot be read: \(reason)"
        case .twoHosts:
            "the request has two Host headers"
        }
    }

    package func response(from request: Request, context: some RequestContext) throws -> Response {
        let body = try JSONEncoder().encode(["message": message])
        var response = Response(
            status: status,
            headers: [.contentType: "application/json; charset=utf-8"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: body))
        )
        if status == .serviceUnavailable { response.headers[.retryAfter] = "2" }
        return response
    }
}
