import Audience
import Foundation
import HTTPTypes
import Model
import NIOCore
import NoroshiWire
import Ports
import StoreConformance
import Testing

@Suite("In-app messages")
struct InAppMessageTests {
    private func message(
        _ text: String = "Hello {{${first_name} | default: 'you'}}",
        more: [String: JSONValue] = [:]
    ) -> JSONValue {
        .object(
            [
                "type": "modal", "message": .string(text),
                "rules": [
                    "triggers": [["type": "event", "name": "cart"]], "interval_seconds": 60,
                ],
            ].merging(more) { $1 }
        )
    }

    private func create(
        _ client: APIClient,
        _ name: String,
        _ message: JSONValue,
        _ more: [String: JSONValue] = [:]
    ) async throws -> APIClient.Answer {
        try await client.post(
            "/in_app_messages/create",
            .object(
                ["name": .string(name), "state": "active", "message": message]
                    .merging(more) { $1 }
            )
        )
    }

    /// What a device gets.
    private func fetch(
        _ client: APIClient,
        device: UUID?,
        user: String?
    ) async throws -> [InAppMessage] {
        var query = ""
        if let device { query += "device=\(device.uuidString)&" }
        if let user { query += "user=\(user)" }
        let answer = try await client.send(
            "/sdk/v1/in_app_messages?\(query)",
            .get,
            [.authorization: "Bearer \(client.app.sdkKey)"],
            nil
        )
        #expect(answer.status == .ok, "\(answer.message)")
        return try JSONDecoder().decode(
            SDKInAppMessages.self,
            from: try JSONEncoder().encode(answer.body)
        ).messages
    }

    @Test("contents are compared by who tapped, each user in the group of what was shown first")
    func experiment() async throws {
        try await APIClient.run { client in
            let made = try await create(
                client,
                "Tasting",
                message("Sencha?"),
                [
                    "experiment": [
                        "control_share": 10, "weights": [1, 1],
                        "others": [["type": "modal", "message": "A pot on us?"]],
                    ]
                ]
            )
            let id = try #require(made.body["in_app_message_id"]?.stringValue)
            let conformance = StoreConformance(client.store)
            let fixture = StoreConformance.Fixture(workspace: client.workspace, app: client.app)
            func tell(
                _ user: Int,
                _ kind: SDKRecord.InAppMessageInteraction.Kind,
                _ variant: String,
                after seconds: TimeInterval = 0
            ) async throws {
                try await conformance.batch(
                    [
                        (
                            .external("user-\(user)"),
                            .inAppMessage(.init(kind: kind, message: id, variant: variant))
                        )
                    ],
                    from: UUID(),
                    after: seconds,
                    in: fixture
                )
            }
            func asked() async throws -> JSONValue {
                let answer = try await client.get(
                    "/in_app_messages/experiment?in_app_message_id=\(id)"
                )
                #expect(answer.status == .ok, "\(answer.message)")
                return answer.body
            }
            #expect(try await asked()["clicks"]?["verdict"] == "nothing_to_compare")

            // Of 90 users of each content 9 and 63 tap; 20 more would have been shown one.
            for user in 0..<200 {
                let variant = user < 90 ? "0" : user < 180 ? "1" : "control"
                try await tell(user, .impression, variant, after: 10)
                let taps = variant == "0" ? user < 9 : variant == "1" && user < 153
                if taps { try await tell(user, user % 2 == 0 ? .click : .button, variant) }
            }
            // Seen again, and another content later: neither makes another user of them.
            try await tell(0, .impression, "0", after: 20)
            try await tell(1, .impression, "1", after: 20)
            // A content that is not compared any more.
            try await tell(1_000, .impression, "7")
            let answer = try await asked()
            let groups = try #require(answer["groups"]?.arrayValue)
            #expect(groups.map { $0["users"] } == [20, 90, 90])
            #expect(groups.map { $0["clicked"] } == [0, 9, 63])
            #expect(groups.map { $0["number"] } == [.null, 0, 1])
            #expect(groups.map { $0["share"]?.doubleValue } == [0.1, 0.45, 0.45])
            #expect(answer["clicks"]?["verdict"] == "winner")
            #expect(answer["clicks"]?["winner"] == groups[2]["id"])
            #expect(answer["split"]?["is_alarm"] == false)
            let pairs = try #require(answer["clicks"]?["comparisons"]?.arrayValue)
            #expect(pairs.count == 1, "the control group has nothing to tap")
            let lift = try #require(pairs[0]["lift"]?.doubleValue)
            #expect(abs(lift - 6) < 1e-9)

            let alone = try await create(client, "Alone", message())
            let other = try #require(alone.body["in_app_message_id"]?.stringValue)
            let refused = try await client.get(
                "/in_app_messages/experiment?in_app_message_id=\(other)"
            )
            #expect(refused.status == .badRequest)
            #expect(refused.message.contains("'in_app_message_id' compares nothing"))
        }
    }

