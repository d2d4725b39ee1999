import Foundation
import HTTPTypes
import Journeys
import Model
import NoroshiWire
import Ports
import Synchronization
import Testing

/// A cart that was left: an hour, a reminder, then a purchase or a second one.
enum JourneySchemaExample {
    static let value: [String: JSONValue] = [
        "name": "Abandoned cart",
        "entry": ["type": "event", "event": ["kind": ["custom": ["name": "cart_filled"]]]],
        "reentry": ["after": 86_400],
        "steps": [
            ["name": "An hour", "type": "wait", "duration": 3_600],
            [
                "name": "Reminder", "type": "push",
                "variants": [
                    [
                        "name": "A",
                        "message": [
                            "common": [
                                "message": [
                                    "title": "Still there?",
                                    "body": "{{api_trigger_properties.${tea}}}",
                                ]
                            ]
                        ],
                    ]
                ],
            ],
            [
                "name": "Bought?", "type": "wait_for_event", "limit": 7_200, "late": "Again",
                "next": "end", "event": ["kind": ["purchase": [:]]],
            ],
            ["name": "Again", "type": "update", "attributes": ["forgets": true]],
        ],
    ]
}

@Suite("Journeys by the REST API")
struct JourneyTests: CampaignSteps {
    private func create(
        _ client: APIClient,
        _ change: (inout [String: JSONValue]) -> Void = { _ in }
    ) async throws -> String {
        var form = JourneySchemaExample.value
        form["entry"] = ["type": "api"]
        change(&form)
        let answer = try await client.post("/journeys/create", .object(form))
        #expect(answer.status == .created, "\(answer.body)")
        #expect(answer.body["problems"] == [])
        return try #require(answer.body["journey_id"]?.stringValue)
    }

    private func post(
        _ client: APIClient,
        _ verb: String,
        _ journey: String,
        _ more: [String: JSONValue] = [:],
        headers: HTTPFields = [:]
    ) async throws -> APIClient.Answer {
        let body = more.merging(["journey_id": .string(journey)]) { $1 }
        return try await client.post("/journeys/\(verb)", .object(body), headers: headers)
    }

    private func drive(_ client: APIClient) async throws {
        while try await client.runner.step() {}
    }

    @Test("a journey is written, read, changed and read again as it was written")
    func written() async throws {
        try await APIClient.run { client in
            let id = try await create(client)
            let details = try await client.get("/journeys/details?journey_id=\(id)")
            #expect(details.status == .ok)
            #expect(details.body["state"] == "draft")
            let form = try #require(details.body["journey"]?.objectValue)
            let steps = try #require(form["steps"]?.arrayValue)
            #expect(steps.map { $0["name"] } == ["An hour", "Reminder", "Bought?", "Again"])
            #expect(steps[0]["next"] == steps[1]["id"])
            #expect(steps[2]["late"] == steps[3]["id"])
            #expect(steps[2]["next"] == "end")
            // The same form with identifiers is the same journey.
            let again = try await post(client, "update", id, form)
            #expect(again.status == .created, "\(again.body)")
            let same = try await client.get("/journeys/details?journey_id=\(id)")
            #expect(same.body["journey"] == .object(form))
            // Steps are found by their names: what waits at them stays with them.
            let renamed = try await post(
                client,
                "update",
                id,
                ["steps": JourneySchemaExample.value["steps"] ?? [], "note": "Changed"]
            )
            #expect(renamed.status == .created, "\(renamed.body)")
            let kept = try await client.get("/journeys/details?journey_id=\(id)")
            #expect(kept.body["journey"]?["steps"] == .array(steps))
            #expect(kept.body["journey"]?["note"] == "Changed")
            #expect(kept.body["journey"]?["reentry"] == ["after": 86_400])
            let list = try await client.get("/journeys/list?text=cart")
            #expect(list.body["total"] == 1)
            #expect(list.body["journeys"]?.arrayValue?.first?["journey_id"] == .string(id))
            let copy = try await post(client, "duplicate", id, ["name": "Another"])
            #expect(copy.body["journey_id"] != .string(id))
        }
    }

