import Analytics
import Audience
import Foundation
import Hummingbird
import Ingestion
import Model
import NoroshiWire
import Reasons

/// Counts over time: events, sessions, purchases and users.
struct SeriesRoutes: Sendable {
    private static let productsOnAPage = 250

    let series: SeriesService
    let segments: SegmentService
    let now: @Sendable () -> Date

    var endpoints: [RESTEndpoint] { counts + purchases + users }

    private var counts: [RESTEndpoint] {
        [
            .get(
                "/events/data_series",
                "events.data_series",
                "Counts a custom event by day or hour",
                [.init(name: "event", isRequired: true, summary: "The event's name.")]
                    + SeriesReader.parameters(hasUnit: true),
                answers: SeriesReader.answer("count")
            ) { call in
                let event = try call.reader().requiredString("event")
                // The system's own events are excluded.
                guard !event.hasPrefix("$") else {
                    throw FieldProblem("event", .customEventName)
                }
                return try await rows(call, "count") { _ in .events(event) }
            },
            .get(
                "/sessions/data_series",
                "sessions.data_series",
                "Counts sessions by day or hour",
                SeriesReader.parameters(hasUnit: true),
                answers: SeriesReader.answer("sessions")
            ) { try await rows($0, "sessions") { _ in .sessions } },
        ]
    }

    private var purchases: [RESTEndpoint] {
        let product = RESTEndpoint.Parameter(name: "product", summary: "Only this product.")
        return [
            .get(
                "/purchases/product_list",
                "purchases.product_list",
                "Lists the products that were bought, \(Self.productsOnAPage) on a page",
                [.page],
                answers: .success(["products": Schema.list(of: .text).required])
            ) { try await products($0) },
            .get(
                "/purchases/quantity_series",
                "purchases.quantity_series",
                "Counts the pieces that were bought by day or hour",
                [product] + SeriesReader.parameters(hasUnit: true),
                answers: SeriesReader.answer("purchase_quantity")
            ) { call in
                try await rows(call, "purchase_quantity") { .quantity(product: $0) }
            },
            .get(
                "/purchases/revenue_series",
                "purchases.revenue_series",
                "Adds up what was paid by day or hour, in one currency",
                [
                    product,
                    .init(
                        name: "currency",
                        schema: .text(3...3),
                        summary: "ISO 4217. Where it is missing, the only one of the purchases, or "
                            + "the workspace's where that is among several."
                    ),
                ] + SeriesReader.parameters(hasUnit: true),
                answers: SeriesReader.answer("revenue", .number, ["currency": Schema.text.required])
            ) { try await revenue($0) },
        ]
    }

    private var users: [RESTEndpoint] {
        [
            kpi("new_users", "Counts the users who are new each day") {
                try await series.newUsers(in: $0, length: $1, endingAt: $2, narrowedTo: $3)
            },
            kpi("dau", "Counts the users with a session on each day") {
                try await series.activeUsers(
                    in: $0,
                    window: 1,
                    length: $1,
                    endingAt: $2,
                    narrowedTo: $3
                )
            },
            kpi("mau", "Counts the users with a session in the 30 days up to each day") {
                try await series.activeUsers(
                    in: $0,
                    window: SeriesService.monthLength,
                    length: $1,
                    endingAt: $2,
                    narrowedTo: $3
                )
            },
            kpi("uninstalls", "Counts the devices that push services say the app is gone from") {
                try await series.uninstalls(in: $0, length: $1, endingAt: $2, narrowedTo: $3)
            },
        ]
    }

    private func kpi(
        _ figure: String,
        _ summary: String,
        _ count:
            @escaping @Sendable (WorkspaceID, Int, Date, SeriesService.Narrowing) async throws
            -> [SeriesService.Row]
    ) -> RESTEndpoint {
        .get(
            "/kpi/\(figure)/data_series",
            "kpi.\(figure).data_series",
            summary,
            SeriesReader.parameters(),
            answers: SeriesReader.answer(figure)
        ) { call in
            let days = try await series.days(of: call.workspace)
            let reader = try call.reader()
            let asked = try SeriesReader(reader, days: days, now: now())
            let narrowing = try await narrowing(reader, call)
            do {
                return try Self.answer(
                    try await count(call.workspace, asked.length, asked.end, narrowing),
                    figure
                )
            } catch let gap as SeriesGapError {
                throw Self.problem(gap, narrowing)
            }
        }
    }

    private func narrowing(
        _ reader: RequestReader,
        _ call: RESTEndpoint.Call
    ) async throws -> SeriesService.Narrowing {
        try await SeriesReader.narrowing(reader, in: call.workspace, series, segments)
    }

    /// Names the days that cannot be counted, instead of leaving them out.
    private static func problem(
        _ gap: SeriesGapError,
        _ narrowing: SeriesService.Narrowing
    ) -> FieldProblem {
        let since = Timestamp.format(gap.since)
        return narrowing.apps.isEmpty
            ? FieldProblem("length", .countedSince, ["moment": .text(since)])
            : FieldProblem("app_id", .appKnownSince, ["moment": .text(since)])
    }

    private func revenue(_ call: RESTEndpoint.Call) async throws -> Response {
        let reader = try call.reader()
        let product = try reader.string("product")
        if let currency = try reader.string("currency")?.uppercased() {
            try FieldValidator.currency(currency)
            return try await revenue(call, in: currency)
        }
        let used = try await series.currencies(of: product, in: call.workspace)
        guard let currency = try await series.usualCurrency(among: used, in: call.workspace) else {
            throw FieldProblem(
                "currency",
                .currencyRequired,
                ["known": .text(used.joined(separator: ", "))]
            )
        }
        return try await revenue(call, in: currency)
    }

    private func revenue(_ call: RESTEndpoint.Call, in currency: String) async throws -> Response {
        try await rows(call, "revenue", ["currency": .string(currency)]) {
            .revenue(product: $0, currency: currency)
        }
    }

    /// Responds with the series that `choose` returns for the requested product.
    private func rows(
        _ call: RESTEndpoint.Call,
        _ figure: String,
        _ details: [String: JSONValue] = [:],
        _ choose: (String?) -> CountSeries
    ) async throws -> Response {
        let reader = try call.reader()
        let days = try await series.days(of: call.workspace)
        let asked = try SeriesReader(reader, days: days, now: now())
        let narrowing = try await narrowing(reader, call)
        do {
            let rows = try await series.rows(
                of: choose(try reader.string("product")),
                in: call.workspace,
                asked.unit,
                length: asked.length,
                endingAt: asked.end,
                narrowedTo: narrowing
            )
            return try Self.answer(rows, figure, details)
        } catch let gap as SeriesGapError {
            throw Self.problem(gap, narrowing)
        }
    }

    private static func answer(
        _ rows: [SeriesService.Row],
        _ figure: String,
        _ details: [String: JSONValue] = [:]
    ) throws -> Response {
        var answer = details
        answer["message"] = "success"
        answer["data"] = .array(
            rows.map { row in
                let whole = Int64(exactly: row.value)
                return [
                    "time": .string(row.time),
                    figure: whole.map(JSONValue.integer) ?? .number(row.value),
                ]
            }
        )
        return try JSONResponse.json(.object(answer))
    }

    private func products(_ call: RESTEndpoint.Call) async throws -> Response {
        let page = try call.reader().page()
        let products = try await series.products(
            in: call.workspace,
            limit: Self.productsOnAPage,
            offset: page * Self.productsOnAPage
        )
        return try JSONResponse.json([
            "message": "success", "products": .array(products.map(JSONValue.string)),
        ])
    }
}
