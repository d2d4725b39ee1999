import Foundation
import HTTPTypes
import Journeys
import Model
import NoroshiWire
import Ports
import Testing

@Suite("Journeys as canvases")
struct CanvasTests: CampaignSteps {
    private func journey(
        _ client: APIClient,
        isPublished: Bool = true,
        entry: JSONValue = ["type": "api"]
    ) async throws -> String {
        var form = JourneySchemaExample.value
        form["entry"] = entry
        form["tags"] = ["carts"]
        form["goal"] = ["event": ["kind": ["purchase": [:]]], "window": 86_400]
        let answer = try await client.post("/journeys/create", .object(form))
        let id = try #require(answer.body["journey_id"]?.stringValue, "\(answer.body)")
        if isPublished {
            let answer = try await client.post("/journeys/publish", ["journey_id": .string(id)])
            #expect(answer.status == .created, "\(answer.body)")
        }
        return id
    }

    private func drive(_ client: APIClient) async throws {
        while try await client.runner.step() {}
    }

    @Test("journeys are listed and described as canvases")
    func described() async throws {
        try await APIClient.run { client in
            #expect(try await client.get("/canvas/list").body["canvases"] == [])
            let id = try await journey(client, isPublished: false)
            let row = try await client.get("/canvas/list").body["canvases"]?.arrayValue?.first
            #expect(row?["id"] == .string(id))
            #expect(row?["name"] == "Abandoned cart")
            #expect(row?["tags"] == ["carts"])
            let draft = try await client.get("/canvas/details?canvas_id=\(id)").body
            #expect(draft["draft"] == true)
            #expect(draft["enabled"] == false)
            _ = try await client.post("/journeys/publish", ["journey_id": .string(id)])
            let live = try await client.get("/canvas/details?canvas_id=\(id)").body
            #expect(live["draft"] == false)
            #expect(live["enabled"] == true)
            #expect(live["schedule_type"] == "api_triggered")
            let steps = try #require(live["steps"]?.arrayValue)
            #expect(
                steps.map { $0["type"] } == ["delay", "message", "action_paths", "user_update"]
            )
            #expect(live["variants"]?.arrayValue?.first?["first_step_id"] == steps[0]["id"])
            #expect(steps[0]["next_step_ids"] == .array([steps[1]["id"] ?? .null]))
            let message = try #require(steps[1]["messages"]?.objectValue?.values.first)
            #expect(message["title"] == "Still there?")
            // What is edited afterwards is shown only on request.
            _ = try await client.post(
                "/journeys/update",
                ["journey_id": .string(id), "name": "Another name"]
            )
            let same = try await client.get("/canvas/details?canvas_id=\(id)").body
            #expect(same["name"] == "Abandoned cart")
            #expect(same["has_post_launch_draft"] == true)
            let edited = try await client.get(
                "/canvas/details?canvas_id=\(id)&post_launch_draft_version=true"
            )
            #expect(edited.body["name"] == "Another name")
            let copy = try await client.post(
                "/canvas/duplicate",
                ["canvas_id": .string(id), "name": "Copy", "tag_names": ["new"]]
            )
            #expect(copy.status == .accepted)
            let copied = copy.body["canvas_id"]?.stringValue ?? ""
            let details = try await client.get("/canvas/details?canvas_id=\(copied)").body
            #expect(details["tags"] == ["new"])
            #expect(details["steps"]?.arrayValue?.first?["id"] != steps[0]["id"])
        }
    }

    @Test("users are let in by name, and everybody who matches by broadcast")
    func triggered() async throws {
        try await APIClient.run { client in
            try await register(["ada", "bob", "eve"], client)
            let id = try await journey(client)
            let named = try await client.post(
                "/canvas/trigger/send",
                [
                    "canvas_id": .string(id), "canvas_entry_properties": ["tea": "sencha"],
                    "recipients": [
                        [
                            "external_user_id": "ada",
                            "canvas_entry_properties": ["tea": "gyokuro"],
                        ]
                    ],
                ]
            )
            #expect(named.status == .created, "\(named.body)")
            #expect(named.body["users"] == 1)
            try await drive(client)
            let why = try await client.get("/journeys/why?external_id=ada")
            #expect(
                why.body["entries"]?.arrayValue?.first?["properties"] == ["tea": "gyokuro"]
            )
            let nobody = try await client.post("/canvas/trigger/send", ["canvas_id": .string(id)])
            #expect(nobody.errors.first?["field"] == "recipients")
            let all = try await client.post(
                "/canvas/trigger/send",
                ["canvas_id": .string(id), "broadcast": true, "context": ["tea": "hojicha"]]
            )
            #expect(all.status == .created, "\(all.body)")
            #expect(all.body["users"] == 3)
            try await drive(client)
            let figures = try await client.get("/journeys/figures?journey_id=\(id)").body
            // Who is inside does not enter again.
            #expect(figures["entered"] == 3)
            let bob = try await client.get("/journeys/why?external_id=bob")
            #expect(
                bob.body["entries"]?.arrayValue?.first?["properties"] == ["tea": "hojicha"]
            )
            let both = try await client.post(
                "/canvas/trigger/send",
                [
                    "canvas_id": .string(id), "audience": ["AND": []],
                    "recipients": [["external_user_id": "ada"]],
                ]
            )
            #expect(both.status == .badRequest)
        }
    }

    @Test("users enter at the time that was asked for, which can be changed and taken back")
    func scheduled() async throws {
        let clock = MovableClock(APIClient.now)
        try await APIClient.run(now: { clock.now }) { client in
            try await register(["ada", "bob", "eve"], client)
            let id = try await journey(client)
            func plan(_ name: String, after seconds: Double) async throws -> String {
                let answer = try await client.post(
                    "/canvas/trigger/schedule/create",
                    [
                        "canvas_id": .string(id), "canvas_entry_properties": ["tea": "sencha"],
                        "recipients": [["external_user_id": .string(name)]],
                        "schedule": [
                            "time": .string(Timestamp.format(clock.now.addingTimeInterval(seconds)))
                        ],
                    ]
                )
                #expect(answer.status == .created, "\(answer.body)")
                #expect(answer.body["users"] == 1)
                return try #require(answer.body["schedule_id"]?.stringValue)
            }
            func change(
                _ verb: String,
                _ schedule: String,
                after seconds: Double? = nil
            ) async throws -> APIClient.Answer {
                var body: [String: JSONValue] = [
                    "canvas_id": .string(id), "schedule_id": .string(schedule),
                ]
                if let seconds {
                    let time = Timestamp.format(clock.now.addingTimeInterval(seconds))
                    body["schedule"] = ["time": .string(time)]
                }
                return try await client.post("/canvas/trigger/schedule/\(verb)", .object(body))
            }
            func entered() async throws -> JSONValue? {
                try await drive(client)
                return try await client.get("/journeys/figures?journey_id=\(id)").body["entered"]
            }
            let (ada, bob) = (
                try await plan("ada", after: 3_600), try await plan("bob", after: 3_600)
            )
            let eve = try await plan("eve", after: 3_600)
            #expect(try await change("update", bob, after: 7_200).status == .created)
            #expect(try await change("delete", eve).status == .created)
            clock.advance(3_599)
            #expect(try await entered() == 0)
            clock.advance(1)
            #expect(try await entered() == 1)
            let why = try await client.get("/journeys/why?external_id=ada")
            #expect(why.body["entries"]?.arrayValue?.first?["properties"] == ["tea": "sencha"])
            // What is over is not changed any more.
            for (schedule, words) in [(ada, "time to enter has come"), (eve, "was cancelled")] {
                for (verb, seconds) in [("update", 9_000.0 as Double?), ("delete", nil)] {
                    let answer = try await change(verb, schedule, after: seconds)
                    #expect(answer.status == .badRequest)
                    #expect(answer.message.contains(words), "\(answer.message)")
                }
            }
            clock.advance(3_600)
            #expect(try await entered() == 2)
            // A journey that is stopped forgets who was to enter.
            let late = try await plan("eve", after: 60)
            _ = try await client.post("/journeys/stop", ["journey_id": .string(id)])
            clock.advance(120)
            #expect(try await entered() == 2)
            #expect(try await change("update", late, after: 60).message.contains("cancelled"))
        }
    }

    @Test("a time is named exactly, and a schedule belongs to its canvas")
    func schedulesRefused() async throws {
        try await APIClient.run { client in
            try await register(["ada"], client)
            let (id, other) = (try await journey(client), try await journey(client))
            func plan(
                _ schedule: JSONValue?,
                key: String? = nil
            ) async throws -> APIClient.Answer {
                var body: [String: JSONValue] = [
                    "canvas_id": .string(id), "recipients": [["external_user_id": "ada"]],
                ]
                body["schedule"] = schedule
                let name = try #require(HTTPField.Name("Idempotency-Key"))
                return try await client.post(
                    "/canvas/trigger/schedule/create",
                    .object(body),
                    headers: key.map { [name: $0] } ?? [:]
                )
            }
            let time = Timestamp.format(APIClient.now.addingTimeInterval(3_600))
            for (schedule, field) in [
                (nil, "schedule"), ("soon", "schedule"), (["time": "soon"], "schedule.time"),
                (["time": "2000-01-01T00:00:00Z"], "schedule.time"),
                (["time": .string(time), "in_local_time": true], "schedule.in_local_time"),
                (["time": .string(time), "at_optimal_time": true], "schedule.at_optimal_time"),
            ] as [(JSONValue?, String)] {
                let answer = try await plan(schedule)
                #expect(answer.status == .badRequest, "\(field): \(answer.body)")
                #expect(answer.errors.first?["field"] == .string(field), "\(answer.body)")
            }
            // The same request again is the same schedule.
            let made = try await plan(["time": .string(time)], key: "k")
            let again = try await plan(["time": .string(time)], key: "k")
            #expect(made.body["schedule_id"]?.stringValue != nil)
            #expect(again.body["schedule_id"] == made.body["schedule_id"])
            for (canvas, schedule) in [
                (other, made.body["schedule_id"]), (id, .string(UUID().uuidString)), (id, "x"),
                (id, nil),
            ] as [(String, JSONValue?)] {
                var body: [String: JSONValue] = ["canvas_id": .string(canvas)]
                body["schedule_id"] = schedule
                let answer = try await client.post("/canvas/trigger/schedule/delete", .object(body))
                #expect(answer.status == .badRequest)
                #expect(answer.errors.first?["field"] == "schedule_id", "\(answer.body)")
            }
        }
    }

    @Test("what other means let people into is refused")
    func refused() async throws {
        try await APIClient.run { client in
            let event = JourneySchemaExample.value["entry"] ?? .null
            let id = try await journey(client, entry: event)
            let sent = try await client.post(
                "/canvas/trigger/send",
                ["canvas_id": .string(id), "recipients": [["external_user_id": "ada"]]]
            )
            #expect(sent.status == .badRequest)
            #expect(sent.message.contains("by the API"))
            for query in ["", "?canvas_id=abc", "?canvas_id=\(UUID())"] {
                for path in ["details", "data_series", "data_summary"] {
                    let answer = try await client.get("/canvas/\(path)\(query)")
                    #expect(answer.errors.first?["field"] == "canvas_id")
                }
            }
        }
    }

    @Test("entries and conversions are counted by day, and the days add up")
    func counted() async throws {
        let clock = MovableClock(APIClient.now)
        try await APIClient.run(now: { clock.now }) { client in
            try await register(["ada", "bob"], client)
            let id = try await journey(client)
            for name in ["ada", "bob"] {
                _ = try await client.post(
                    "/canvas/trigger/send",
                    [
                        "canvas_id": .string(id),
                        "recipients": [["external_user_id": .string(name)]],
                    ]
                )
                try await drive(client)
                clock.advance(86_400 / 2)
            }
            _ = try await client.post(
                "/users/track",
                [
                    "purchases": [
                        [
                            "external_id": "bob", "product_id": "tea", "currency": "JPY",
                            "price": 3, "time": .string(Timestamp.format(clock.now)),
                        ]
                    ]
                ]
            )
            try await drive(client)
            let series = try await client.get("/canvas/data_series?canvas_id=\(id)&length=4")
            let rows = try #require(series.body["data"]?["stats"]?.arrayValue)
            #expect(rows.count == 4)
            func sum(_ field: String) -> Int64 {
                rows.reduce(0) { $0 + ($1["total_stats"]?[field]?.integerValue ?? 0) }
            }
            #expect(sum("entries") == 2)
            #expect(sum("conversions") == 1)
            #expect(sum("conversions_by_entry_time") == 1)
            let summary = try await client.get(
                "/canvas/data_summary?canvas_id=\(id)&length=4&include_variant_breakdown=true"
                    + "&include_step_breakdown=true"
            )
            let data = try #require(summary.body["data"])
            #expect(
                data["total_stats"]
                    == ["entries": 2, "conversions": 1, "conversions_by_entry_time": 1]
            )
            #expect(data["variant_stats"]?[id]?["entries"] == 2)
            let start = Timestamp.format(clock.now.addingTimeInterval(-3 * 86_400))
            let since = try await client.get(
                "/canvas/data_summary?canvas_id=\(id)&starting_at=\(start)"
            )
            #expect(since.body["data"]?["total_stats"]?["entries"] == 2, "\(since.body)")
            for query in ["length=0", "length=101", "starting_at=2999-01-01", "x=1"] {
                let answer = try await client.get("/canvas/data_series?canvas_id=\(id)&\(query)")
                #expect(answer.status == .badRequest, "\(query)")
            }
        }
    }
}
