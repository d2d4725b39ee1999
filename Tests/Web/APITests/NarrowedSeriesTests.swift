import Campaigns
import Foundation
import HTTPTypes
import Model
import NoroshiWire
import Ports
import Testing

/// `APIClient.now` is 21 September 2026, 23:13 in the workspace's Tokyo.
@Suite("Figures of some apps and segments")
struct NarrowedSeriesTests {
    private let day: TimeInterval = 86_400

    private struct World {
        let client: APIClient
        let tea: App
        let cups: App
    }

    /// Sessions of two apps, and events and purchases with and without an app.
    private func fill(_ client: APIClient) async throws -> World {
        let cups = try await client.store.createApp(
            AppDraft(
                name: "Cups",
                platform: "android",
                bundleID: "example.cups",
                sdkKey: "cups-key"
            ),
            in: client.workspace,
            noting: nil,
            now: APIClient.now
        )
        let world = World(client: client, tea: client.app, cups: cups)
        for (user, app, age) in [
            ("ada", world.tea, 2.0), ("ada", world.tea, 0), ("ada", world.cups, 0),
            ("ben", world.cups, 1), ("eve", world.tea, 0),
        ] {
            let time = APIClient.now.addingTimeInterval(-age * day)
            let item = IngestItem(
                recordID: UUID(),
                user: .external(user),
                time: time,
                content: .sessionStarted
            )
            _ = try await client.store.ingest(
                [
                    IngestRequest(
                        workspace: client.workspace,
                        source: .device(SDKDevice(id: UUID(), platform: app.platform), app: app.id),
                        items: [item]
                    )
                ],
                now: time
            )
        }
        func event(_ user: String, _ app: String?) -> JSONValue {
            var event: [String: JSONValue] = [
                "external_id": .string(user), "name": "viewed", "time": "2026-09-21T12:00:00Z",
            ]
            event["app_id"] = app.map(JSONValue.string)
            return .object(event)
        }
        let answer = try await client.post(
            "/users/track",
            [
                "attributes": [
                    ["external_id": "ada", "plan": "pro", "city": "Kyoto"],
                    ["external_id": "ben", "plan": "pro"],
                ],
                "events": [
                    event("ada", client.app.sdkKey), event("ben", "example.cups"),
                    event("eve", nil),
                ],
                "purchases": [
                    [
                        "external_id": "ada", "product_id": "tea", "currency": "JPY", "price": 480,
                        "quantity": 2, "time": "2026-09-20T12:00:00Z", "app_id": "example.cups",
                    ],
                    [
                        "external_id": "eve", "product_id": "tea", "currency": "JPY", "price": 100,
                        "time": "2026-09-20T12:00:00Z",
                    ],
                ],
            ]
        )
        #expect(answer.errors.isEmpty)
        return world
    }

    private func segment(
        _ attribute: String,
        _ value: String,
        _ client: APIClient
    ) async throws -> String {
        try await client.store.createSegment(
            SegmentContent(
                name: "\(attribute) \(value)",
                definition: #"{"custom": "\#(attribute)", "test": "equal", "value": "\#(value)"}"#,
                author: "Ada"
            ),
            in: client.workspace,
            now: APIClient.now
        ).apiID.uuidString
    }

    private func figures(
        _ path: String,
        _ figure: String,
        _ client: APIClient
    ) async throws -> [Double] {
        let answer = try await client.get(path)
        #expect(answer.status == .ok, "\(path): \(answer.message)")
        return (answer.body["data"]?.arrayValue ?? []).compactMap { $0[figure]?.doubleValue }
    }

    @Test("what happened in an app is counted for it, and for several apps together")
    func apps() async throws {
        try await APIClient.run { client in
            let world = try await fill(client)
            let tea = "app_id=\(world.tea.sdkKey)"
            let both = "app_id=\(world.tea.sdkKey)&app_id=example.cups"
            let cups = "app_id=example.cups"
            for (path, figure, expected) in [
                ("sessions/data_series?length=3&\(tea)", "sessions", [1, 0, 2]),
                ("sessions/data_series?length=3&\(cups)", "sessions", [0, 1, 1]),
                ("sessions/data_series?length=3&\(both)", "sessions", [1, 1, 3]),
                ("sessions/data_series?length=3", "sessions", [1, 1, 3]),
                ("kpi/dau/data_series?length=3&\(tea)", "dau", [1, 0, 2]),
                ("kpi/dau/data_series?length=3&\(both)", "dau", [1, 1, 2]),
                ("kpi/mau/data_series?length=3&\(tea)", "mau", [1, 1, 2]),
                ("kpi/mau/data_series?length=3&\(both)", "mau", [1, 2, 3]),
                ("kpi/new_users/data_series?length=3&\(tea)", "new_users", [1, 0, 1]),
                ("kpi/new_users/data_series?length=3&\(cups)", "new_users", [0, 1, 1]),
                ("events/data_series?event=viewed&length=2&\(tea)", "count", [0, 1]),
                ("events/data_series?event=viewed&length=2&\(both)", "count", [0, 2]),
                ("events/data_series?event=viewed&length=2", "count", [0, 3]),
                (
                    "purchases/quantity_series?length=2&\(cups)", "purchase_quantity", [2, 0]
                ),
                ("purchases/revenue_series?length=2&\(cups)", "revenue", [960, 0]),
                ("purchases/revenue_series?length=2&\(tea)", "revenue", [0, 0]),
                ("purchases/revenue_series?length=2", "revenue", [1060, 0]),
            ] as [(String, String, [Double])] {
                #expect(try await figures("/\(path)", figure, client) == expected, "\(path)")
            }
        }
    }

