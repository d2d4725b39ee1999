import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1

extension BucketClient {
    /// Writes an object into a file, which is made for its owner only and on the disk afterwards.
    /// Where the connection breaks, it goes on from there.
    ///
    /// - Parameter bytes: The object's size; what sends more is another one, and fills no disk.
    package func download(_ key: String, to path: String, bytes: Int) async throws {
        guard
            FileManager.default.createFile(
                atPath: path,
                contents: nil,
                attributes: [.posixPermissions: 0o600]
            ), let file = FileHandle(forWritingAtPath: path)
        else { throw BucketError.file(path, "it cannot be written") }
        defer { try? file.close() }
        var written = 0
        var tag: String?
        var failures = 0
        while true {
            let before = written
            do {
                try await receive(key, into: file, atMost: bytes, &written, &tag)
                break
            } catch let failure as TemporaryFailure {
                failures = written > before ? 1 : failures + 1
                guard failures < Self.tries else { throw failure.problem }
                try await pause(.seconds(failures))
            }
        }
        do {
            try file.synchronize()
        } catch {
            throw BucketError.file(path, error.localizedDescription)
        }
    }

    /// Reads what is missing of an object.
    private func receive(
        _ key: String,
        into file: FileHandle,
        atMost bytes: Int,
        _ written: inout Int,
        _ tag: inout String?
    ) async throws {
        var call = Call(action: .get, method: .GET, key: key)
        if written > 0, let tag {
            call.headers = [("range", "bytes=\(written)-"), ("if-match", tag)]
        }
        // As long as it takes; what does not come for a minute is a failure.
        let response = try await open(call, timeLimit: .hours(24 * 7))
        switch response.status {
        case .ok:
            written = 0
            try write(file) {
                try file.truncate(atOffset: 0)
                try file.seek(toOffset: 0)
            }
        case .partialContent where !call.headers.isEmpty:
            guard
                response.headers.first(name: "content-range")?.hasPrefix("bytes \(written)-")
                    == true
            else { throw BucketError.unreadable(.get, "it is another part of the object") }
        case .preconditionFailed: throw BucketError.changed(key)
        default:
            let body = try await response.body.collect(upTo: 1 << 20)
            throw refusal(
                call,
                Answer(
                    status: Int(response.status.code),
                    headers: response.headers,
                    body: body
                )
            )
        }
        tag = response.headers.first(name: "etag")
        var chunks = response.body.makeAsyncIterator()
        while true {
            let chunk: ByteBuffer?
            do {
                chunk = try await chunks.next()
            } catch {
                throw failure(error)
            }
            guard let chunk else { return }
            guard chunk.readableBytes <= bytes - written else { throw BucketError.changed(key) }
            try write(file) { try file.write(contentsOf: Data(chunk.readableBytesView)) }
            written += chunk.readableBytes
        }
    }

    private func write(_ file: FileHandle, _ work: () throws -> Void) throws {
        do {
            try work()
        } catch {
            throw BucketError.file("the file for a download", error.localizedDescription)
        }
    }
}
