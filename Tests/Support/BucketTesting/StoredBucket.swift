import Crypto
import Foundation
import NIOHTTP1

/// What a bucket holds, and what it answers.
struct StoredBucket: Sendable {
    struct Object: Sendable {
        var data: Data
        var tag: String { "\"\(BucketDigits.text(Insecure.MD5.hash(data: data)))\"" }
    }

    struct Upload: Sendable {
        var key: String
        var parts: [Int: Object] = [:]
    }

    var page: Int
    var leastPart: Int
    var objects: [String: Object] = [:]
    var uploads: [String: Upload] = [:]
    private var begun = 0

    init(page: Int, leastPart: Int) {
        self.page = page
        self.leastPart = leastPart
    }

    mutating func answer(_ request: BucketRequest, _ key: String) -> BucketAnswer {
        if key.isEmpty {
            return request.query("uploads") != nil ? openUploads(request) : list(request)
        }
        switch (request.method, request.query("uploadId"), request.query("uploads")) {
        case ("POST", nil, .some): return begin(key)
        case ("PUT", .some(let id), _): return part(request, id)
        case ("POST", .some(let id), _): return complete(request, id)
        case ("DELETE", .some(let id), _):
            return uploads.removeValue(forKey: id) == nil
                ? .error(404, "NoSuchUpload") : BucketAnswer(status: 204)
        case ("PUT", nil, _):
            let object = Object(data: request.body)
            objects[key] = object
            return BucketAnswer(status: 200, headers: [("ETag", object.tag)])
        case ("DELETE", nil, _):
            objects[key] = nil
            return BucketAnswer(status: 204)
        case ("GET", nil, _): return get(request, key)
        default: return .error(405, "MethodNotAllowed")
        }
    }

    private mutating func begin(_ key: String) -> BucketAnswer {
        begun += 1
        uploads["upload-\(begun)"] = Upload(key: key)
        return .xml(
            "<InitiateMultipartUploadResult><UploadId>upload-\(begun)</UploadId>"
                + "</InitiateMultipartUploadResult>"
        )
    }

    private mutating func part(_ request: BucketRequest, _ id: String) -> BucketAnswer {
        guard uploads[id] != nil else { return .error(404, "NoSuchUpload") }
        guard let number = request.query("partNumber").flatMap(Int.init),
            (1...10_000).contains(number)
        else { return .error(400, "InvalidArgument") }
        let object = Object(data: request.body)
        uploads[id]?.parts[number] = object
        return BucketAnswer(status: 200, headers: [("ETag", object.tag)])
    }

    /// Takes the parts that are named, in ascending order, with the tags they were given.
    private mutating func complete(_ request: BucketRequest, _ id: String) -> BucketAnswer {
        guard let upload = uploads[id] else { return .error(404, "NoSuchUpload") }
        let text = String(decoding: request.body, as: UTF8.self)
        let named = text.matches(
            of: /<Part><PartNumber>([0-9]+)<\/PartNumber><ETag>([^<]+)<\/ETag><\/Part>/
        ).map { (Int($0.output.1) ?? 0, String($0.output.2)) }
        guard !named.isEmpty, named.map(\.0) == Array(1...named.count) else {
            return .error(400, "InvalidPartOrder")
        }
        var data = Data()
        for (number, tag) in named {
            guard let part = upload.parts[number], part.tag == tag else {
                return .error(400, "InvalidPart")
            }
            guard number == named.count || part.data.count >= leastPart else {
                // As S3 does, which has begun to answer by then.
                return .xml("<Error><Code>EntityTooSmall</Code></Error>")
            }
            data += part.data
        }
        objects[upload.key] = Object(data: data)
        uploads[id] = nil
        return .xml("<CompleteMultipartUploadResult></CompleteMultipartUploadResult>")
    }

    private func get(_ request: BucketRequest, _ key: String) -> BucketAnswer {
        guard let object = objects[key] else { return .error(404, "NoSuchKey") }
        if let tag = request.headers.first(name: "if-match"), tag != object.tag {
            return .error(412, "PreconditionFailed")
        }
        guard let range = request.headers.first(name: "range") else {
            return BucketAnswer(status: 200, headers: [("ETag", object.tag)], body: object.data)
        }
        let start = Int(range.dropFirst("bytes=".count).dropLast()) ?? 0
        guard start < object.data.count else { return .error(416, "InvalidRange") }
        return BucketAnswer(
            status: 206,
            headers: [
                ("ETag", object.tag),
                (
                    "Content-Range",
                    "bytes \(start)-\(object.data.count - 1)/\(object.data.count)"
                ),
            ],
            body: object.data.dropFirst(start)
        )
    }

    private func list(_ request: BucketRequest) -> BucketAnswer {
        guard request.query("list-type") == "2" else { return .error(400, "InvalidArgument") }
        let prefix = request.query("prefix") ?? ""
        let after = request.query("continuation-token") ?? ""
        let keys = objects.keys.filter { $0.hasPrefix(prefix) && $0 > after }.sorted()
        let shown = keys.prefix(page)
        let items = shown.map { key in
            "<Contents><Key>\(Self.escape(key))</Key>"
                + "<Size>\(objects[key]?.data.count ?? 0)</Size></Contents>"
        }
        let next = shown.last.map(Self.escape) ?? ""
        return .xml(
            "<ListBucketResult xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">"
                + "<IsTruncated>\(shown.count < keys.count)</IsTruncated>" + items.joined()
                + (shown.count < keys.count
                    ? "<NextContinuationToken>\(next)</NextContinuationToken>" : "")
                + "</ListBucketResult>"
        )
    }

    private func openUploads(_ request: BucketRequest) -> BucketAnswer {
        let prefix = request.query("prefix") ?? ""
        let marker = (
            request.query("key-marker") ?? "", request.query("upload-id-marker") ?? ""
        )
        let all = uploads.map { ($0.value.key, $0.key) }
            .filter { $0.0.hasPrefix(prefix) && $0 > marker }
            .sorted { $0 < $1 }
        let shown = all.prefix(page)
        let items = shown.map { key, id in
            "<Upload><Key>\(Self.escape(key))</Key><UploadId>\(id)</UploadId></Upload>"
        }
        let next = shown.last.map {
            "<NextKeyMarker>\(Self.escape($0.0))</NextKeyMarker>"
                + "<NextUploadIdMarker>\($0.1)</NextUploadIdMarker>"
        }
        return .xml(
            "<ListMultipartUploadsResult>"
                + "<IsTruncated>\(shown.count < all.count)</IsTruncated>"
                + (shown.count < all.count ? next ?? "" : "") + items.joined()
                + "</ListMultipartUploadsResult>"
        )
    }

    private static func escape(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
    }
}

enum BucketDigits {
    static func text(_ bytes: some Sequence<UInt8>) -> String {
        let digits = Array("0123456789abcdef")
        return String(bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
    }
}
