import Foundation
import NIOCore
import NIOHTTP1

extension BucketClient {
    /// What S3 takes as parts of an object.
    private static let mostParts = 10_000

    /// Writes a file: one larger than `partSize` in parts, one after the other, so that no more than
    /// one is in memory. What is not completed is given up, also when the task is cancelled.
    ///
    /// - Parameter partSize: At least 5 MiB, as S3 has it; it grows with files of more than 10,000 parts.
    package func upload(
        _ path: String,
        to key: String,
        partSize: Int
    ) async throws {
        guard let file = FileHandle(forReadingAtPath: path) else {
            throw BucketError.file(path, "it cannot be read")
        }
        defer { try? file.close() }
        let size = Int(try file.seekToEnd())
        try file.seek(toOffset: 0)
        guard size > partSize else { return try await put(try file.readToEnd() ?? Data(), at: key) }
        let begun = try await send(
            Call(action: .begin, method: .POST, key: key, query: [("uploads", "")])
        )
        guard let id = try element(begun, of: .begin).text("UploadId"), !id.isEmpty else {
            throw BucketError.unreadable(.begin, "it has no number")
        }
        let upload = OpenUpload(key: key, id: id)
        let length =
            size <= partSize * Self.mostParts
            ? partSize : Self.rounded(size / Self.mostParts + 1)
        do {
            var tags: [String] = []
            while let part = try file.read(upToCount: length), !part.isEmpty {
                tags.append(try await send(part, number: tags.count + 1, of: upload))
            }
            try await complete(upload, tags, bytes: size)
        } catch {
            // Not cancelled with this task, as what is left behind costs money.
            await Task { try? await abort(upload) }.value
            throw error
        }
    }

    /// - Returns: The tag by which the store knows the part.
    private func send(_ part: Data, number: Int, of upload: OpenUpload) async throws -> String {
        let answer = try await send(
            Call(
                action: .part,
                method: .PUT,
                key: upload.key,
                query: [("partNumber", String(number)), ("uploadId", upload.id)],
                body: part
            )
        )
        guard let tag = answer.headers.first(name: "etag") else {
            throw BucketError.unreadable(.part, "it has no ETag")
        }
        return tag
    }

    private func complete(_ upload: OpenUpload, _ tags: [String], bytes: Int) async throws {
        let parts = tags.enumerated().map { index, tag in
            "<Part><PartNumber>\(index + 1)</PartNumber><ETag>\(Self.escape(tag))</ETag></Part>"
        }
        let text =
            "<CompleteMultipartUpload xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">"
            + parts.joined() + "</CompleteMultipartUpload>"
        do {
            _ = try await send(
                Call(
                    action: .complete,
                    method: .POST,
                    key: upload.key,
                    query: [("uploadId", upload.id)],
                    headers: [("content-type", "application/xml")],
                    body: Data(text.utf8)
                )
            )
        } catch let problem as BucketError {
            // It may be complete since a try whose answer was lost.
            guard case .refused(status: 404, _, _) = problem,
                try await objects(upload.key).contains(.init(key: upload.key, bytes: bytes))
            else { throw problem }
        }
    }

    private static func escape(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
    }

    /// To whole mebibytes.
    private static func rounded(_ bytes: Int) -> Int { ((bytes - 1) / (1 << 20) + 1) << 20 }
}
