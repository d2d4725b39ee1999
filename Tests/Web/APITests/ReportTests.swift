import Audience
import Foundation
import HTTPTypes
import Model
import NIOCore
import NoroshiWire
import Ports
import Segments
import Testing

/// `APIClient.now` is 21 September 2026, 23:13 in the workspace's Tokyo.
@Suite("Reports over REST")
struct ReportTests {
    private static func event(
        _ user: String,
        _ name: String,
        _ time: String,
        _ properties: JSONValue = [:]
    ) -> JSONValue {
        [
            "external_id": .string(user), "name": .string(name), "time": .string(time),
            "properties": properties,
        ]
    }

    /// Ada and Ben view, Ada twice; Ada buys within an hour, Ben a day later; Eve only buys.
    private func fill(_ client: APIClient) async throws {
        let answer = try await client.post(
            "/users/track",
            [
                "attributes": [
                    ["external_id": "ada", "plan": "pro"], ["external_id": "ben", "plan": "free"],
                    ["external_id": "eve"],
                ],
                "events": [
                    Self.event("ada", "viewed", "2026-09-19T10:00:00Z", ["shelf": "tea", "n": 1]),
                    Self.event("ada", "viewed", "2026-09-20T10:00:00Z", ["shelf": "cups", "n": 2]),
                    Self.event("ben", "viewed", "2026-09-19T16:00:00Z", ["shelf": "cups"]),
                    Self.event("ben", "left", "2026-09-19T17:00:00Z"),
                ],
                "purchases": [
                    Self.purchase("ada", "2026-09-19T10:30:00Z", 480.5, 2),
                    Self.purchase("ben", "2026-09-20T16:00:00Z", 100, 1),
                    Self.purchase("eve", "2026-09-20T16:00:00Z", 7, 1),
                ],
            ]
        )
        #expect(answer.errors.isEmpty)
        try await client.audience.rebuild()
    }

    private static func purchase(
        _ user: String,
        _ time: String,
        _ price: Double,
        _ quantity: Int64
    ) -> JSONValue {
        [
            "external_id": .string(user), "product_id": "tea", "currency": "JPY",
            "price": .number(price), "quantity": .integer(quantity), "time": .string(time),
        ]
    }

    private func segment(
        _ client: APIClient,
        _ definition: String = #"{"custom": "plan", "test": "equal", "value": "pro"}"#
    ) async throws -> String {
        try await client.store.createSegment(
            SegmentContent(name: "Pros", definition: definition, author: "Ada"),
            in: client.workspace,
            now: APIClient.now
        ).apiID.uuidString.lowercased()
    }

    private static func funnel(_ more: [String: JSONValue] = [:]) -> JSONValue {
        .object(
            [
                "length": 4, "window_seconds": 172_800,
                "steps": [["event": "viewed"], ["purchase": []]],
            ].merging(more) { $1 }
        )
    }

    private func ask(
        _ client: APIClient,
        _ report: String,
        _ question: JSONValue
    ) async throws -> JSONValue {
        let answer = try await client.post("/reports/\(report)", question)
        #expect(answer.status == .ok, "\(answer.body)")
        return answer.body
    }

    private static func users(_ answer: JSONValue) -> [Int64] {
        (answer["steps"]?.arrayValue ?? []).compactMap { $0["users"]?.integerValue }
    }

