import Foundation
import HTTPTypes
import NIOCore
import NoroshiWire
import Testing

/// A call of curl that the reference shows.
struct ShownCall {
    let method: HTTPRequest.Method
    /// The path, with places in braces as the reference has them.
    let path: String
    let query: [(name: String, value: String)]
    let body: JSONValue?

    /// All calls of the page.
    static func all(_ client: APIClient) async throws -> [ShownCall] {
        try await client.text("/docs/api")
            .matches(of: /<h3>curl<\/h3>\s*<pre><code>([^<]*)<\/code>/)
            .map { try ShownCall(Self.plain(String($0.1))) }
    }

    private init(_ text: String) throws {
        let address = try #require(text.firstMatch(of: /"\$HOST([^"]*)"/)?.1, "\(text)")
        let parts = address.split(separator: "?", maxSplits: 1)
        path = String(parts[0])
        var components = URLComponents()
        components.percentEncodedQuery = parts.count > 1 ? String(parts[1]) : nil
        query = (components.queryItems ?? []).map { ($0.name, $0.value ?? "") }
        body = try text.firstMatch(of: /-d '(.*)' \\\n/).map {
            let json = String($0.1).replacing("'\\''", with: "'")
            return try JSONDecoder().decode(JSONValue.self, from: Data(json.utf8))
        }
        let named = text.firstMatch(of: /-X ([A-Z]+)/).map { String($0.1) }
        method = try #require(
            HTTPRequest.Method(rawValue: named ?? (body == nil ? "GET" : "POST"))
        )
    }

    /// What the page's text means.
    private static func plain(_ html: String) -> String {
        [("&quot;", "\""), ("&#39;", "'"), ("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&")]
            .reduce(html) { $0.replacing($1.0, with: $1.1) }
    }

    /// Makes the call, with what exists in the places of what the example calls so.
    func run(_ client: APIClient, known: [String: [JSONValue]]) async throws -> APIClient.Answer {
        func text(_ name: String) -> String? { known[name]?.first?.stringValue }
        let place = path.split(separator: "/").map { part in
            part.hasPrefix("{") ? text(part.filter { !"{}".contains($0) }) ?? "none" : String(part)
        }
        var components = URLComponents()
        components.path = "/" + place.joined(separator: "/")
        if !query.isEmpty {
            components.queryItems = query.map {
                URLQueryItem(name: $0.name, value: text($0.name) ?? $0.value)
            }
        }
        return try await client.send(
            try #require(components.string),
            method,
            [.authorization: "Bearer \(client.secret)"],
            try body.map { ByteBuffer(bytes: try JSONEncoder().encode($0.naming(known))) }
        )
    }
}

extension JSONValue {
    /// The same value, in which members of these names have the first of their values.
    fileprivate func naming(_ known: [String: [JSONValue]]) -> JSONValue {
        switch self {
        case .array(let elements): .array(elements.map { $0.naming(known) })
        case .object(let members):
            .object(
                Dictionary(
                    uniqueKeysWithValues: members.map { name, value in
                        let isText = value.stringValue != nil
                        return (name, isText ? known[name]?.first ?? value : value.naming(known))
                    }
                )
            )
        default: self
        }
    }
}
