import Analytics
import Foundation
import Hummingbird
import Ingestion
import Model
import News
import NoroshiWire
import Reasons

/// `/feed/…`: the workspace's news, in the format of Braze's news feed cards.
struct FeedRoutes: Sendable {
    private static let pageLength = 100

    let news: NewsService
    let series: SeriesService
    let now: @Sendable () -> Date

    private static let card = RESTEndpoint.Parameter(
        name: "card_id",
        isRequired: true,
        schema: Schema(["type": "string", "pattern": "^[0-9]+$"])
    )

    var endpoints: [RESTEndpoint] {
        [
            .get(
                "/feed/list",
                "feed.list",
                "Lists the news as cards, \(Self.pageLength) on a page",
                [
                    .page, .init(name: "include_archived", schema: .choice("true", "false")),
                    .init(
                        name: "sort_direction",
                        schema: .choice("asc", "desc"),
                        summary: "By when they were made; the oldest first where it is missing."
                    ),
                ],
                answers: .success([
                    "cards": Schema.list(
                        of: .object([
                            "id": Schema.text.required, "type": .constant("NewsItem").required,
                            "title": Schema.text.required,
                            "tags": Schema.list(of: .text).required,
                        ]),
                        limit: Self.pageLength
                    ).required
                ])
            ) { try await list($0) },
            .get(
                "/feed/details",
                "feed.details",
                "Describes an item of the news as a card",
                [Self.card],
                answers: .success([
                    "name": Schema.text.required, "title": Schema.text.required,
                    "description": Schema.text.required, "tags": Schema.list(of: .text).required,
                    "created_at": Schema.time.required, "updated_at": Schema.time.required,
                    "publish_at": Schema.time.orNull.required,
                    "end_at": Schema.time.orNull.required,
                    "image_url": Schema.text.orNull.required, "extras": Schema.map.required,
                    "archived": Schema.bool.required, "draft": Schema.bool.required,
                ])
            ) { try await details($0) },
            .get(
                "/feed/data_series",
                "feed.data_series",
                "Counts the users who have read an item for the first time, by day or hour",
                [Self.card]
                    + SeriesReader.parameters(hasUnit: true).filter { !$0.name.hasSuffix("_id") },
                answers: .success([
                    "data": Schema.list(
                        of: .object([
                            "time": Schema.text.required,
                            "unique_impressions": Schema.count.required,
                            "impressions": Schema(["type": "null"]).required,
                            "clicks": Schema(["type": "null"]).required,
                            "unique_clicks": Schema(["type": "null"]).required,
                        ]),
                        limit: SeriesReader.lengthLimit
                    ).required,
                    "note": Schema.text.required,
                ])
            ) { try await counts($0) },
        ]
    }

    private func list(_ call: RESTEndpoint.Call) async throws -> Response {
        let reader = try call.reader()
        let page = try reader.page()
        // News items are not archived; they expire.
        switch try reader.string("include_archived") ?? "false" {
        case "true", "false": break
        default: throw reader.problem("include_archived", .mustBeFlag)
        }
        var order = NewsQuery.Order.oldestFirst
        switch try reader.string("sort_direction") ?? "asc" {
        case "asc": break
        case "desc": order = .newestFirst
        default: throw reader.problem("sort_direction", .ascOrDesc)
        }
        let items = try await news.items(
            in: call.workspace,
            order,
            limit: Self.pageLength,
            offset: page * Self.pageLength
        )
        return try JSONResponse.json([
            "message": "success",
            "cards": .array(
                items.map { item in
                    [
                        "id": .string(String(item.id.rawValue)), "type": "NewsItem",
                        "title": .string(item.content.title),
                        "tags": .array(item.content.tags.map(JSONValue.string)),
                    ]
                }
            ),
        ])
    }

    private func details(_ call: RESTEndpoint.Call) async throws -> Response {
        let item = try await item(call)
        let content = item.content
        func time(_ date: Date?) -> JSONValue {
            date.map { .string(Timestamp.format($0)) } ?? .null
        }
        return try JSONResponse.json([
            "message": "success", "name": .string(content.title), "title": .string(content.title),
            "description": .string(content.text),
            "tags": .array(content.tags.map(JSONValue.string)),
            "created_at": time(item.createdAt), "updated_at": time(item.updatedAt),
            "publish_at": time(content.isDraft ? nil : content.releaseFrom ?? item.createdAt),
            "end_at": time(content.releaseEnd),
            "image_url": content.imageURL.isEmpty ? .null : .string(content.imageURL),
            "extras": .object(content.attributes), "archived": false,
            "draft": .bool(content.isDraft),
        ])
    }

    private func counts(_ call: RESTEndpoint.Call) async throws -> Response {
        let item = try await item(call)
        let days = try await series.days(of: call.workspace)
        let wanted = try SeriesReader(call.reader(), days: days, now: now())
        let isByDay = wanted.unit == .day
        let times =
            isByDay
            ? days.days(wanted.length, endingAt: wanted.end)
            : days.hours(wanted.length, endingAt: wanted.end)
        let reads = try await news.reads(of: item, between: times)
        return try JSONResponse.json([
            "message": "success",
            "data": .array(
                zip(times, reads).map { time, count in
                    [
                        "time": .string(isByDay ? days.name(of: time) : Timestamp.format(time)),
                        "unique_impressions": .integer(Int64(count)), "impressions": .null,
                        "clicks": .null, "unique_clicks": .null,
                    ]
                }
            ),
            "note": "a user's first read is counted; later reads and clicks are not",
        ])
    }

    private func item(_ call: RESTEndpoint.Call) async throws -> NewsItem {
        let reader = try call.reader()
        let text = try reader.requiredString("card_id")
        guard let id = Int64(text), let item = try await news.item(NewsID(id), in: call.workspace)
        else { throw reader.problem("card_id", .noCard) }
        return item
    }
}
