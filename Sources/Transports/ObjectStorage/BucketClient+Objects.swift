import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1

extension BucketClient {
    /// An object of a list.
    package struct StoredObject: Sendable, Hashable {
        package var key: String
        package var bytes: Int
    }

    /// An upload in parts that has neither been completed nor given up.
    package struct OpenUpload: Sendable, Hashable {
        package var key: String
        package var id: String
    }

    /// All objects whose keys begin with `prefix`.
    package func objects(_ prefix: String) async throws -> [StoredObject] {
        var found: [StoredObject] = []
        var token: String?
        repeat {
            let answer = try await send(
                Call(
                    action: .list,
                    method: .GET,
                    query: [("list-type", "2"), ("prefix", prefix)]
                        + (token.map { [("continuation-token", $0)] } ?? [])
                )
            )
            let page = try element(answer, of: .list)
            guard page.name == "ListBucketResult" else {
                throw BucketError.unreadable(.list, "it is a '\(page.name)'")
            }
            for item in page.all("Contents") {
                guard let key = item.text("Key"), let bytes = item.text("Size").flatMap(Int.init)
                else { throw BucketError.unreadable(.list, "an object has no key or size") }
                found.append(StoredObject(key: key, bytes: bytes))
            }
            let next = page.text("NextContinuationToken")
            guard page.text("IsTruncated") != "true" || (next != nil && next != token) else {
                throw BucketError.unreadable(.list, "it does not say where it goes on")
            }
            token = page.text("IsTruncated") == "true" ? next : nil
        } while token != nil
        return found
    }

    /// The open uploads of keys that begin with `prefix`; none at stores that do not tell.
    package func openUploads(_ prefix: String) async throws -> [OpenUpload] {
        var found: [OpenUpload] = []
        var marker: OpenUpload?
        repeat {
            let answer: Answer
            do {
                answer = try await send(
                    Call(
                        action: .listUploads,
                        method: .GET,
                        query: [("uploads", ""), ("prefix", prefix)]
                            + (marker.map { [("key-marker", $0.key), ("upload-id-marker", $0.id)] }
                                ?? [])
                    )
                )
            } catch BucketError.refused(status: 501, _, _) {
                return []
            }
            let page = try element(answer, of: .listUploads)
            for item in page.all("Upload") {
                guard let key = item.text("Key"), let id = item.text("UploadId") else {
                    throw BucketError.unreadable(.listUploads, "an upload has no key or number")
                }
                // Not every store looks at the prefix.
                if key.hasPrefix(prefix) { found.append(OpenUpload(key: key, id: id)) }
            }
            let next = OpenUpload(
                key: page.text("NextKeyMarker") ?? "",
                id: page.text("NextUploadIdMarker") ?? ""
            )
            let goesOn = page.text("IsTruncated") == "true"
            guard !goesOn || (!next.key.isEmpty && next != marker) else {
                throw BucketError.unreadable(.listUploads, "it does not say where it goes on")
            }
            marker = goesOn ? next : nil
        } while marker != nil
        return found
    }

    /// Writes an object as a whole.
    package func put(_ data: Data, at key: String) async throws {
        _ = try await send(Call(action: .put, method: .PUT, key: key, body: data))
    }

    /// A small object.
    package func object(_ key: String) async throws -> Data {
        Data(try await send(Call(action: .get, method: .GET, key: key)).body.readableBytesView)
    }

    /// Removes an object, which need not be there.
    package func delete(_ key: String) async throws {
        do {
            _ = try await send(Call(action: .delete, method: .DELETE, key: key))
        } catch BucketError.noObject {}
    }

    package func abort(_ upload: OpenUpload) async throws {
        do {
            _ = try await send(
                Call(
                    action: .abort,
                    method: .DELETE,
                    key: upload.key,
                    query: [("uploadId", upload.id)]
                )
            )
        } catch BucketError.refused(status: 404, _, _) {
            // It is gone, which is what was wanted.
        }
    }
}