    @Test("users enter, wait and go on, and why they are there is told")
    func entered() async throws {
        let clock = MovableClock(APIClient.now)
        try await APIClient.run(now: { clock.now }) { client in
            try await register(["ada", "bob"], client)
            let id = try await create(client)
            let closed = try await post(
                client,
                "enter",
                id,
                ["recipients": [["external_user_id": "ada"]]]
            )
            #expect(closed.status == .badRequest)
            #expect(closed.message.contains("not active"))
            let published = try await post(client, "publish", id)
            #expect(published.body["state"] == "active", "\(published.body)")
            #expect(published.body["version"] == 1)
            let request: [String: JSONValue] = [
                "properties": ["tea": "sencha", "cups": 2],
                "recipients": [
                    ["external_user_id": "ada", "properties": ["tea": "gyokuro"]],
                    ["external_user_id": "bob"], ["external_user_id": "nobody"],
                    [
                        "external_user_id": "eve", "send_to_existing_only": false,
                        "attributes": ["first_name": "Eve"],
                    ],
                ],
            ]
            let key: HTTPFields = [try #require(HTTPField.Name("Idempotency-Key")): "k1"]
            let first = try await post(client, "enter", id, request, headers: key)
            #expect(first.status == .created, "\(first.body)")
            #expect(first.body["users"] == 3)
            let repeated = try await post(client, "enter", id, request, headers: key)
            #expect(repeated.body == first.body)
            let other = try await post(
                client,
                "enter",
                id,
                ["recipients": [["external_user_id": "bob"]]],
                headers: key
            )
            #expect(other.status == .badRequest)
            #expect(other.message.contains("Idempotency-Key"))
            try await drive(client)
            let eve = try #require(try await client.profile("eve"))
            #expect(eve.fullName == "Eve")

            let figures = try await client.get("/journeys/figures?journey_id=\(id)")
            #expect(figures.body["entered"] == 3)
            #expect(figures.body["inside"] == 3)
            let step = try #require(figures.body["steps"]?.arrayValue?.first)
            #expect(step["name"] == "An hour")
            #expect(step["waiting"] == 3)
            let step0 = step["step_id"]?.stringValue ?? ""
            let people = try await client.get(
                "/journeys/people?journey_id=\(id)&step_id=\(step0)&group=waiting"
            )
            #expect(people.body["total"] == 3)
            #expect(
                Set(people.body["people"]?.arrayValue?.compactMap { $0["external_id"] } ?? [])
                    == ["ada", "bob", "eve"]
            )
            let why = try await client.get("/journeys/why?external_id=ada&journey_id=\(id)")
            let entry = try #require(why.body["entries"]?.arrayValue?.first)
            #expect(entry["step"]?["name"] == "An hour")
            #expect(entry["next"]?["when"] == "time")
            #expect(entry["next"]?["at"] == .string(Timestamp.format(clock.now + 3_600)))
            #expect(entry["properties"] == ["tea": "gyokuro", "cups": 2])

            clock.advance(3_601)
            try await drive(client)
            let later = try await client.get("/journeys/why?external_id=ada")
            let next = try #require(later.body["entries"]?.arrayValue?.first)
            #expect(next["step"]?["name"] == "Bought?")
            #expect(next["next"]?["when"] == "event")
            #expect(next["next"]?["to"] == "end")
            let passages = try #require(next["passages"]?.arrayValue)
            #expect(passages.map { $0["name"] } == ["An hour", "Reminder"])
            #expect(passages[1]["push_no"] != .null)
        }
    }

