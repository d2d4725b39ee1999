import Campaigns
import Foundation
import HTTPTypes
import Model
import NoroshiWire
import Ports
import StoreConformance
import Testing

@Suite("What a message of the REST API can say")
struct MessageFieldTests {
    private let apple: JSONValue = ["apple_push": ["alert": "Hello"]]

    private func register(_ names: [String], _ client: APIClient) async throws {
        let conformance = StoreConformance(client.store)
        let fixture = StoreConformance.Fixture(workspace: client.workspace, app: client.app)
        for name in names {
            try await conformance.register(name, token: "token-\(name)", in: fixture)
        }
    }

    private func send(_ answer: APIClient.Answer, _ client: APIClient) async throws -> Send {
        let text = try #require(answer.body["dispatch_id"]?.stringValue, "\(answer.body)")
        return try #require(try await client.store.send(named: text, in: client.workspace))
    }

    private func attributes(
        _ changes: [String: [String: JSONValue]],
        _ client: APIClient
    ) async throws {
        let answer = try await client.post(
            "/users/track",
            [
                "attributes": .array(
                    changes.map { user, values in
                        .object(values.merging(["external_id": .string(user)]) { $1 })
                    }
                )
            ]
        )
        #expect(answer.status == .created)
    }

    /// Who has a row in the ledger of a send, and when it is due.
    private func planned(
        _ send: Send,
        at now: Date,
        _ client: APIClient
    ) async throws -> [String: Date] {
        _ = try await client.store.startPlanningDueSends(now: now)
        let begun = try #require(try await client.store.send(send.id))
        while try await !client.planner.planNextBatch(of: begun, limit: 10).isComplete {}
        var due: [String: Date] = [:]
        for row in try await client.store.ledger(of: send.id, after: nil, limit: 100) {
            let user = try await client.store.profile(row.profile)?.externalID
            due[try #require(user)] = row.dueAt
        }
        return due
    }

    private func campaign(_ client: APIClient) async throws -> Campaign {
        let variants = ["A", "B"].map { name in
            CampaignVariant(
                apiID: UUID(),
                name: name,
                message: CampaignMessage(PlatformMessage(PushMessage(body: name)))
            )
        }
        let campaign = try await client.campaigns.create(
            CampaignContent(name: "Orders", delivery: .apiTriggered, variants: variants),
            by: client.actor
        )
        try await client.campaigns.take(.activate, with: campaign, by: client.actor)
        return try #require(try await client.store.campaign(campaign.id))
    }

    @Test("a push story has pages with pictures and links, on every platform")
    func stories() async throws {
        @Sendable func story(_ pages: Int) -> JSONValue {
            .array(
                (1...pages).map { number in
                    [
                        "image_url": .string("https://example.com/\(number).png"),
                        "title": .string("Tea \(number)"), "uri": .string("tea://\(number)"),
                    ]
                }
            )
        }
        try await APIClient.run { client in
            func send(_ story: JSONValue) async throws -> APIClient.Answer {
                try await client.post(
                    "/messages/send",
                    [
                        "broadcast": true,
                        "messages": [
                            "apple_push": ["alert": "Teas", "push_story": story],
                            "android_push": ["alert": "Teas", "title": "T", "push_story": story],
                            "web_push": ["alert": "Teas", "title": "T", "push_story": story],
                        ],
                    ]
                )
            }
            let answer = try await send(story(3))
            #expect(answer.status == .created)
            let content = try await self.send(answer, client).content
            for platform in MessagePlatform.allCases {
                let pages = content.message(for: platform, variant: nil).message.story
                #expect(pages?.map(\.title) == ["Tea 1", "Tea 2", "Tea 3"])
                #expect(pages?.last?.image == "https://example.com/3.png")
                #expect(pages?.last?.uri == "tea://3")
            }
            for (wrong, field) in [
                (story(2), "push_story"), (story(11), "push_story"),
                ([["title": "No picture"]], ".push_story.0.image_url"),
                ([["image_url": 7]], ".push_story.0.image_url"),
                ("pages", ".push_story"),
            ] as [(JSONValue, String)] {
                let refused = try await send(wrong)
                #expect(refused.status == .badRequest)
                let text = "\(refused.body)"
                #expect(text.contains(field), "\(text)")
            }
        }
    }

    @Test("texts in other languages are taken on every platform, and wrong ones are named")
    func translations() async throws {
        try await APIClient.run { client in
            func send(_ translations: JSONValue) async throws -> APIClient.Answer {
                try await client.post(
                    "/messages/send",
                    [
                        "broadcast": true,
                        "messages": [
                            "apple_push": [
                                "alert": ["title": "T", "body": "Tea"],
                                "translations": translations,
                            ],
                            "android_push": [
                                "alert": "Tea", "title": "T", "translations": translations,
                            ],
                            "web_push": [
                                "alert": "Tea", "title": "T", "translations": translations,
                            ],
                        ],
                    ]
                )
            }
            let answer = try await send([
                "ja": ["title": "お茶", "body": "{{${first_name}}}"], "PT": [:],
            ])
            #expect(answer.status == .created, "\(answer.body)")
            let content = try await self.send(answer, client).content
            for platform in MessagePlatform.allCases {
                #expect(
                    content.message(for: platform, variant: nil).message.translations
                        == [
                            "ja": PushTranslation(title: "お茶", body: "{{${first_name}}}"),
                            "pt": PushTranslation(),
                        ]
                )
            }
            for (wrong, field) in [
                (["ja": ["title": 7]], "translations.ja.title"), (["ja": "お茶"], "translations.ja"),
                (["ja": ["body": "{{"]], "translations.ja.body"),
                (["japanese": [:]], "translations"),
                ("お茶", "translations"),
            ] as [(JSONValue, String)] {
                let refused = try await send(wrong)
                #expect(refused.status == .badRequest)
                #expect("\(refused.body)".contains(field), "\(refused.body)")
            }
        }
    }

