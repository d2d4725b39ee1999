import Foundation
import NIOHTTP1

/// A request as it came over the wire.
package struct BucketRequest: Sendable {
    package var method: String
    /// Path and query, encoded.
    package var uri: String
    package var headers: HTTPHeaders
    package var body: Data

    package var path: String { String(uri.prefix { $0 != "?" }) }

    /// The names and values of the query as they were sent.
    package var rawQuery: [(String, String)] {
        guard let mark = uri.firstIndex(of: "?") else { return [] }
        return uri[uri.index(after: mark)...].split(separator: "&").map { pair in
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return (String(parts[0]), parts.count > 1 ? String(parts[1]) : "")
        }
    }

    package func query(_ name: String) -> String? {
        rawQuery.first { $0.0 == name }?.1.removingPercentEncoding
    }

    /// The object that is meant, empty for the bucket; `nil` if it is another bucket.
    package func key(_ settings: BucketServer.Settings) -> String? {
        guard let path = path.removingPercentEncoding else { return nil }
        let parts = path.dropFirst().split(
            separator: "/",
            maxSplits: 1,
            omittingEmptySubsequences: false
        )
        guard parts.first.map(String.init) == settings.bucket else { return nil }
        return parts.count > 1 ? String(parts[1]) : ""
    }
}

struct BucketAnswer: Sendable {
    var status: Int
    var headers: [(String, String)] = []
    var body = Data()

    static func xml(_ text: String) -> BucketAnswer {
        BucketAnswer(
            status: 200,
            headers: [("Content-Type", "application/xml")],
            body: Data(("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" + text).utf8)
        )
    }

    static func error(_ status: Int, _ code: String, _ more: String = "") -> BucketAnswer {
        var answer = xml("<Error><Code>\(code)</Code><Message>A test</Message>\(more)</Error>")
        answer.status = status
        return answer
    }
}
