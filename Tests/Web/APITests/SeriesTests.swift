import Foundation
import HTTPTypes
import Model
import NoroshiWire
import Testing

/// `APIClient.now` is 21 September 2026, 23:13 in the workspace's Tokyo.
@Suite("Figures over time")
struct SeriesTests {
    private func fill(_ client: APIClient) async throws {
        func event(_ name: String, _ time: String) -> JSONValue {
            ["external_id": "ada", "name": .string(name), "time": .string(time)]
        }
        func purchase(_ product: String, _ currency: String, _ price: Double) -> JSONValue {
            [
                "external_id": "ada", "product_id": .string(product),
                "currency": .string(currency), "price": .number(price), "quantity": 2,
                "time": "2026-09-20T12:00:00+09:00",
            ]
        }
        let answer = try await client.post(
            "/users/track",
            [
                "events": [
                    event("viewed", "2026-09-19T23:59:59+09:00"),
                    event("viewed", "2026-09-20T00:00:00+09:00"),
                    event("viewed", "2026-09-20T23:59:59+09:00"),
                    event("viewed", "2026-09-21T22:00:00+09:00"),
                ],
                "purchases": [purchase("tea", "JPY", 480), purchase("cup", "EUR", 12.5)],
            ]
        )
        #expect(answer.errors.isEmpty)
    }

    @Test("events are counted by the days of the workspace's time zone")
    func days() async throws {
        try await APIClient.run { client in
            try await fill(client)
            let answer = try await client.get("/events/data_series?event=viewed&length=3")
            #expect(
                answer.body["data"] == [
                    ["time": "2026-09-19", "count": 1], ["time": "2026-09-20", "count": 2],
                    ["time": "2026-09-21", "count": 1],
                ]
            )
            let ended = try await client.get(
                "/events/data_series?event=viewed&length=1&ending_at=2026-09-20"
            )
            #expect(ended.body["data"] == [["time": "2026-09-20", "count": 2]])
            let other = try await client.get("/events/data_series?event=other&length=1")
            #expect(other.body["data"] == [["time": "2026-09-21", "count": 0]])
        }
    }

    @Test("a plus sign in an address is a space, and %2B a plus sign")
    func plusSign() async throws {
        try await APIClient.run { client in
            let names = ["Added to Cart", "a+b", "ev \"q\""]
            let events: [JSONValue] = names.map {
                [
                    "external_id": "ada lovelace", "name": .string($0),
                    "time": "2026-09-21T22:00:00+09:00",
                ]
            }
            _ = try await client.post("/users/track", ["events": .array(events)])
            for name in ["Added+to+Cart", "Added%20to+Cart", "a%2Bb", "ev+%22q%22"] {
                let answer = try await client.get(
                    "/events/data_series?event=\(name)&length=1&ending_at=2026-09-21T23:00:00+09:00"
                )
                #expect(answer.body["data"] == [["time": "2026-09-21", "count": 1]], "\(name)")
            }
            let reads = try await client.get(
                "/subscription/user/status?external_id=ada+lovelace"
            )
            let found = reads.body["users"]?.arrayValue?.first?["external_id"]
            #expect(found == "ada lovelace")
        }
    }

    @Test("events are counted by hours")
    func hours() async throws {
        try await APIClient.run { client in
            try await fill(client)
            let answer = try await client.get(
                "/events/data_series?event=viewed&length=2&unit=hour"
            )
            #expect(
                answer.body["data"] == [
                    ["time": "2026-09-21T13:00:00.000Z", "count": 1],
                    ["time": "2026-09-21T14:00:00.000Z", "count": 0],
                ]
            )
        }
    }

    @Test("purchases are counted in pieces, and their revenue in one currency")
    func purchases() async throws {
        try await APIClient.run { client in
            let nothing = try await client.get("/purchases/revenue_series?length=1")
            #expect(nothing.body["data"] == [["time": "2026-09-21", "revenue": 0]])
            try await fill(client)
            let products = try await client.get("/purchases/product_list")
            #expect(products.body["products"] == ["cup", "tea"])
            let end = "length=1&ending_at=2026-09-20"
            let pieces = try await client.get("/purchases/quantity_series?\(end)")
            #expect(pieces.body["data"] == [["time": "2026-09-20", "purchase_quantity": 4]])
            let mixed = try await client.get("/purchases/revenue_series?\(end)")
            #expect(mixed.status == .badRequest)
            #expect(mixed.message.contains("EUR, JPY"))
            let cups = try await client.get("/purchases/revenue_series?\(end)&product=cup")
            #expect(cups.body["data"] == [["time": "2026-09-20", "revenue": 25]])
            let yen = try await client.get("/purchases/revenue_series?\(end)&currency=jpy")
            #expect(yen.body["data"] == [["time": "2026-09-20", "revenue": 960]])
            for currency in ["%00", "J%00PY", "yen!", "JPYEN"] {
                let refused = try await client.get(
                    "/purchases/revenue_series?\(end)&currency=\(currency)"
                )
                #expect(refused.status == .badRequest, "\(currency)")
                #expect(refused.message.contains("currency"))
            }
            let hour = try await client.get(
                "/purchases/revenue_series?currency=EUR&length=1&unit=hour"
                    + "&ending_at=2026-09-20T03:30:00Z"
            )
            #expect(
                hour.body["data"] == [["time": "2026-09-20T03:00:00.000Z", "revenue": 25]]
            )
        }
    }

    @Test("an app or a segment that there is not is refused by name, never answered with nothing")
    func unknown() async throws {
        try await APIClient.run { client in
            for (path, field) in [
                ("/kpi/dau/data_series?length=3&app_id=x", "app_id"),
                ("/events/data_series?event=viewed&length=3&app_id=x", "app_id"),
                ("/sessions/data_series?length=3&segment_id=y", "segment_id"),
                ("/purchases/quantity_series?length=3&segment_id=\(UUID())", "segment_id"),
            ] {
                let answer = try await client.get(path)
                #expect(answer.status == .badRequest)
                #expect(answer.errors.first?["field"] == .string(field))
            }
        }
    }

    @Test(
        "a request at fault names its parameter",
        arguments: [
            ("/events/data_series?length=3", "event"), ("/kpi/dau/data_series", "length"),
            ("/kpi/mau/data_series?length=101", "length"),
            ("/kpi/mau/data_series?length=0", "length"),
            ("/sessions/data_series?length=3&unit=week", "unit"),
            ("/sessions/data_series?length=3&ending_at=soon", "ending_at"),
            ("/purchases/product_list?page=-1", "page"),
            ("/events/data_series?event=$session_start&length=3", "event"),
        ]
    )
    func faults(path: String, field: String) async throws {
        try await APIClient.run { client in
            let answer = try await client.get(path)
            #expect(answer.status == .badRequest)
            #expect(answer.errors.first?["field"] == .string(field))
        }
    }
}