    @Test("a new version is previewed in numbers, which are then true")
    func migrated() async throws {
        try await APIClient.run { client in
            try await register(["ada", "bob"], client)
            let id = try await create(client)
            _ = try await post(client, "publish", id)
            _ = try await post(
                client,
                "enter",
                id,
                [
                    "recipients": [["external_user_id": "ada"], ["external_user_id": "bob"]]
                ]
            )
            try await drive(client)
            let steps = JourneySchemaExample.value["steps"]?.arrayValue ?? []
            let changed = try await post(
                client,
                "update",
                id,
                ["steps": .array(Array(steps.dropFirst()))]
            )
            #expect(changed.status == .created, "\(changed.body)")
            let keep = try await post(client, "preview", id)
            #expect(keep.status == .ok)
            #expect(keep.body["steps"]?.arrayValue?.first?["keeping"] == 2)
            let leave = try await post(client, "preview", id, ["migration": "move"])
            #expect(leave.body["waiting"] == 2)
            #expect(leave.body["steps"]?.arrayValue?.first?["leaving"] == 2)
            let old = leave.body["steps"]?.arrayValue?.first?["step_id"]?.stringValue ?? ""
            let details = try await client.get("/journeys/details?journey_id=\(id)")
            let target = details.body["journey"]?["steps"]?.arrayValue?.first?["id"] ?? .null
            let rule: [String: JSONValue] = [
                "migration": "move", "removed": .object([old: target]),
            ]
            let goOn = try await post(client, "preview", id, rule)
            #expect(goOn.body["steps"]?.arrayValue?.first?["going_on"] == 2)
            let wrong = try await post(
                client,
                "publish",
                id,
                ["migration": "move", "removed": .object([old: .string(old)])]
            )
            #expect(wrong.errors.first?["field"] == .string("removed.\(old)"))
            let stale = try await post(
                client,
                "publish",
                id,
                rule.merging(["updated_at": "2020-01-01T00:00:00Z"]) { $1 }
            )
            #expect(stale.message.contains("changed meanwhile"))
            let published = try await post(client, "publish", id, rule)
            #expect(published.body["version"] == 2, "\(published.body)")
            try await drive(client)
            let why = try await client.get("/journeys/why?external_id=ada")
            let entry = try #require(why.body["entries"]?.arrayValue?.first)
            #expect(entry["version"] == 2)
            #expect(entry["step"]?["name"] == "Bought?")
            let former = try await client.get("/journeys/details?journey_id=\(id)&version=1")
            #expect(former.body["journey"]?["steps"]?.arrayValue?.count == 4)
        }
    }

    @Test(
        "a journey is paused, resumed, drained, stopped and archived, each only from where it may"
    )
    func states() async throws {
        try await APIClient.run { client in
            let id = try await create(client)
            for verb in ["pause", "resume", "drain", "stop"] {
                let answer = try await post(client, verb, id)
                #expect(answer.status == .badRequest, "\(verb)")
                #expect(answer.message.contains("the journey is not"), "\(answer.message)")
            }
            _ = try await post(client, "publish", id)
            for (verb, state) in [
                ("pause", "paused"), ("resume", "active"), ("drain", "draining"),
                ("stop", "stopped"), ("archive", "archived"),
            ] {
                let answer = try await post(client, verb, id)
                #expect(answer.status == .created, "\(verb): \(answer.body)")
                #expect(answer.body["state"] == .string(state))
            }
            let update = try await post(client, "update", id, ["note": "x"])
            #expect(update.message.contains("archived"))
            let list = try await client.get("/journeys/list")
            #expect(list.body["total"] == 0)
            let archived = try await client.get("/journeys/list?state=archived")
            #expect(archived.body["total"] == 1)
            let log = try await client.store.audit(
                in: client.workspace,
                matching: AuditQuery(limit: 100)
            )
            let actions = Set(log.records.map(\.action))
            for action in ["paused", "resumed", "drained", "stopped", "archived", "published"] {
                #expect(actions.contains("journey_\(action)"), "\(action)")
            }
        }
    }