    @Test("contents and control group are compared by who reached the goal")
    func goal() async throws {
        try await APIClient.run { client in
            let goal: JSONValue = [
                "event": ["kind": ["custom": ["name": "poured"]], "conditions": []],
                "window": 3600,
            ]
            let made = try await create(
                client,
                "Tasting",
                message("Sencha?"),
                ["experiment": ["control_share": 50], "goal": goal]
            )
            let id = try #require(made.body["in_app_message_id"]?.stringValue)
            let conformance = StoreConformance(client.store)
            let fixture = StoreConformance.Fixture(workspace: client.workspace, app: client.app)
            // Of 90 users 60 pour after the message, of the control group 9 without it, and
            // somebody the day after.
            for user in 0..<180 {
                let variant = user < 90 ? "0" : "control"
                let name = UserReference.external("user-\(user)")
                var told: [(user: UserReference, content: IngestItem.Content)] = [
                    (name, .inAppMessage(.init(kind: .impression, message: id, variant: variant)))
                ]
                if user < 60 || user >= 171 {
                    told.append((name, .event(name: "poured", properties: [:])))
                }
                try await conformance.batch(told, from: UUID(), after: 10, in: fixture)
            }
            try await conformance.batch(
                [(.external("user-100"), .event(name: "poured", properties: [:]))],
                from: UUID(),
                after: 86_400,
                in: fixture
            )
            let query = "?in_app_message_id=\(id)"
            let answer = try await client.get("/in_app_messages/experiment\(query)").body
            let groups = try #require(answer["groups"]?.arrayValue)
            #expect(groups.map { $0["converted"] } == [9, 60])
            #expect(answer["conversions"]?["verdict"] == "winner")
            #expect(answer["conversions"]?["winner"] == groups[1]["id"])
            #expect(answer["clicks"]?["verdict"] == "nothing_to_compare")
            let funnel = try await client.get("/in_app_messages/funnel\(query)").body
            #expect(
                funnel["steps"]?.arrayValue?.map { $0["users"] } == [90, 0, 60]
            )
            #expect(funnel["control"] == ["users": 90, "converted": 9])
            #expect(try await client.get("/in_app_messages/details\(query)").body["goal"] == goal)

            for (form, field) in [
                (["event": ["kind": ["custom": ["name": ""]]]], "goal.event"),
                (["event": ["kind": "purchase"], "window": 30], "goal.window"),
                (["event": ["kind": "purchase"], "windows": 3600], "goal.windows"),
                (["window": 3600], "goal.event"), ("poured", "goal"),
            ] as [(JSONValue, String)] {
                let refused = try await client.post(
                    "/in_app_messages/update",
                    ["in_app_message_id": .string(id), "goal": form]
                )
                #expect(refused.status == .badRequest)
                #expect(refused.message.contains("'\(field)'"), "\(refused.message)")
            }
            let taken = try await client.post(
                "/in_app_messages/update",
                ["in_app_message_id": .string(id), "goal": .null]
            )
            #expect(taken.status == .created, "\(taken.message)")
            let without = try await client.get("/in_app_messages/experiment\(query)").body
            #expect(without["conversions"] == .null)
            #expect(without["groups"]?.arrayValue?.first?["converted"] == .null)
        }
    }

    @Test("a device gets the active messages, rendered for the user who is logged in on it")
    func fetching() async throws {
        try await APIClient.run { client in
            let fixture = StoreConformance.Fixture(workspace: client.workspace, app: client.app)
            let device = try await StoreConformance(client.store)
                .register("ada", token: "01", in: fixture)
            let named = try await client.post(
                "/users/track",
                ["attributes": [["external_id": "ada", "first_name": "Ada"]]]
            )
            #expect(named.errors.isEmpty)
            let made = try await create(client, "Welcome", message())
            #expect(made.status == .created, "\(made.message)")
            let draft = try await create(client, "Draft", message(), ["state": "draft"])
            #expect(draft.status == .created)
            let ended = try await create(client, "Ended", message("{% abort_message('no') %}"))
            #expect(ended.status == .created)

            let mine = try await fetch(client, device: device, user: "ada")
            #expect(mine.map(\.message) == ["Hello Ada"])
            #expect(mine.first?.id == made.body["in_app_message_id"]?.stringValue)
            #expect(mine.first?.rules.triggers == [.event(name: "cart", filters: [])])
            // Once is what is meant where nothing is said of it.
            #expect(mine.first?.rules.impressionLimit == 1)
            #expect(mine.first?.rules.intervalSeconds == 60)
            // Who only knows a name, or claims another user, learns nothing of the user.
            for (device, user) in [(nil, "ada"), (device, "bob"), (UUID(), "ada"), (device, nil)] {
                let texts = try await fetch(client, device: device, user: user).map(\.message)
                #expect(texts == ["Hello you"])
            }
        }
    }

    @Test("a message with a segment goes to its members only")
    func segment() async throws {
        try await APIClient.run { client in
            let fixture = StoreConformance.Fixture(workspace: client.workspace, app: client.app)
            let conformance = StoreConformance(client.store)
            let devices = [
                "ada": try await conformance.register("ada", token: "01", in: fixture),
                "bob": try await conformance.register("bob", token: "02", in: fixture),
            ]
            _ = try await client.post(
                "/users/track",
                ["attributes": [["external_id": "ada", "plan": "pro"], ["external_id": "bob"]]]
            )
            let service = SegmentService(store: client.store) { APIClient.now }
            let segment = try await service.create(
                .init(name: "Pros", definition: .text("plan = \"pro\"")),
                by: .commandLine(account: "ada", client.workspace)
            )
            let made = try await create(
                client,
                "Pros only",
                message("Pro"),
                ["segment_id": .string(segment.apiID.uuidString)]
            )
            #expect(made.status == .created, "\(made.message)")
            try await client.audience.catchUp()
            #expect(try await fetch(client, device: devices["ada"], user: "ada").count == 1)
            #expect(try await fetch(client, device: devices["bob"], user: "bob").isEmpty)
            #expect(try await fetch(client, device: UUID(), user: nil).isEmpty)

            // For everybody, and then for nobody.
            let id = made.body["in_app_message_id"] ?? .null
            let opened = try await client.post(
                "/in_app_messages/update",
                ["in_app_message_id": id, "segment_id": nil]
            )
            #expect(opened.status == .created, "\(opened.message)")
            #expect(try await fetch(client, device: devices["bob"], user: "bob").count == 1)
            _ = try await client.post(
                "/in_app_messages/update",
                ["in_app_message_id": id, "state": "stopped"]
            )
            #expect(try await fetch(client, device: devices["ada"], user: "ada").isEmpty)
            let list = try await client.get("/in_app_messages/list")
            let row = list.body["in_app_messages"]?.arrayValue?.first
            #expect(row?["state"] == "stopped")
            #expect(row?["segment_id"] == .null)
        }
    }

    @Test("impressions, taps and dismissals are counted, a resent one once")
    func figures() async throws {
        try await APIClient.run { client in
            let made = try await create(client, "Welcome", message())
            let id = try #require(made.body["in_app_message_id"]?.stringValue)
            let device = SDKDevice(id: UUID(), platform: "ios")
            func records(_ user: String) -> [SDKRecord] {
                let seen: [SDKRecord.InAppMessageInteraction] = [
                    .init(kind: .impression, message: id), .init(kind: .impression, message: id),
                    .init(kind: .click, message: id),
                    .init(kind: .button, message: id, button: "1"),
                    .init(kind: .dismissed, message: id),
                ]
                return seen.enumerated().map { number, interaction in
                    SDKRecord(
                        id: UUID(),
                        sequence: UInt64(number),
                        timeMilliseconds: APIClient.now.milliseconds,
                        user: .external(user),
                        content: .inAppMessage(interaction)
                    )
                }
            }
            for user in ["ada", "bob"] {
                let batch = try JSONEncoder().encode(
                    SDKBatch(device: device, records: records(user), signature: nil)
                )
                for _ in 0..<2 {
                    let answer = try await client.post(
                        "/sdk/v1/batch",
                        bytes: batch,
                        key: client.app.sdkKey
                    )
                    #expect(answer.body["acknowledged"]?.arrayValue?.count == 5)
                }
            }
            let details = try await client.get("/in_app_messages/details?in_app_message_id=\(id)")
            #expect(
                details.body["figures"] == [
                    "impressions": 4, "unique_recipients": 2, "clicks": 2, "dismissals": 2,
                    "first_button_clicks": 0, "second_button_clicks": 2,
                    "button_clicks": ["1": 2],
                ]
            )
            #expect(details.body["in_app_message"]?["message"] != nil)
        }
    }

    @Test("a variant without weight goes to nobody", arguments: [[0, 1], [1, 0]])
    func weights(_ weights: [Int]) async throws {
        try await APIClient.run { client in
            let fixture = StoreConformance.Fixture(workspace: client.workspace, app: client.app)
            let conformance = StoreConformance(client.store)
            let made = try await create(
                client,
                "One sided",
                message("Hello"),
                [
                    "experiment": [
                        "control_share": 0,
                        "weights": .array(weights.map { .integer(Int64($0)) }),
                        "others": [["type": "slideup", "message": "Or"]],
                    ]
                ]
            )
            #expect(made.status == .created, "\(made.message)")
            for number in 0..<12 {
                let user = "guest\(number)"
                let device = try await conformance.register(user, token: "\(number)0", in: fixture)
                let shown = try await fetch(client, device: device, user: user)
                #expect(shown.map(\.variant) == ["\(weights.firstIndex(of: 1) ?? 9)"])
            }
        }
    }

    @Test("variants go to users by their weights, always the same one, and a share gets nothing")
    func variants() async throws {
        try await APIClient.run { client in
            let fixture = StoreConformance.Fixture(workspace: client.workspace, app: client.app)
            let conformance = StoreConformance(client.store)
            let experiment: JSONValue = [
                "control_share": 30, "weights": [1, 2],
                "others": [["type": "slideup", "message": "Or {{${user_id}}}"]],
            ]
            let made = try await create(
                client,
                "Compared",
                message("Hello"),
                ["experiment": experiment]
            )
            #expect(made.status == .created, "\(made.message)")
            let id = try #require(made.body["in_app_message_id"]?.stringValue)
            var groups: [String: Int] = [:]
            for number in 0..<60 {
                let user = "guest\(number)"
                let device = try await conformance.register(
                    user,
                    token: "\(1000 + number)",
                    in: fixture
                )
                let first = try await fetch(client, device: device, user: user)
                #expect(try await fetch(client, device: device, user: user) == first)
                let shown = try #require(first.first)
                #expect(shown.id == id)
                #expect(shown.rules.triggers == [.event(name: "cart", filters: [])])
                switch shown.variant {
                case "0": #expect(shown.message == "Hello")
                case "1": #expect(shown.kind == .slideup && shown.message == "Or \(user)")
                case "control": #expect(shown.kind == .control && shown.message.isEmpty)
                default: Issue.record("variant \(shown.variant ?? "none")")
                }
                groups[shown.variant ?? "", default: 0] += 1
            }
            // Which 60 of them get what is drawn anew in each run: bounds that hold but once in a billion.
            #expect((1...42).contains(groups["control"] ?? 0), "\(groups)")
            #expect(groups["0"] ?? 0 < 42 && (5...52).contains(groups["1"] ?? 0), "\(groups)")

            let device = SDKDevice(id: UUID(), platform: "ios")
            let seen: [SDKRecord.InAppMessageInteraction] = [
                .init(kind: .impression, message: id, variant: "0"),
                .init(kind: .impression, message: id, variant: "1"),
                .init(kind: .button, message: id, button: "0", variant: "1"),
                .init(kind: .impression, message: id, variant: "control"),
            ]
            let records = seen.enumerated().map { number, interaction in
                SDKRecord(
                    id: UUID(),
                    sequence: UInt64(number),
                    timeMilliseconds: APIClient.now.milliseconds,
                    user: .external("ada"),
                    content: .inAppMessage(interaction)
                )
            }
            _ = try await client.post(
                "/sdk/v1/batch",
                bytes: try JSONEncoder().encode(
                    SDKBatch(device: device, records: records, signature: nil)
                ),
                key: client.app.sdkKey
            )
            let details = try await client.get("/in_app_messages/details?in_app_message_id=\(id)")
            #expect(details.body["figures"]?["impressions"] == 2)
            #expect(details.body["variants"]?["1"]?["first_button_clicks"] == 1)
            #expect(details.body["variants"]?["control"]?["impressions"] == 1)
            #expect(details.body["experiment"]?["others"]?.arrayValue?.first?["type"] == "slideup")
            #expect(details.body["experiment"]?["weights"] == [1, 2])

            // Without an experiment everybody gets the message itself.
            _ = try await client.post(
                "/in_app_messages/update",
                ["in_app_message_id": .string(id), "experiment": nil]
            )
            let plain = try await fetch(client, device: nil, user: nil)
            #expect(plain.map(\.message) == ["Hello"])
            #expect(plain.map(\.variant) == [nil])
        }
    }

    @Test("a device gets the texts of its user's language, and nothing of the others")
    func translations() async throws {
        try await APIClient.run { client in
            var content = try #require(message("Hello {{${first_name}}}").objectValue)
            content["header"] = "Tea"
            content["buttons"] = [["id": "yes", "text": "Yes", "click_action": ["type": "none"]]]
            content["translations"] = [
                "ja": [
                    "header": "お茶", "message": "{{${first_name}}}さん", "buttons": ["yes": "はい"],
                ],
                "pt": ["message": "Olá"],
            ]
            let made = try await create(client, "Teas", .object(content))
            #expect(made.status == .created, "\(made.message)")
            let id = try #require(made.body["in_app_message_id"]?.stringValue)
            let details = try await client.get("/in_app_messages/details?in_app_message_id=\(id)")
            #expect(details.body["in_app_message"]?["translations"]?["pt"] == ["message": "Olá"])
            let fixture = StoreConformance.Fixture(workspace: client.workspace, app: client.app)
            for (user, token, language, said) in [
                ("yuki", "0a", "ja", ["お茶", "Yukiさん", "はい"]),
                ("nana", "0b", "pt-BR", ["Tea", "Olá", "Yes"]),
                ("hans", "0c", "de", ["Tea", "Hello Hans", "Yes"]),
            ] {
                let device = try await StoreConformance(client.store)
                    .register(user, token: token, in: fixture)
                _ = try await client.post(
                    "/users/track",
                    [
                        "attributes": [
                            [
                                "external_id": .string(user), "language": .string(language),
                                "first_name": .string(user.capitalized),
                            ]
                        ]
                    ]
                )
                let shown = try #require(
                    try await fetch(client, device: device, user: user).first
                )
                #expect([shown.header, shown.message, shown.buttons?.first?.text] == said)
                #expect(shown.translations == nil)
                #expect(shown.language == (language == "de" ? nil : String(language.prefix(2))))
            }
            content["translations"] = ["ja": ["message": "{{"], "japanese": ["message": "x"]]
            let refused = try await create(client, "Wrong", .object(content))
            #expect(refused.status == .badRequest)
            for field in ["message.translations.ja.message", "message.translations"] {
                #expect("\(refused.body)".contains(field))
            }
        }
    }

    @Test(
        "the workspace's control group sees nothing, and what it would have seen is counted apart"
    )
    func withheld() async throws {
        try await APIClient.run { client in
            let goal: JSONValue = ["event": ["kind": ["custom": ["name": "poured"]]]]
            let made = try await create(
                client,
                "Tasting",
                message("Sencha?"),
                ["experiment": ["control_share": 50], "goal": goal]
            )
            let id = try #require(made.body["in_app_message_id"]?.stringValue)
            var limits = try await client.store.limits(of: client.workspace)
            let group = ControlGroup(share: 50, seed: UUID(), since: APIClient.now)
            limits.controlGroup = group
            try await client.store.saveLimits(limits, of: client.workspace)
            let conformance = StoreConformance(client.store)
            let fixture = StoreConformance.Fixture(workspace: client.workspace, app: client.app)
            var withheld = 0
            for number in 0..<40 {
                let user = "guest\(number)"
                let device = try await conformance.register(
                    user,
                    token: "\(1000 + number)",
                    in: fixture
                )
                let profile = try #require(
                    try await client.store.profile(.external(user), in: client.workspace)
                )
                let shown = try #require(
                    try await fetch(client, device: device, user: user).first
                )
                #expect((shown.variant == "withheld") == group.contains(profile.id))
                guard shown.variant == "withheld" else { continue }
                withheld += 1
                #expect(shown.kind == .control && shown.message.isEmpty)
                #expect(shown.rules.triggers == [.event(name: "cart", filters: [])])
                try await conformance.batch(
                    [
                        (
                            .external(user),
                            .inAppMessage(
                                .init(kind: .impression, message: id, variant: shown.variant)
                            )
                        )
                    ]
                        + (withheld == 1
                            ? [(.external(user), .event(name: "poured", properties: [:]))] : []),
                    from: UUID(),
                    after: 10,
                    in: fixture
                )
            }
            // Who is in it is drawn anew in each run: nobody of 40 once in a million million.
            #expect(withheld > 0)
            let query = "?in_app_message_id=\(id)"
            let funnel = try await client.get("/in_app_messages/funnel\(query)").body
            #expect(funnel["withheld"] == .integer(Int64(withheld)))
            #expect(funnel["withheld_converted"] == 1)
            #expect(funnel["control"] == .null)
            let answer = try await client.get("/in_app_messages/experiment\(query)").body
            #expect(
                answer["withheld"]
                    == ["users": .integer(Int64(withheld)), "converted": 1]
            )
            #expect(answer["groups"]?.arrayValue?.allSatisfy { $0["users"] == 0 } == true)
            let details = try await client.get("/in_app_messages/details\(query)").body
            #expect(details["figures"]?["impressions"] == 0)
            #expect(
                details["variants"]?["withheld"]?["unique_recipients"]
                    == .integer(Int64(withheld))
            )
        }
    }

    @Test(
        "what is wrong with an experiment is named",
        arguments: [
            ("experiment.control_share", ["control_share": 100]),
            ("experiment.weights", ["weights": [1, 1]]), ("experiment.weights", ["weights": [0]]),
            ("experiment.others.0.type", ["others": [["type": "balloon"]]]),
            (
                "experiment.others.0.message",
                ["others": [["type": "modal", "message": "{% if %}"]]]
            ),
        ] as [(String, [String: JSONValue])]
    )
    func experimentProblems(field: String, experiment: [String: JSONValue]) async throws {
        try await APIClient.run { client in
            let answer = try await create(
                client,
                "Compared",
                message(),
                ["experiment": .object(experiment)]
            )
            #expect(answer.status == .badRequest)
            #expect(answer.message.contains("'\(field)'"), "\(answer.message)")
        }
    }

    @Test(
        "what is wrong with a message is named",
        arguments: [
            ("message.type", ["type": "balloon"]), ("message.message", ["message": ""]),
            ("message.message", ["message": "{% if %}"]),
            ("message", ["message": "{{content_blocks.${none}}}"]),
            ("message.image_url", ["type": "modal_image"]),
            ("message.rules", ["rules": nil]),
            ("message.rules.triggers", ["rules": ["triggers": []]]),
            ("message.rules.triggers.0.type", ["rules": ["triggers": [["type": "full_moon"]]]]),
            ("message.rules.triggers.0.name", ["rules": ["triggers": [["type": "event"]]]]),
            (
                "message.rules.impression_limit",
                ["rules": ["triggers": [["type": "push_open"]], "impression_limit": 0]]
            ),
            ("message.buttons", ["buttons": .array(Array(repeating: Self.button, count: 3))]),
        ] as [(String, [String: JSONValue])]
    )
    func problems(field: String, more: [String: JSONValue]) async throws {
        try await APIClient.run { client in
            let answer = try await create(client, "Welcome", message(more: more))
            #expect(answer.status == .badRequest)
            #expect(answer.message.contains("'\(field)'"), "\(answer.message)")
            #expect(try await fetch(client, device: nil, user: nil).isEmpty)
        }
    }

    private static let button: JSONValue = [
        "id": "0", "text": "OK", "click_action": ["type": "none"],
    ]

    @Test("names are unique in a workspace, and another workspace sees nothing")
    func separation() async throws {
        try await APIClient.run { client in
            let made = try await create(client, "Welcome", message())
            let taken = try await create(client, "Welcome", message())
            #expect(taken.status == .badRequest)
            #expect(taken.message.contains("'name' is taken"))
            let stranger = try await StoreConformance(client.store).fixture()
            let key = try await client.key(["*"], in: stranger.workspace)
            let id = made.body["in_app_message_id"]?.stringValue ?? ""
            let details = try await client.get(
                "/in_app_messages/details?in_app_message_id=\(id)",
                key: key
            )
            #expect(details.status == .badRequest)
            let list = try await client.get("/in_app_messages/list", key: key)
            #expect(list.body["in_app_messages"] == [])
        }
    }
}
