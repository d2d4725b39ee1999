import Foundation
import HTTPTypes
import Hummingbird
import JSON
import NIOCore

/// Reads request bodies, within limits.
enum APIRequestBody {
    /// The largest body, in bytes.
    static let limit = 4 * 1024 * 1024

    static func bytes(_ request: Request) async throws -> ByteBuffer {
        if let coding = request.headers[.contentEncoding], coding.lowercased() != "identity" {
            throw APIProblem(
                .unsupportedMediaType,
                "the body is packed with '\(coding)'; send it without Content-Encoding"
            )
        }
        if let length = request.headers[.contentLength].flatMap(Int.init), length > limit {
            throw tooLarge
        }
        do {
            return try await request.body.collect(upTo: limit)
        } catch is NIOTooManyBytesError {
            throw tooLarge
        }
    }

    static func json(_ request: Request) async throws -> JSONDocument {
        let buffer = try await bytes(request)
        guard buffer.readableBytes > 0 else {
            throw APIProblem(.badRequest, "the body is empty; send JSON")
        }
        do {
            return try JSONDocument(buffer.readableBytesView)
        } catch {
            throw APIProblem(.badRequest, "the body is no JSON: \(error)")
        }
    }

    private static let tooLarge = APIProblem(
        .contentTooLarge,
        "the body is larger than \(limit) bytes; send several requests"
    )
}
