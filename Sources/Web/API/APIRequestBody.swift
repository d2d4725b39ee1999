import Foundation
import HTTPTypes
import Hummingbird
import JSON
import NIOCore

/// Reads request bodies, within limits.
struct APIRequestBody: Sendable {
    /// The largest body, in bytes.
    let limit: Int

    func bytes(_ request: Request) async throws -> ByteBuffer {
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

    func json(_ request: Request) async throws -> JSONDocument {
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

    private var tooLarge: APIProblem {
        APIProblem(
            .contentTooLarge,
            "the body is larger than \(limit) bytes; send several requests"
        )
    }
}