    @Test("what cannot be a journey is refused, and the field is named")
    func refused() async throws {
        try await APIClient.run { client in
            let id = try await create(client)
            func steps(_ change: [String: JSONValue]) -> [String: JSONValue] {
                ["steps": [.object(["type": "wait", "duration": 60].merging(change) { $1 })]]
            }
            let long = JSONValue.string(String(repeating: "n", count: 10_000))
            let event: JSONValue = ["kind": ["custom": ["name": "a"]]]
            let cases: [([String: JSONValue], String)] = [
                (["name": ""], "name"), (["name": long], "name"), (["name": 7], "name"),
                (["name": "a\u{0}"], "name"), (["tags": "x"], "tags"), (["tags": [""]], "tags"),
                (["made_up": 1], "made_up"), (["entry": "api"], "entry"),
                (["entry": ["type": "apj"]], "entry.type"),
                (["entry": ["type": "event"]], "entry.event"),
                (["entry": ["type": "event", "event": ["kind": "sun"]]], "entry.event.kind"),
                (
                    [
                        "entry": [
                            "type": "members", "segment": ["segments": ["none"]],
                        ]
                    ],
                    "entry.segment.segments.0"
                ),
                (
                    ["entry": ["type": "members", "segment": [:], "at": "0000-01-01T00:00:00Z"]],
                    "entry.at"
                ),
                (
                    ["entry": ["type": "members", "segment": [:], "at": "10000-01-01T00:00:00Z"]],
                    "entry.at"
                ),
                (["audience": ["filter": ["x": 1]]], "audience.filter"),
                (["reentry": 7], "reentry"), (["reentry": ["after": "x"]], "reentry.after"),
                (["exits": [[:]]], "exits.0"), (["goal": ["window": 1]], "goal.event"),
                (["goal": ["event": event, "window": "x"]], "goal.window"),
                (["quiet_hours": "loud"], "quiet_hours"), (["ends_at_goal": 1], "ends_at_goal"),
                (["steps": 7], "steps"), (["steps": [7]], "steps.0"),
                (["steps": [[:]]], "steps.0.type"), (steps(["type": "fly"]), "steps.0.type"),
                (steps(["id": "x"]), "steps.0.id"), (steps(["name": 7]), "steps.0.name"),
                (steps(["next": "nowhere"]), "steps.0.next"),
                (steps(["duration": "x"]), "steps.0.duration"),
                (steps(["duration": .null]), "steps.0.duration"),
                (steps(["url": "x"]), "steps.0.url"),
                (["steps": [["type": "wait_for_time", "time": "25:00"]]], "steps.0.time"),
                (
                    ["steps": [["type": "wait_for_time", "time": "09:00", "weekdays": [8]]]],
                    "steps.0.weekdays.0"
                ),
                (
                    [
                        "steps": [
                            ["type": "split", "shares": [["weight": .integer(.min)]]]
                        ]
                    ],
                    "steps.0.shares.0.weight"
                ),
                (steps(["duration": 1e308]), "steps.0.duration"),
                (steps(["duration": -1]), "steps.0.duration"),
                (
                    [
                        "steps": [
                            [
                                "type": "wait_for_event", "event": event, "limit": 1e308,
                                "late": "end",
                            ]
                        ]
                    ],
                    "steps.0.limit"
                ),
                (
                    ["steps": [["type": "wait_for_match", "segment": [:], "limit": 31_622_401]]],
                    "steps.0.limit"
                ),
                (["reentry": ["after": 1e308]], "reentry"),
                (["goal": ["event": event, "window": 2_592_001]], "goal.window"),
                (
                    ["steps": [["type": "split", "shares": [["weight": "1"], ["weight": 1]]]]],
                    "steps.0.shares.0.weight"
                ),
                (
                    ["steps": [["type": "push", "variants": [], "control_share": "1"]]],
                    "steps.0.control_share"
                ),
                (["steps": [["type": "branch", "paths": [[:]]]]], "steps.0.paths.0"),
                (["steps": [["type": "push", "variants": [7]]]], "steps.0.variants.0"),
                (
                    ["steps": [["type": "in_app_message", "in_app_message": "none"]]],
                    "steps.0.in_app_message"
                ),
                (["steps": [["type": "enter_journey", "journey": "none"]]], "steps.0.journey"),
                (
                    ["steps": [["type": "update", "lists": ["add": ["none"]]]]],
                    "steps.0.lists.add.0"
                ),
                (
                    [
                        "steps": [
                            ["type": "webhook", "url": "https://a.example", "headers": ["a": 1]]
                        ]
                    ],
                    "steps.0.headers.a"
                ),
                (
                    ["steps": .array(Array(repeating: ["type": "jump"], count: 10_000))],
                    "steps"
                ),
            ]
            for (change, field) in cases {
                let answer = try await post(client, "update", id, change)
                #expect(answer.status == .badRequest, "\(field): \(answer.status)")
                let named = answer.errors.first?["field"]?.stringValue ?? ""
                #expect(named == field || named.hasPrefix(field + "."), "\(field): \(named)")
            }
            for wrong in ["journey_id=x", "journey_id=\(UUID())", "x=1"] {
                for path in ["details", "check", "figures"] {
                    let answer = try await client.get("/journeys/\(path)?\(wrong)")
                    #expect(answer.status == .badRequest)
                    #expect(answer.errors.first?["field"] == "journey_id")
                }
            }
            let nobody = try await client.get("/journeys/why?external_id=nobody")
            #expect(nobody.errors.first?["field"] == "external_id")
            let unnamed = try await client.get("/journeys/why")
            #expect(unnamed.errors.first?["field"] == "external_id")
        }
    }