    @Test("a series of a segment counts who is in it now, of several who is in all of them")
    func segments() async throws {
        try await APIClient.run { client in
            let world = try await fill(client)
            let pros = try await segment("plan", "pro", client)
            let locals = try await segment("city", "Kyoto", client)
            let one = "segment_id=\(pros)"
            let two = "segment_id=\(pros)&segment_id=\(locals)"
            for (path, figure, expected) in [
                ("sessions/data_series?length=3&\(one)", "sessions", [1, 1, 2]),
                ("sessions/data_series?length=3&\(two)", "sessions", [1, 0, 2]),
                (
                    "sessions/data_series?length=3&\(two)&app_id=\(world.cups.sdkKey)", "sessions",
                    [0, 0, 1]
                ),
                ("kpi/dau/data_series?length=3&\(one)", "dau", [1, 1, 1]),
                ("kpi/mau/data_series?length=3&\(one)", "mau", [1, 2, 2]),
                ("kpi/new_users/data_series?length=3&\(one)", "new_users", [1, 1, 0]),
                ("events/data_series?event=viewed&length=1&\(one)", "count", [2]),
                ("purchases/revenue_series?length=2&\(one)", "revenue", [960, 0]),
            ] as [(String, String, [Double])] {
                #expect(try await figures("/\(path)", figure, client) == expected, "\(path)")
            }
            let hours = try await figures(
                "/events/data_series?event=viewed&length=3&unit=hour&\(one)",
                "count",
                client
            )
            #expect(hours == [2, 0, 0])
        }
    }

    @Test("an app that an event names and that there is not is named, the event is stored")
    func unknownApp() async throws {
        try await APIClient.run { client in
            let answer = try await client.post(
                "/users/track",
                [
                    "events": [
                        [
                            "external_id": "ada", "name": "viewed", "time": "2026-09-21T12:00:00Z",
                            "app_id": "nonsense",
                        ]
                    ]
                ]
            )
            #expect(answer.body["events_processed"] == 1)
            #expect(answer.errors.first?["field"] == "app_id")
        }
    }

    @Test("a device whose token is nobody's any more is an uninstall of its app, once")
    func uninstalls() async throws {
        try await APIClient.run { client in
            let send = try await client.store.createSend(
                SendContent(message: PushMessage(body: "Hi"), audience: .everyone),
                in: client.workspace,
                scheduledAt: APIClient.now,
                now: APIClient.now
            )
            let steps = UninstallSteps()
            try await steps.register(["ada", "ben"], client)
            _ = try await client.store.startPlanningDueSends(now: APIClient.now)
            while try await !client.planner.planNextBatch(of: send, limit: 10).isComplete {}
            let claimed = try await client.store.claimDispatches(
                ClaimRequest(
                    limit: 10,
                    owner: "test",
                    leaseEnd: APIClient.now.addingTimeInterval(60),
                    now: APIClient.now
                )
            ).rows
            #expect(claimed.count == 2)
            let gone = try #require(claimed.first)
            for _ in 0..<2 {
                try await client.store.record(
                    [
                        DispatchUpdate(
                            send: gone.send,
                            device: gone.device.id,
                            change: .rejected(reason: "Unregistered", retiresToken: true)
                        )
                    ],
                    now: APIClient.now
                )
            }
            let path = "/kpi/uninstalls/data_series?length=2"
            #expect(try await figures(path, "uninstalls", client) == [0, 1])
            let app = "\(path)&app_id=\(client.app.sdkKey)"
            #expect(try await figures(app, "uninstalls", client) == [0, 1])
        }
    }

    private struct UninstallSteps: CampaignSteps {}
}
