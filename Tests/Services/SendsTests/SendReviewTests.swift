import Audience
import Campaigns
import ContentTesting
import Foundation
import Logging
import Model
import NoroshiWire
import Ports
import Segments
import Sends
import StoreConformance
import StoreSQL
import StoreTesting
import Testing

@Suite("The review of a message")
struct SendReviewTests {
    /// 23:00 in Tokyo, where the workspace is.
    private static let night = Date(timeIntervalSince1970: 1_789_999_200)

    private struct World {
        var store: SQLStore
        var conformance: StoreConformance
        var fixture: StoreConformance.Fixture
        var audience: SegmentationService
        var review: SendReview

        var workspace: WorkspaceID { fixture.workspace }

        func user(_ name: String, _ attributes: [String: JSONValue]) async throws {
            try await conformance.register(name, token: "token-\(name)", in: fixture)
            try await self.attributes(name, attributes)
        }

        /// Of a user who may have no device.
        func attributes(_ name: String, _ attributes: [String: JSONValue]) async throws {
            _ = try await store.ingest(
                [
                    IngestRequest(
                        workspace: workspace,
                        source: .api,
                        items: [
                            IngestItem(
                                recordID: nil,
                                user: .external(name),
                                time: night,
                                content: .attributes(AttributeChanges(attributes))
                            )
                        ]
                    )
                ],
                now: night
            )
        }

        func filter(_ text: String) async throws -> Audience {
            let rule = try SegmentParser.parse(text).rule
            let json = String(decoding: try SegmentJSON.encode(rule), as: UTF8.self)
            return .matching(SegmentQuery(filter: json))
        }

        func outlook(
            _ body: String,
            _ audience: Audience = .everyone,
            _ change: (inout SendReview.Request) -> Void = { _ in }
        ) async throws -> SendOutlook {
            var request = SendReview.Request(
                messages: [PushMessage(body: body)],
                audience: audience
            )
            change(&request)
            return try await review.outlook(of: request, in: workspace)
        }
    }

    private func withWorld(
        _ fetcher: any ContentFetcher = NoContent(),
        _ body: (World) async throws -> Void
    ) async throws {
        let path = FileManager.default.temporaryDirectory
            .appending(path: "noroshi-review-\(UUID().uuidString).sqlite").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let store = try SQLStore.testing(at: path)
        let conformance = StoreConformance(store)
        let audience = SegmentationService(
            store: store,
            now: { Self.night },
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        )
        let world = World(
            store: store,
            conformance: conformance,
            fixture: try await conformance.fixture(),
            audience: audience,
            review: SendReview(
                store: store,
                audience: audience,
                renderer: MessageRenderer(),
                fetcher: fetcher,
                payload: PayloadMeter(limit: 40, bytes: { $0.body.utf8.count }),
                now: { Self.night }
            )
        )
        try await world.user("ada", ["first_name": "Ada", "language": "en", "plan": "gold"])
        try await world.user("yuki", ["first_name": "雪", "language": "ja", "plan": "free"])
        try await world.user("mio", ["language": "ja"])
        try await world.user("ben", ["home_city": "Kyoto"])
        try await audience.rebuild()
        try await body(world)
    }