    @Test("a funnel counts users by step, with the time between steps")
    func funnel() async throws {
        try await APIClient.run { client in
            try await fill(client)
            let answer = try await ask(client, "funnel", Self.funnel())
            #expect(
                answer["steps"] == [
                    ["users": 2, "average_seconds": .null, "median_seconds": .null],
                    ["users": 2, "average_seconds": 44_100, "median_seconds": 1_800],
                ]
            )
            let short = try await ask(client, "funnel", Self.funnel(["window_seconds": 3_600]))
            #expect(Self.users(short) == [2, 1])
            let unbroken = try await ask(
                client,
                "funnel",
                Self.funnel([
                    "exclusions": [["event": "left", "after_step": 1, "before_step": 2]]
                ])
            )
            #expect(Self.users(unbroken) == [2, 1])
            let tea = try await ask(
                client,
                "funnel",
                Self.funnel([
                    "steps": [
                        [
                            "event": "viewed",
                            "where": [["property": "shelf", "test": "equal", "value": "tea"]],
                        ],
                        ["purchase": ["tea"]],
                    ]
                ])
            )
            #expect(Self.users(tea) == [1, 1])
            let pros = try await segment(client)
            #expect(
                Self.users(
                    try await ask(client, "funnel", Self.funnel(["segment_id": .string(pros)]))
                )
                    == [1, 1]
            )
        }
    }

    @Test("a breakdown names its groups by value, segment, missing and other")
    func breakdown() async throws {
        try await APIClient.run { client in
            try await fill(client)
            let pros = try await segment(client)
            for (breakdown, groups) in [
                (
                    ["by": "custom_attribute", "name": "plan"],
                    [
                        ["kind": "value", "value": "free", "users": [1, 1]],
                        ["kind": "value", "value": "pro", "users": [1, 1]],
                    ]
                ),
                (
                    ["by": "custom_attribute", "name": "plan", "limit": 1],
                    [
                        ["kind": "value", "value": "free", "users": [1, 1]],
                        ["kind": "other", "users": [1, 1]],
                    ]
                ),
                (
                    ["by": "property", "name": "n"],
                    [
                        ["kind": "value", "value": "1", "users": [1, 1]],
                        ["kind": "missing", "users": [1, 1]],
                    ]
                ),
                (
                    ["by": "segments", "segments": [.string(pros)]],
                    [
                        ["kind": "segment", "segment_id": .string(pros), "users": [1, 1]],
                        ["kind": "missing", "users": [1, 1]],
                    ]
                ),
                (["by": "platform"], [["kind": "missing", "users": [2, 2]]]),
            ] as [(JSONValue, JSONValue)] {
                let answer = try await ask(client, "funnel", Self.funnel(["breakdown": breakdown]))
                #expect(answer["groups"] == groups, "\(breakdown)")
            }
        }
    }

    @Test("a retention has a row for each cohort, and none for what has not begun")
    func retention() async throws {
        try await APIClient.run { client in
            try await fill(client)
            let answer = try await ask(
                client,
                "retention",
                [
                    "length": 4, "intervals": 2, "first": ["event": "viewed"],
                    "returning": ["purchase": []],
                ]
            )
            // In Tokyo Ben's view is of the 20th, and the purchase of the 21st.
            #expect(
                answer["cohorts"] == [
                    ["start": "2026-09-18", "users": 0, "returned": [0, 0, 0], "complete": 3],
                    ["start": "2026-09-19", "users": 1, "returned": [1, 0, 0], "complete": 2],
                    ["start": "2026-09-20", "users": 1, "returned": [0, 1, .null], "complete": 1],
                    [
                        "start": "2026-09-21", "users": 0, "returned": [0, .null, .null],
                        "complete": 0,
                    ],
                ]
            )
            #expect(answer["total"] == ["users": 2, "returned": [1, 1, 0], "of": [2, 2, 1]])
        }
    }

    @Test("a series counts, and compares with the period before")
    func series() async throws {
        try await APIClient.run { client in
            try await fill(client)
            func values(_ question: [String: JSONValue]) async throws -> [JSONValue] {
                let common: [String: JSONValue] = ["length": 2, "ending_at": "2026-09-21"]
                let answer = try await ask(
                    client,
                    "series",
                    .object(common.merging(question) { $1 })
                )
                return [answer, answer["previous"]].compactMap { $0 }.flatMap { line in
                    ((line["data"]?.arrayValue ?? []) + [line["whole"] ?? .null])
                        .map { $0["value"] ?? .null }
                }
            }
            #expect(try await values(["series": ["event": "viewed"]]) == [2, 0, 2])
            #expect(
                try await values(["series": ["event": "viewed"], "compare": true])
                    == [2, 0, 2, 0, 1, 1]
            )
            #expect(
                try await values([
                    "series": ["event": "viewed"], "measure": "users", "unit": "week", "length": 1,
                    "ending_at": "2026-09-20",
                ]) == [2, 2]
            )
            #expect(
                try await values(["series": ["event": "viewed"], "measure": "per_user"])
                    == [1, .null, 1]
            )
            #expect(
                try await values(["series": ["purchase": []], "time_zone": "UTC", "length": 3])
                    == [2, 2, 0, 4]
            )
            #expect(
                try await values([
                    "series": ["revenue": [], "currency": "JPY"], "time_zone": "UTC", "length": 3,
                ]) == [961, 107, 0, 1068]
            )
            #expect(try await values(["series": ["new_users": true]]) == [0, 3, 3])
        }
    }

    @Test("paths show what comes next, from whom, and the most frequent whole ones")
    func paths() async throws {
        try await APIClient.run { client in
            try await fill(client)
            let question: JSONValue = [
                "length": 4, "start": ["event": "viewed"], "steps": 2, "window_seconds": 172_800,
            ]
            let answer = try await ask(client, "paths", question)
            #expect(answer["users"] == 2)
            let users = (answer["steps"]?.arrayValue ?? []).map { step in
                (step["links"]?.arrayValue ?? []).compactMap { $0["users"]?.integerValue }
                    .reduce(0, +)
            }
            #expect(users.first == 2)
            let whole = (answer["paths"]?.arrayValue ?? []).compactMap { $0["users"]?.integerValue }
            #expect(whole.reduce(0, +) == 2)
            let left = try await ask(
                client,
                "paths",
                [
                    "length": 4, "start": ["purchase": []], "direction": "before", "steps": 1,
                    "window_seconds": 172_800, "leave_out": [["event": "left"]],
                ]
            )
            #expect(
                left == [
                    "message": "success", "users": 3,
                    "steps": [
                        [
                            "nodes": [
                                ["kind": "event", "event": "viewed", "users": 2],
                                ["kind": "end", "users": 1],
                            ],
                            "links": [
                                ["from": 0, "to": 0, "users": 2], ["from": 0, "to": 1, "users": 1],
                            ],
                        ]
                    ],
                    "paths": [
                        ["steps": [["kind": "event", "event": "viewed"]], "users": 2],
                        ["steps": [], "users": 1],
                    ],
                ]
            )
            for (member, value) in [
                ("steps", 9), ("steps", .null), ("window_seconds", -1), ("limit", 0),
                ("direction", "sideways"), ("start", ["mood": "x"]), ("leave_out", [[:]]),
            ] as [(String, JSONValue)] {
                var changed = question.objectValue ?? [:]
                changed[member] = value
                let refused = try await client.post("/reports/paths", .object(changed))
                #expect(refused.status == .badRequest, "\(member)")
                #expect("\(refused.body)".contains(member), "\(refused.body)")
            }
        }
    }

    @Test("users are counted by what they are now")
    func users() async throws {
        try await APIClient.run { client in
            try await fill(client)
            let all = try await ask(
                client,
                "users",
                ["breakdown": ["by": "custom_attribute", "name": "plan"]]
            )
            #expect(
                all == [
                    "message": "success", "users": 3,
                    "groups": [
                        ["kind": "value", "value": "free", "users": 1],
                        ["kind": "value", "value": "pro", "users": 1],
                        ["kind": "missing", "users": 1],
                    ],
                ]
            )
            let pros = try await segment(client)
            let some = try await ask(
                client,
                "users",
                ["segment_id": .string(pros), "breakdown": ["by": "platform"]]
            )
            #expect(some["users"] == 1)
            #expect(some["groups"] == [["kind": "missing", "users": 1]])
            for body in [
                [:], ["breakdown": ["by": "property", "name": "shelf"]],
                ["breakdown": ["by": "mood"]],
            ] as [JSONValue] {
                let refused = try await client.post("/reports/users", body)
                #expect(refused.status == .badRequest, "\(body)")
                #expect("\(refused.body)".contains("breakdown"), "\(refused.body)")
            }
        }
    }

    @Test("what looks further back than custom events are kept says since when it is complete")
    func completeSince() async throws {
        try await APIClient.run { client in
            try await fill(client)
            let question = Self.funnel()
            let whole = try await client.post("/reports/funnel", question)
            #expect(whole.body["complete_since"] == nil)
            _ = try await client.store.removeRows(
                .customEvents,
                in: client.workspace,
                olderThan: Date(timeIntervalSince1970: 1_789_862_400),
                lookingAt: 100,
                now: APIClient.now
            )
            let since = "2026-09-20T00:00:00.000Z"
            let rest = try await client.post("/reports/funnel", question)
            #expect(rest.body["complete_since"] == .string(since))
            #expect(rest.body["steps"]?.arrayValue?.first?["users"] == 1)
            let table = try await client.page(
                "/reports/funnel",
                .post,
                headers: [.authorization: "Bearer \(client.secret)", .accept: "text/csv"],
                ByteBuffer(bytes: try JSONEncoder().encode(question))
            )
            #expect(HTTPField.Name("Complete-Since").flatMap { table.headers[$0] } == since)
            let rule = try SegmentParser.parse("event viewed count = 2 from 2026-09-01").rule
            let lately = try await segment(
                client,
                String(decoding: try SegmentJSON.encode(rule), as: UTF8.self)
            )
            for body in [
                ["segment_id": .string(lately), "breakdown": ["by": "platform"]],
                ["breakdown": ["by": "segments", "segments": [.string(lately)]]],
            ] as [JSONValue] {
                let users = try await client.post("/reports/users", body)
                #expect(users.body["complete_since"] == .string(since), "\(users.body)")
            }
            let all = try await client.post(
                "/reports/users",
                ["breakdown": ["by": "platform"]] as JSONValue
            )
            #expect(all.body["complete_since"] == nil)
        }
    }

    @Test("with Accept: text/csv the same is a table")
    func csv() async throws {
        try await APIClient.run { client in
            try await fill(client)
            let response = try await client.page(
                "/reports/funnel",
                .post,
                headers: [.authorization: "Bearer \(client.secret)", .accept: "text/csv"],
                ByteBuffer(
                    bytes: try JSONEncoder().encode(
                        Self.funnel(["breakdown": ["by": "property", "name": "shelf"]])
                    )
                )
            )
            #expect(response.headers[.contentType] == "text/csv; charset=utf-8")
            #expect(
                response.text == """
                    group_kind,group,step,users,average_seconds,median_seconds\r
                    all,,1,2,,\r
                    all,,2,2,44100,1800\r
                    value,cups,1,1,,\r
                    value,cups,2,1,,\r
                    value,tea,1,1,,\r
                    value,tea,2,1,,\r

                    """
            )
        }
    }

    @Test("what cannot be asked is named by its field")
    func problems() async throws {
        try await APIClient.run { client in
            for (report, question, field) in [
                ("funnel", Self.funnel(["length": 401]), "length"),
                ("funnel", Self.funnel(["steps": [["event": "viewed"]]]), "steps"),
                ("funnel", Self.funnel(["steps": [["event": "viewed"], [:]]]), "steps.1.event"),
                (
                    "funnel", Self.funnel(["steps": [["event": "$purchase"], ["session": true]]]),
                    "steps.0.event"
                ),
                (
                    "funnel",
                    Self.funnel([
                        "steps": [
                            ["event": "a", "where": [["property": "p", "test": "nonsense"]]],
                            ["session": true],
                        ]
                    ]), "steps.0.where.0.test"
                ),
                ("funnel", Self.funnel(["window_seconds": 0]), "window_seconds"),
                ("funnel", Self.funnel(["time_zone": "Mars/Base"]), "time_zone"),
                ("funnel", Self.funnel(["ending_at": "0001-01-03"]), "ending_at"),
                (
                    "funnel",
                    Self.funnel([
                        "exclusions": [["session": true, "after_step": 2, "before_step": 2]]
                    ]), "exclusions.0.after_step"
                ),
                ("funnel", Self.funnel(["breakdown": ["by": "mood"]]), "breakdown.by"),
                (
                    "funnel",
                    Self.funnel(["breakdown": ["by": "attribute", "name": "email"]]),
                    "breakdown.name"
                ),
                (
                    "funnel", Self.funnel(["breakdown": ["by": "segments", "segments": ["x"]]]),
                    "breakdown.segments.0"
                ),
                (
                    "retention",
                    [
                        "length": 2, "intervals": 1, "unit": "hour", "first": ["session": true],
                        "returning": ["session": true],
                    ], "unit"
                ),
                ("series", ["length": 2, "series": ["revenue": []]], "series.currency"),
            ] as [(String, JSONValue, String)] {
                let answer = try await client.post("/reports/\(report)", question)
                #expect(answer.status == .badRequest, "\(field)")
                #expect(answer.errors.first?["field"]?.stringValue == field, "\(answer.body)")
            }
        }
    }
}