    @Test("a draft may be incomplete; what is missing is listed by field and keeps it unpublished")
    func unfinished() async throws {
        try await APIClient.run { client in
            let answer = try await client.post(
                "/journeys/create",
                [
                    "name": "Circle", "entry": ["type": "api"],
                    "steps": [
                        ["name": "a", "type": "jump", "next": "b"],
                        ["name": "b", "type": "jump", "next": "a"],
                        ["name": "c", "type": "wait", "duration": 59],
                    ],
                ]
            )
            #expect(answer.status == .created, "\(answer.body)")
            let id = try #require(answer.body["journey_id"]?.stringValue)
            let check = try await client.get("/journeys/check?journey_id=\(id)")
            let fields = Set(
                check.body["problems"]?.arrayValue?.compactMap { $0["field"]?.stringValue } ?? []
            )
            #expect(fields == ["steps.0.next", "steps.1.next", "steps.2.id", "steps.2.duration"])
            let published = try await post(client, "publish", id)
            #expect(published.status == .badRequest)
            #expect(published.errors.count == 4)
        }
    }

    @Test("another workspace's keys find nothing, and a key does only what it may")
    func permissions() async throws {
        try await APIClient.run { client in
            let id = try await create(client)
            let key = try await client.key(["journeys.list"])
            let list = try await client.get("/journeys/list", key: key)
            #expect(list.status == .ok)
            let details = try await client.get("/journeys/details?journey_id=\(id)", key: key)
            #expect([.unauthorized, .forbidden].contains(details.status))
            let published = try await client.post(
                "/journeys/publish",
                ["journey_id": .string(id)],
                key: key
            )
            #expect([.unauthorized, .forbidden].contains(published.status))
        }
    }
}

/// A clock that a test moves.
final class MovableClock: Sendable {
    private let time: Mutex<Date>

    init(_ start: Date) { time = Mutex(start) }

    var now: Date { time.withLock { $0 } }

    func advance(_ seconds: TimeInterval) { time.withLock { $0 += seconds } }
}
