import Foundation
import Front
import HTTPTypes
import Hummingbird
import JSON
import Model
import NIOCore

/// Reads request bodies, within limits.
struct APIRequestBody: Sendable {
    let strangers: StrangerBodies
    /// Maximum size of a body, in bytes, as it is now.
    let currentLimit: @Sendable () -> Int

    private var limit: Int { currentLimit() }

    func bytes(_ request: Request) async throws -> ByteBuffer {
        try checkHead(request)
        do {
            return try await request.wholeBody(upTo: limit)
        } catch is NIOTooManyBytesError {
            throw tooLarge
        }
    }

    /// The JSON body of a client that has not authenticated with a header.
    func strangersJSON(
        _ request: Request,
        flawedStrings: JSONDocument.FlawedStrings
    ) async throws -> JSONDocument {
        try checkHead(request)
        do {
            return try Self.document(
                try await strangers.collect(request, upTo: StrangerBodies.keyed),
                flawedStrings
            )
        } catch is NIOTooManyBytesError {
            throw APIError(
                .unauthorized,
                "send the header 'Authorization: Bearer <key>'; a body with 'api_key' has at most "
                    + "\(StrangerBodies.keyed) bytes"
            )
        }
    }

    private func checkHead(_ request: Request) throws {
        if let coding = request.headers[.contentEncoding], coding.lowercased() != "identity" {
            throw APIError(
                .unsupportedMediaType,
                "the body is packed with '\(coding)'; send it without Content-Encoding"
            )
        }
        if let length = request.headers[.contentLength].flatMap(Int.init), length > limit {
            throw tooLarge
        }
    }

    /// The validated JSON text as bytes, for readers that decode it themselves.
    func text(_ request: Request) async throws -> ByteBuffer {
        let buffer = try await bytes(request)
        _ = try Self.document(buffer, .refused)
        return buffer
    }

    func json(
        _ request: Request,
        flawedStrings: JSONDocument.FlawedStrings = .refused
    ) async throws -> JSONDocument {
        try Self.document(try await bytes(request), flawedStrings)
    }

    private static func document(
        _ buffer: ByteBuffer,
        _ flawedStrings: JSONDocument.FlawedStrings
    ) throws(APIError) -> JSONDocument {
        guard buffer.readableBytes > 0 else {
            throw APIError(.badRequest, "the body is empty; send JSON")
        }
        do {
            return try JSONDocument(buffer.readableBytesView, flawedStrings: flawedStrings)
        } catch {
            if let path = error.path {
                throw APIError.field(FieldProblem(.request(path), error.problem))
            }
            throw APIError(.badRequest, "the body is no JSON: \(error)")
        }
    }

    private var tooLarge: APIError {
        APIError(
            .contentTooLarge,
            "the body is larger than \(limit) bytes; send several requests"
        )
    }
}