    @Test("counts recipients, by platform and language")
    func recipients() async throws {
        try await withWorld { world in
            let all = try await world.outlook("Hi")
            #expect(all.users == 4 && all.devices == 4)
            #expect(all.platforms == [.init(name: "ios", count: 4)])
            #expect(
                all.languages == [
                    .init(name: "ja", count: 2), .init(name: "en", count: 1),
                    .init(name: "", count: 1),
                ]
            )
            #expect(all.findings == [])
            let some = try await world.outlook("Hi", world.filter(#"language = "ja""#)) {
                $0.firstShare = 0.5
            }
            #expect(some.users == 2 && some.first == 1)
            #expect(some.languages == [.init(name: "ja", count: 2)])
            let nobody = try await world.outlook("Hi", world.filter(#"plan = "none""#))
            #expect(nobody.findings == [.nobody] && !nobody.isBlocked)
        }
    }

    @Test("measures the longest message that a user would get")
    func size() async throws {
        try await withWorld { world in
            let body = "Hello {{${first_name} | default: 'you'}}"
            #expect(try await world.outlook(body).findings == [])
            try await world.user("long", ["first_name": .string(String(repeating: "長", count: 20))])
            try await world.audience.catchUp()
            let outlook = try await world.outlook(body)
            #expect(outlook.findings == [.tooLarge(bytes: 66, limit: 40, user: "long")])
            #expect(outlook.isBlocked)
            // Who is not in the audience does not count.
            let others = try await world.outlook(body, world.filter(#"plan = "gold""#))
            #expect(others.findings == [])
            let plain = try await world.outlook(String(repeating: "x", count: 41))
            #expect(plain.findings == [.tooLarge(bytes: 41, limit: 40, user: "")])
        }
    }

    private static let call = "{% connected_content https://tea.example/x :save it %}"

    @Test("what a service answers is measured, for few users; nothing that changes it is asked")
    func external() async throws {
        let fetcher = AddressFetcher()
        try await withWorld(fetcher) { world in
            for number in 0..<12 { try await world.user("user-\(number)", [:]) }
            try await world.audience.catchUp()
            let print = "{{it.from}}"
            #expect(try await world.outlook(Self.call + print).findings == [])
            #expect(fetcher.urls == Array(repeating: "https://tea.example/x", count: 5))
            let twice = try await world.outlook(Self.call + print + print)
            #expect(twice.findings.count == 1)
            guard case .tooLarge(42, 40, _)? = twice.findings.first else {
                Issue.record("\(twice.findings)")
                return
            }
            #expect(fetcher.urls.count == 10)
            let many = String(repeating: Self.call, count: 11) + print
            _ = try await world.outlook(many)
            #expect(fetcher.urls.count == 20)
            let post = "{% connected_content https://tea.example/x :method post :save it %}"
            // Not rendered, its own length is the estimate.
            let estimate = try await world.outlook(post + print)
            #expect(estimate.isBlocked)
            #expect(fetcher.urls.count == 20)
        }
    }

    @Test("texts of content blocks are measured, and their names are looked at")
    func blocks() async throws {
        try await withWorld { world in
            for (name, content) in [
                ("outer", "{{content_blocks.${inner}}}"),
                ("inner", "{{${first_name}}} {{custom_attribute.${plam} | default: ''}}"),
                ("long", String(repeating: "x", count: 41)),
            ] {
                try await world.store.createContentBlock(
                    ContentBlock(
                        id: UUID(),
                        workspace: world.workspace,
                        name: name,
                        content: content,
                        createdAt: Self.night,
                        updatedAt: Self.night
                    ),
                    noting: nil
                )
            }
            #expect(
                try await world.outlook("{{content_blocks.${outer}}}").findings == [
                    .missing(attribute: "first_name", users: 2, of: 4),
                    .unknownAttribute(name: "plam", nearest: "plan"),
                ]
            )
            let long = try await world.outlook("{{content_blocks.${long}}}")
            guard case .tooLarge(41, 40, _)? = long.findings.first else {
                Issue.record("\(long.findings)")
                return
            }
        }
    }

    @Test("says how many have no value for what is printed without a default")
    func missing() async throws {
        try await withWorld { world in
            func findings(_ body: String) async throws -> [SendFinding] {
                try await world.outlook(body).findings
            }
            #expect(
                try await findings("Hi {{${first_name}}}")
                    == [.missing(attribute: "first_name", users: 2, of: 4)]
            )
            #expect(
                try await findings("Your {{custom_attribute.${plan} | upcase}} plan")
                    == [.missing(attribute: "plan", users: 2, of: 4)]
            )
            // A default, or a condition, leaves no hole.
            for body in [
                "Hi {{${first_name} | default: 'you'}}",
                "Hi{% if ${first_name} %} {{${first_name}}}{% endif %}",
                "{{custom_attribute.${plan} | default: 'free'}}", "{{${language}}}",
            ] {
                #expect(try await findings(body) == [], "\(body)")
            }
            let users = [
                try #require(try await world.store.profile(.external("ben"), in: world.workspace))
                    .id
            ]
            #expect(
                try await world.outlook("Hi {{${first_name}}}", .profiles(users)).findings
                    == [.missing(attribute: "first_name", users: 1, of: 1)]
            )
        }
    }

