import Foundation
import Hummingbird
import Model
import News
import NoroshiWire
import Reasons
import WebPages

/// The published news for apps: `GET /sdk/v1/news`.
struct NewsRoutes: Sendable {
    /// Separates the values of a condition from its operator, as clients write it.
    private static let operatorMark = "∀"
    private static let maxPageSize = 1000

    let authorizer: APIAuthorizer
    let news: NewsService
    let authenticator: SDKAuthenticator

    func add(to router: Router<some RequestContext>) {
        router.get("/sdk/v1/news") { request, context in
            try await authorizer.serve(request, context) { try await list(request, for: $0) }
        }
    }

    private func list(_ request: Request, for app: App) async throws -> Response {
        var wanted = try Self.read(request)
        // A user's read state is disclosed only to that user.
        if app.authentication.mode == .required, case .external(let user)? = wanted.user,
            !authenticator.proves(request, user, of: app)
        {
            wanted.user = nil
        }
        let published = try await news.published(wanted, in: app.workspace)
        return try JSONResponse.json(
            JSONValue.object([
                "news": .array(published.rows.map(Self.json)),
                "total": .integer(Int64(published.total)),
            ])
        )
    }

    private static func read(_ request: Request) throws -> NewsRequest {
        var wanted = NewsRequest()
        for (name, value) in request.query.entries {
            switch name {
            case "news_id":
                // An invalid id matches no item.
                wanted.id = NewsID(Int64(value) ?? 0)
            case "user" where !value.isEmpty: wanted.user = .external(value)
            case "limit": wanted.limit = try number(name, value, in: 1...maxPageSize)
            case "offset": wanted.offset = try number(name, value, in: 0...Int.max)
            case "sort": wanted.orders = try value.split(separator: ",").map(order)
            default:
                guard name.hasPrefix("search["), name.hasSuffix("]") else { continue }
                let column = String(name.dropFirst("search[".count).dropLast())
                wanted.conditions.append(try condition(column, value))
            }
        }
        return wanted
    }

    private static func number(
        _ field: String,
        _ text: String,
        in range: ClosedRange<Int>
    ) throws -> Int {
        guard let number = Int(text), range.contains(number) else {
            let problem =
                range.upperBound == .max
                ? FieldProblem(field, .numberFromOn, ["first": "\(range.lowerBound)"])
                : FieldProblem(
                    field,
                    .numberFrom,
                    ["first": "\(range.lowerBound)", "last": "\(range.upperBound)"]
                )
            throw APIError.field(problem)
        }
        return number
    }

    private static func order(_ text: Substring) throws -> NewsOrder {
        let parts = text.split(separator: ":", maxSplits: 1)
        guard let column = parts.first,
            ["0001", "0002"].contains(parts.dropFirst().first ?? "0001")
        else {
            throw APIError.field(FieldProblem("sort", .newsOrder))
        }
        return NewsOrder(column: String(column), isAscending: parts.dropFirst().first != "0002")
    }

    private static func condition(_ column: String, _ text: String) throws -> NewsCondition {
        let parts = text.components(separatedBy: operatorMark)
        let values = parts[0].components(separatedBy: ",")
        guard parts.count > 1 else { return NewsCondition(column, .equal, values) }
        guard let comparison = NewsCondition.Comparison(rawValue: parts[1]) else {
            let known = NewsCondition.Comparison.allCases.map(\.rawValue).joined(separator: ", ")
            throw APIError.field(
                FieldProblem(
                    "search[\(column)]",
                    .newsOperator,
                    ["text": .text(parts[1]), "known": .text(known)]
                )
            )
        }
        return NewsCondition(column, comparison, values)
    }

    private static func json(_ row: PublishedNews.Row) -> JSONValue {
        let content = row.item.content
        var values: [String: JSONValue] = [
            "news_id": .string(String(row.item.id.rawValue)),
            "tenant_id": .string(row.item.tenantID),
            "title": .string(content.title),
            "description": .string(content.text),
            "tags": .array(content.tags.map { .string($0) }),
            "release_from_date": .string(
                (content.releaseFrom ?? row.item.createdAt).formatted(.iso8601)
            ),
            "attributes": .object(content.attributes),
        ]
        for (name, text) in [
            ("category", content.category), ("url", content.url), ("photo", content.imageURL),
        ] where !text.isEmpty {
            values[name] = .string(text)
        }
        if let end = content.releaseEnd {
            values["release_end_date"] = .string(end.formatted(.iso8601))
        }
        if let isRead = row.isRead { values["is_read"] = .bool(isRead) }
        if let date = row.readAt { values["read_date"] = .string(date.formatted(.iso8601)) }
        return .object(values)
    }
}