    @Test("each platform has its own message, and platforms without one get nothing")
    func platforms() async throws {
        try await APIClient.run { client in
            let answer = try await client.post(
                "/messages/send",
                [
                    "broadcast": true,
                    "messages": [
                        "android_push": [
                            "title": "Robot", "alert": "Hi", "android_priority": "normal",
                            "time_to_live": 60, "collapse_key": "tea",
                            "notification_channel_id": "news", "accent_color": 255,
                            "extra": ["appboy_image_url": "https://example.com/a.jpg", "n": 7],
                            "buttons": [["text": "Open", "uri": "app://x", "action": "URI"]],
                        ],
                        "web_push": [
                            "title": "Page", "alert": "Hi", "custom_uri": "https://example.com",
                        ],
                    ],
                ]
            )
            #expect(answer.status == .created)
            #expect(
                answer.errors.map { $0["field"] } == ["messages.android_push.accent_color"]
            )
            let content = try await send(answer, client).content
            #expect(content.onlyPlatforms == [.android, .web])
            let android = content.message(for: .android, variant: nil)
            #expect(android.message.title == "Robot")
            #expect(android.message.channelID == "news")
            #expect(android.message.keyValuePairs == ["n": "7"])
            #expect(android.message.attachment?.type == "jpg")
            #expect(android.message.buttons.map(\.title) == ["Open"])
            #expect(android.options.collapseID == "tea")
            #expect(android.options.priority == .normal)
            #expect(android.options.expiration == APIClient.now.addingTimeInterval(60))
            #expect(content.message(for: .web, variant: nil).message.title == "Page")
        }
    }

    @Test(
        "with send_to_most_recent_device_only a user's older devices of that platform are left out"
    )
    func latestDevice() async throws {
        try await APIClient.run { client in
            func register(_ token: String, _ platform: String, _ age: TimeInterval) async throws {
                let time = APIClient.now.addingTimeInterval(-age)
                _ = try await client.store.ingest(
                    [
                        IngestRequest(
                            workspace: client.workspace,
                            source: .device(
                                SDKDevice(id: UUID(), platform: platform),
                                app: client.app.id
                            ),
                            items: [
                                IngestItem(
                                    recordID: UUID(),
                                    user: .external("ada"),
                                    time: time,
                                    content: .pushRegistered(
                                        PushRegistration(
                                            provider: .apns,
                                            token: token,
                                            environment: .sandbox,
                                            authorization: token == "denied"
                                                ? .denied : .authorized,
                                            registeredAt: time
                                        )
                                    )
                                )
                            ]
                        )
                    ],
                    now: time
                )
            }
            try await register("old", "ios", 300)
            try await register("new", "ios", 200)
            // Used last, but it shows nothing.
            try await register("denied", "ios", 100)
            try await register("robot 1", "android", 400)
            try await register("robot 2", "android", 300)
            func tokens(_ isLatestOnly: JSONValue) async throws -> [String] {
                let answer = try await client.post(
                    "/messages/send",
                    [
                        "external_user_ids": ["ada"],
                        "messages": [
                            "apple_push": [
                                "alert": "Hello", "send_to_most_recent_device_only": isLatestOnly,
                            ],
                            "android_push": ["title": "Hello", "alert": "you"],
                        ],
                    ]
                )
                #expect(answer.errors.isEmpty)
                let send = try await send(answer, client)
                _ = try await planned(send, at: APIClient.now, client)
                let rows = try await client.store.ledger(of: send.id, after: nil, limit: 9)
                let ada = try #require(try await client.profile("ada"))
                let devices = Dictionary(
                    uniqueKeysWithValues: try await client.store.devices(of: ada.id).map {
                        ($0.id, $0.push?.token ?? "")
                    }
                )
                return rows.compactMap { devices[$0.device] }.sorted()
            }
            #expect(try await tokens(true) == ["new", "robot 1", "robot 2"])
            #expect(try await tokens(1) == ["new", "robot 1", "robot 2"])
            #expect(try await tokens(false) == ["new", "old", "robot 1", "robot 2"])
        }
    }

    @Test(
        "a message that a platform could not show is refused with the field",
        arguments: [
            (["android_push": ["alert": "x"]], "messages.android_push.title"),
            (["web_push": ["title": "x"]], "messages.web_push.alert"),
            (
                ["android_push": ["send_to_sync": true, "alert": "x"]],
                "messages.android_push.alert"
            ),
            (
                ["android_push": ["title": "x", "alert": "x", "priority": 3]],
                "messages.android_push.priority"
            ),
            (
                ["web_push": ["title": "x", "alert": "x", "buttons": [["uri": "x"]]]],
                "messages.web_push.buttons.0.text"
            ),
            (["email": ["body": "x"]], "messages.email"),
        ] as [(JSONValue, String)]
    )
    func refused(_ messages: JSONValue, _ field: String) async throws {
        try await APIClient.run { client in
            let answer = try await client.post(
                "/messages/send",
                ["broadcast": true, "messages": messages]
            )
            #expect(answer.status == .badRequest)
            #expect(answer.errors.first?["field"]?.stringValue == field)
        }
    }

    @Test(
        "the same key sends once within thirty days; another request under it is refused",
        arguments: ["/messages/send", "/messages/schedule/create"]
    )
    func key(_ path: String) async throws {
        try await APIClient.run { client in
            let name = try #require(HTTPField.Name("Idempotency-Key"))
            func post(_ text: JSONValue) async throws -> APIClient.Answer {
                try await client.post(
                    path,
                    [
                        "broadcast": true, "messages": ["apple_push": ["alert": text]],
                        "schedule": ["time": "2030-01-01T00:00:00Z"],
                    ],
                    headers: [name: "order-7"]
                )
            }
            let first = try await post("Hello")
            let again = try await post("Hello")
            #expect(first.status == .created)
            #expect(again.status == .created)
            #expect(first.body == again.body)
            #expect(try await post("Another").status == .badRequest)
            let sends = try await client.store.sends(in: client.workspace, limit: 9, offset: 0)
            #expect(sends.count == 1)
            // After thirty days the key is free again.
            let outcome = try await client.store.createSend(
                SendContent(message: PushMessage(body: "x"), audience: .everyone),
                for: IdempotencyKey(
                    name: "order-7",
                    fingerprint: "another",
                    expiredBefore: APIClient.now.addingTimeInterval(1)
                ),
                in: client.workspace,
                scheduledAt: APIClient.now,
                noting: { _ in nil },
                now: APIClient.now
            )
            guard case .made = outcome else {
                Issue.record("\(outcome)")
                return
            }
        }
    }

    @Test("a message of a campaign is counted for the variant it names")
    func campaign() async throws {
        try await APIClient.run { client in
            try await register(["ada", "ben"], client)
            let campaign = try await campaign(client)
            let id = JSONValue.string(campaign.apiID.uuidString)
            let variation = campaign.content.variants[1].apiID.uuidString
            func post(_ variation: JSONValue) async throws -> APIClient.Answer {
                try await client.post(
                    "/messages/send",
                    [
                        "campaign_id": id, "send_id": "spring", "external_user_ids": ["ada"],
                        "override_frequency_capping": true,
                        "messages": [
                            "apple_push": [
                                "alert": "Your own", "message_variation_id": variation,
                            ]
                        ],
                    ]
                )
            }
            for _ in 0..<2 {
                let answer = try await post(.string(variation))
                #expect(answer.status == .created)
                #expect(answer.body["send_id"] == "spring")
                let send = try await send(answer, client)
                #expect(send.content.launch?.campaign == campaign.id)
                #expect(send.content.launch?.content.isExemptFromCaps == true)
                // Whom the request names gets it, again too.
                #expect(
                    try await planned(send, at: APIClient.now, client).keys.sorted() == ["ada"]
                )
                let row = try await client.store.ledger(of: send.id, after: nil, limit: 1).first
                #expect(row?.variant == 1)
                let message = send.content.message(for: .ios, variant: 1)
                #expect(message.message.body == "Your own")
            }
            let unnamed = try await post(.null)
            #expect(unnamed.message.contains("Message Variant Unspecified"), "\(unnamed.body)")
            let wrong = try await post("another")
            #expect(wrong.message.contains("Invalid Message Variant"), "\(wrong.body)")
            let alone = try await client.post(
                "/messages/send",
                ["send_id": "spring", "broadcast": true, "messages": apple]
            )
            #expect(alone.errors.first?["field"] == "send_id")
        }
    }

    @Test("who gets it by subscription: the opted-in only, all who did not unsubscribe, everybody")
    func subscription() async throws {
        try await APIClient.run { client in
            try await register(["in", "plain", "out"], client)
            try await attributes(
                [
                    "in": ["push_subscribe": "opted_in"],
                    "out": ["push_subscribe": "unsubscribed"],
                ],
                client
            )
            let expected: [String: [String]] = [
                "opted_in": ["in"], "subscribed": ["in", "plain"], "all": ["in", "out", "plain"],
            ]
            for (state, users) in expected {
                let answer = try await client.post(
                    "/messages/send",
                    [
                        "broadcast": true, "recipient_subscription_state": .string(state),
                        "messages": apple,
                    ]
                )
                let send = try await send(answer, client)
                let rows = try await planned(send, at: APIClient.now, client)
                #expect(rows.keys.sorted() == users)
            }
            let wrong = try await client.post(
                "/messages/send",
                ["broadcast": true, "recipient_subscription_state": "none", "messages": apple]
            )
            #expect(wrong.errors.first?["field"] == "recipient_subscription_state")
        }
    }

    @Test("in local time each user's row is due on the user's own clock")
    func localTime() async throws {
        try await APIClient.run { client in
            try await register(["tokyo", "berlin"], client)
            try await attributes(
                [
                    "tokyo": ["time_zone": "Asia/Tokyo"],
                    "berlin": ["time_zone": "Europe/Berlin"],
                ],
                client
            )
            let answer = try await client.post(
                "/messages/schedule/create",
                [
                    "broadcast": true, "messages": apple,
                    "schedule": ["time": "2030-07-04T09:00:00Z", "in_local_time": true],
                ]
            )
            #expect(answer.status == .created)
            let send = try await send(answer, client)
            let begin = try #require(Timestamp.parse("2030-07-03T19:00:00Z"))
            #expect(send.scheduledAt == begin)
            let rows = try await planned(send, at: begin, client)
            #expect(
                rows.mapValues(Timestamp.format) == [
                    "tokyo": "2030-07-04T00:00:00.000Z", "berlin": "2030-07-04T07:00:00.000Z",
                ]
            )
            let optimal = try await client.post(
                "/messages/schedule/create",
                [
                    "broadcast": true, "messages": apple,
                    "schedule": ["time": "2030-07-04T09:00:00Z", "at_optimal_time": true],
                ]
            )
            #expect(optimal.errors.first?["field"] == "schedule.at_optimal_time")
        }
    }

    @Test("campaigns that wait for the clock stand among the broadcasts")
    func broadcasts() async throws {
        try await APIClient.run { client in
            let day = try #require(CalendarDay("2030-07-04"))
            let schedule = CampaignSchedule(
                start: day,
                time: try #require(TimeOfDay("09:00")),
                clock: .zone("UTC"),
                recurrence: Recurrence(.daily(every: 1))
            )
            var content = try await campaign(client).content
            content.delivery = .scheduled(schedule)
            content.name = "Morning"
            let made = try await client.campaigns.create(content, by: client.actor)
            try await client.campaigns.take(.activate, with: made, by: client.actor)
            let list = try await client.get("/messages/scheduled_broadcasts?end_time=2031-01-01")
            let row = list.body["scheduled_broadcasts"]?.arrayValue?.first
            #expect(row?["name"] == "Morning")
            #expect(row?["schedule_type"] == "time_based_recurring")
            #expect(row?["next_send_time"] == "2030-07-04T09:00:00.000Z")
        }
    }
}