    @Test("knows names that nobody has, and what may have been meant")
    func names() async throws {
        try await withWorld { (world: World) async throws -> Void in
            func findings(_ body: String) async throws -> [SendFinding] {
                try await world.outlook(body).findings
            }
            #expect(
                try await findings("{{custom_attribute.${plann}}}")
                    == [.unknownAttribute(name: "plann", nearest: "plan")]
            )
            #expect(
                try await findings("{{${nosuch_attr}}}")
                    == [.unknownAttribute(name: "nosuch_attr", nearest: nil)]
            )
            #expect(
                try await findings("{{${plan}}}") == [
                    .unknownAttribute(name: "plan", nearest: "custom_attribute.${plan}")
                ]
            )
            #expect(
                try await findings("{{${first_nam}}}")
                    == [.unknownAttribute(name: "first_nam", nearest: "first_name")]
            )
            #expect(
                try await findings("{{${language} | upcased}}")
                    == [.unknownFunction(name: "upcased", nearest: "upcase")]
            )
            func unknown(_ text: String) async throws -> [SendFinding] {
                try await world.outlook("Hi", world.filter(text)).findings
                    .filter { $0 != .nobody }
            }
            #expect(
                try await unknown(#"planx = "gold" or not city = "Kyoto""#) == [
                    .unknownFilterAttribute(name: "planx", nearest: "plan"),
                    .unknownFilterAttribute(name: "city", nearest: "home_city"),
                ]
            )
            #expect(
                try await unknown("event nosuch done")
                    == [.unknownFilterEvent(name: "nosuch", nearest: nil)]
            )
            #expect(try await unknown(#"plan = "gold" and language = "en""#) == [])
        }
    }

    @Test(
        "the largest payload of each platform that the audience has, and for whom it is that large"
    )
    func payloads() async throws {
        try await withWorld { world in
            let pixel = try await world.conformance.store.createApp(
                AppDraft(
                    name: "Droid",
                    platform: "android",
                    bundleID: "droid",
                    sdkKey: "droid-key"
                ),
                in: world.workspace,
                noting: nil,
                now: Self.night
            )
            _ = try await world.store.ingest(
                [
                    IngestRequest(
                        workspace: world.workspace,
                        source: .device(SDKDevice(id: UUID(), platform: "android"), app: pixel.id),
                        items: [
                            IngestItem(
                                recordID: nil,
                                user: .external("mio"),
                                time: Self.night,
                                content: .pushRegistered(
                                    PushRegistration(
                                        provider: .fcm,
                                        token: "fcm-mio",
                                        environment: .production,
                                        authorization: .authorized,
                                        registeredAt: Self.night
                                    )
                                )
                            )
                        ]
                    )
                ],
                now: Self.night
            )
            try await world.audience.rebuild()
            var message = CampaignMessage(
                PlatformMessage(PushMessage(body: "Hi {{${first_name}}}"))
            )
            message.android = PlatformMessage(PushMessage(body: "Hello"))
            var content = CampaignContent(
                name: "Hi",
                delivery: .immediately,
                variants: [CampaignVariant(apiID: UUID(), name: "A", message: message)]
            )
            content.audience = .everyone
            func payloads() async throws -> [SendOutlook.Payload] {
                try await world.review.outlook(
                    of: SendReview.Request(content, runs: []),
                    in: world.workspace
                ).payloads
            }
            // Bytes of UTF-8: "Hi Ada" and "Hi 雪"; nobody here has a browser.
            #expect(
                try await payloads() == [
                    .init(platform: .ios, bytes: 6, limit: 40, user: "ada"),
                    .init(platform: .android, bytes: 5, limit: 40, user: ""),
                ]
            )
            message.ios = PlatformMessage(PushMessage(body: "Hey"))
            message.web = message.ios
            content.variants.append(CampaignVariant(apiID: UUID(), name: "B", message: message))
            content.variants.removeFirst()
            // Nobody is shown the common text any more.
            #expect(try await payloads().map(\.bytes) == [3, 5])
        }
    }

    @Test("a journey is reviewed for those who can enter it, with all its messages")
    func journey() async throws {
        try await withWorld { world in
            guard case .matching(let free) = try await world.filter(#"plan = "free""#),
                case .matching(let japanese) = try await world.filter(#"language = "ja""#)
            else { return }
            func step(_ kind: JourneyStepKind) -> JourneyStep {
                JourneyStep(id: JourneyStepID(UUID()), name: "", kind: kind)
            }
            let push = CampaignMessage(
                PlatformMessage(PushMessage(body: "{{${first_name}}}, {{${home_city}}}"))
            )
            var journey = JourneyDefinition(
                name: "Welcome",
                entry: .entering(japanese),
                steps: [
                    step(
                        .push(
                            JourneyPush(variants: [.init(apiID: UUID(), name: "A", message: push)])
                        )
                    ),
                    step(.webhook(JourneyWebhook(url: "https://x.example/{{${last_name}}}"))),
                ]
            )
            func outlook() async throws -> SendOutlook {
                try await world.review.outlook(of: .init(journey), in: world.workspace)
            }
            let all = try await outlook()
            #expect(all.users == 2 && all.payloads.map(\.platform) == [.ios])
            #expect(
                all.findings == [
                    .missing(attribute: "first_name", users: 1, of: 2),
                    .missing(attribute: "home_city", users: 2, of: 2),
                    .missing(attribute: "last_name", users: 2, of: 2),
                ]
            )
            journey.audience = free
            #expect(try await outlook().users == 1)
            journey.entry = .api
            #expect(try await outlook().users == 1)
            journey.steps.removeFirst()
            #expect(try await outlook().payloads == [])
        }
    }

    @Test("an in-app message needs no push: everybody in the audience is counted")
    func inApp() async throws {
        try await withWorld { world in
            try await world.attributes("eve", ["language": "ja", "plan": "free"])
            try await world.audience.rebuild()
            func outlook(_ audience: Audience, _ text: String = "") async throws -> SendOutlook {
                try await world.outlook("", audience) { request in
                    request.messages = []
                    request.texts = [text]
                    request.isPush = false
                    request.checksQuietHours = false
                }
            }
            let all = try await outlook(.everyone)
            #expect(all.users == 5 && all.devices == 0 && all.platforms == [])
            #expect(all.findings == [])
            #expect(
                all.languages == [
                    .init(name: "ja", count: 3), .init(name: "en", count: 1),
                    .init(name: "", count: 1),
                ]
            )
            let free = try await outlook(
                world.filter(#"plan = "free""#),
                "Hi {{${first_name}}}, {{custom_attribute.${planx}}}"
            )
            #expect(free.users == 2)
            #expect(
                free.findings == [
                    .missing(attribute: "first_name", users: 1, of: 2),
                    .unknownAttribute(name: "planx", nearest: "plan"),
                ]
            )
            #expect(try await outlook(world.filter(#"plan = "none""#)).findings == [.nobody])
        }
    }

    @Test("names ten unknown names of a kind, and no more")
    func manyNames() async throws {
        try await withWorld { world in
            let text = (1...40).map { "{{custom_attribute.${nosuch\($0)}}}" }.joined()
            #expect(try await world.outlook(text).findings.count == 10)
            let filter = (1...40).map { "nosuch\($0) = 1" }.joined(separator: " or ")
            let found = try await world.outlook("Hi", world.filter(filter)).findings
            #expect(found.count == 11)
        }
    }

    @Test("knows news that apps cannot show when it arrives")
    func news() async throws {
        try await withWorld { world in
            var content = NewsContent(title: "Autumn")
            content.releaseFrom = Self.night.addingTimeInterval(60)
            content.isDraft = false
            let item = try await world.store.createNews(
                content,
                author: "Ada",
                in: world.workspace,
                now: Self.night
            )
            func findings(_ id: String, at start: Date? = nil) async throws -> [SendFinding] {
                try await world.outlook("Hi") { request in
                    request.messages[0].news = NewsReference(id: id)
                    request.startsAt = start
                }.findings
            }
            let id = String(item.id.rawValue)
            #expect(try await findings(id) == [.draftNews(title: "Autumn")])
            #expect(try await findings(id, at: Self.night.addingTimeInterval(60)) == [])
            #expect(try await findings("999") == [.unknownNews(id: "999")])
        }
    }

    @Test("knows that it begins in the quiet hours of the workspace")
    func quietHours() async throws {
        try await withWorld { world in
            let start = try #require(TimeOfDay("22:00"))
            let end = try #require(TimeOfDay("07:30"))
            try await world.store.saveLimits(
                MessagingLimits(quietHours: QuietHours(start: start, end: end)),
                of: world.workspace
            )
            func findings(
                _ hours: Double,
                _ handling: QuietHoursHandling = .delay
            ) async throws -> [SendFinding] {
                try await world.outlook("Hi") { request in
                    request.startsAt = Self.night.addingTimeInterval(hours * 3600)
                    request.quietHours = handling
                }.findings
            }
            func quiet(_ handling: QuietHoursHandling) -> [SendFinding] {
                [.quietHours(start: start, end: end, handling: handling)]
            }
            #expect(try await findings(0) == quiet(.delay))
            #expect(try await findings(-1, .skip) == quiet(.skip))
            #expect(try await findings(8.4, .sendAnyway) == quiet(.sendAnyway))
            #expect(try await findings(8.5) == [])
            #expect(try await findings(-1.1) == [])
        }
    }

    @Test("draws a message for one user, and says what is wrong with it")
    func preview() async throws {
        try await withWorld { world in
            func preview(_ body: String, for user: String) async throws -> MessagePreview {
                try await world.review.preview(
                    of: SendContent(message: PushMessage(body: body), audience: .everyone),
                    for: user,
                    in: world.workspace
                )
            }
            let text = "Hi {{${first_name} | default: 'you'}}"
            let ada = try await preview(text, for: "ada")
            #expect(ada.message.body == "Hi Ada" && ada.bytes == 6)
            #expect(ada.problems.isEmpty && !ada.isTooLarge)
            #expect(try await preview(text, for: "").message.body == "Hi you")
            #expect(try await preview(String(repeating: "é", count: 21), for: "").isTooLarge)
            let broken = try await preview("Hi {{ 'a'", for: "ada")
            #expect(broken.problems.map(\.field) == ["body"])
            let aborted = try await preview("{% abort_message('No name') %}", for: "ada")
            #expect(aborted.problems.map(\.field) == ["body"])
        }
    }

    @Test("counts whom a push would reach while it is written")
    func reach() async throws {
        try await withWorld { world in
            let mio = try await world.store.profile(.external("mio"), in: world.workspace)
            try await world.attributes("nobody", ["plan": "gold"])
            let audiences: [(Audience, Int)] = [
                (.everyone, 4), (.profiles([try #require(mio).id]), 1),
                (try await world.filter("plan = \"gold\""), 1),
            ]
            for (audience, count) in audiences {
                let reach = try await world.review.reach(
                    of: SendContent(message: PushMessage(body: "Tea"), audience: audience),
                    in: world.workspace
                )
                #expect(reach.users == count && reach.devices == count, "\(audience)")
            }
        }
    }

    @Test("counts nobody of the control group where it gets nothing, as the review does")
    func reachWithoutControlGroup() async throws {
        try await withWorld { world in
            let mio = try #require(
                try await world.store.profile(.external("mio"), in: world.workspace)
            )
            let groups = (0...UInt8.max).lazy.map { number in
                ControlGroup(
                    share: 50,
                    seed: UUID(uuid: (number, 0, 0, 0, 0, 0, 0x40, 0, 0x80, 0, 0, 0, 0, 0, 0, 0)),
                    since: .distantPast
                )
            }
            let group = try #require(groups.first { $0.contains(mio.id) })
            try await world.store.saveLimits(
                MessagingLimits(controlGroup: group),
                of: world.workspace
            )
            for audience in [
                .everyone, try await world.filter("plan = \"gold\""), .profiles([mio.id]),
            ] as [Audience] {
                for withholds in [true, false] {
                    var content = SendContent(
                        message: PushMessage(body: "Tea"),
                        audience: audience
                    )
                    content.withholdsFromControlGroup = withholds
                    let reach = try await world.review.reach(of: content, in: world.workspace)
                    let outlook = try await world.review.outlook(
                        of: SendReview.Request(content, startsAt: nil),
                        in: world.workspace
                    )
                    #expect(reach.users == outlook.users, "\(audience) \(withholds)")
                    #expect(reach.devices == outlook.devices)
                }
            }
        }
    }
}
