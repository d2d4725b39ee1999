import Foundation
import Model
import NoroshiWire
import Ports
import Segments
import Testing

/// Writes a workspace full of random content by the verbs of the store, with references between all
/// that can refer to another.
struct RandomContent {
    var random: SeededRandom
    let store: any Store
    let workspace: WorkspaceID
    let now: Date

    init(seed: UInt64, _ store: any Store, _ workspace: WorkspaceID, now: Date) {
        random = SeededRandom(state: seed)
        self.store = store
        self.workspace = workspace
        self.now = now
    }

    mutating func write() async throws {
        try await writeSettings()
        let groups = try await writeGroups()
        let blocks = try await writeBlocks()
        let catalogs = try await writeCatalogs()
        let news = try await writeNews()
        // Rows that are gone, so that numbers here are not those that the next server gives.
        let list = try await store.saveUserList(
            named: "Guests \(text())",
            profiles: [],
            author: "Ada",
            in: workspace,
            noting: nil,
            now: now
        )
        var segments: [StoredSegment] = []
        var campaigns: [Campaign] = []
        for number in 0..<number(2...5) {
            segments.append(
                try await writeSegment(number, groups, segments, campaigns)
            )
            campaigns.append(
                try await writeCampaign(segments, blocks, catalogs, news)
            )
        }
        _ = list
        if chance(2), let segment = segments.first(where: { _ in chance(2) }) {
            _ = try await store.archiveSegment(segment.id, noting: nil, now: now)
        }
        for number in 0..<number(1...4) {
            try await writeInAppMessage(number, segments, blocks)
        }
        try await writeCenter(groups)
        try await writeJourneys(segments, blocks, catalogs, news)
        try await writeReports(segments)
    }

    // MARK: Chance

    mutating func number(_ range: ClosedRange<Int>) -> Int {
        Int.random(in: range, using: &random)
    }

    mutating func chance(_ count: Int) -> Bool { number(1...count) == 1 }

    mutating func one<Element>(of elements: [Element]) -> Element {
        elements[number(0...elements.count - 1)]
    }

    mutating func text() -> String {
        let parts = [
            "tea", "お茶", "chá", "\"quoted\"", "a\\b", "line\nbreak", "🍵", "{ }", "=1+1",
            "tab\there",
            "\u{2028}", "né", "", "e\u{301}",
        ]
        return (0..<number(1...4)).map { _ in one(of: parts) }.joined(separator: " ")
    }

    mutating func name() -> String { "n" + String(random.next(), radix: 36) }

    private mutating func json(_ depth: Int = 2) -> JSONValue {
        switch number(0...(depth > 0 ? 7 : 5)) {
        case 0: .null
        case 1: .bool(chance(2))
        case 2: .integer(Int64(bitPattern: random.next()))
        case 3: .number(Double(number(-1000...1000)) / 8)
        case 4: .number(1e300)
        case 5: .string(text())
        case 6: .array([json(depth - 1), json(depth - 1)])
        default: .object([text(): json(depth - 1), "_0": json(depth - 1), "caseName": 1])
        }
    }

    private func time(_ text: String) throws -> TimeOfDay { try #require(TimeOfDay(text)) }

    private mutating func date() -> Date {
        Date(timeIntervalSince1970: Double(number(1_800_000_000...1_900_000_000)) + 0.125)
    }

    // MARK: Kinds

    private mutating func writeSettings() async throws {
        let settings = WorkspaceSettings(
            name: "Tea",
            timeZone: one(of: ["Asia/Kathmandu", "Pacific/Kiritimati", "America/Sao_Paulo"]),
            currency: one(of: ["JPY", "BRL"]),
            languages: ["ja", "pt"],
            color: one(of: WorkspaceColor.allCases)
        )
        let audit = AuditRecord(
            at: now,
            origin: .commandLine,
            author: "Ada",
            action: "test",
            subject: ""
        )
        _ = try await store.changeWorkspace(workspace) { _ in (settings, audit) }
        var limits = MessagingLimits()
        for _ in 0..<number(0...3) {
            limits.caps.append(FrequencyCap(messages: number(1...9), days: number(1...30)))
        }
        if chance(2) {
            limits.quietHours = QuietHours(start: try time("22:30"), end: try time("07:00"))
        }
        try await store.saveLimits(limits, of: workspace)
    }

    private mutating func writeGroups() async throws -> [SubscriptionGroup] {
        var groups: [SubscriptionGroup] = []
        for _ in 0..<number(1...3) {
            let group = SubscriptionGroup(
                id: UUID(),
                workspace: workspace,
                name: name() + text(),
                channel: one(of: SubscriptionGroup.Channel.allCases)
            )
            try await store.createSubscriptionGroup(group, noting: nil, now: now)
            groups.append(group)
        }
        return groups
    }

    private mutating func writeBlocks() async throws -> [ContentBlock] {
        var blocks: [ContentBlock] = []
        for _ in 0..<number(1...3) {
            let inner = blocks.last?.liquidTag ?? ""
            let block = ContentBlock(
                id: UUID(),
                workspace: workspace,
                name: name(),
                description: text(),
                content: "Hello {{ ${first_name} | default: 'you' }} \(text()) \(inner)",
                tags: [text(), "b"],
                createdAt: now,
                updatedAt: now
            )
            try await store.createContentBlock(block, noting: nil)
            blocks.append(block)
        }
        return blocks
    }

    private mutating func writeCatalogs() async throws -> [Catalog] {
        var catalogs: [Catalog] = []
        for _ in 0..<number(1...2) {
            let catalog = Catalog(
                workspace: workspace,
                name: name(),
                description: text(),
                fields: [
                    .init(name: "id", type: .string), .init(name: "title", type: .string),
                    .init(name: "price", type: .number), .init(name: "extra", type: .object),
                    .init(name: "until", type: .time),
                ],
                updatedAt: now
            )
            try await store.createCatalog(catalog, noting: nil, now: now)
            let selection = CatalogSelection(
                name: name(),
                description: text(),
                externalID: chance(2) ? text() : nil,
                filters: [.init(field: "price", comparison: .isMore, value: 1.5)],
                order: chance(2) ? .init(field: "until", isDescending: chance(2)) : nil,
                limit: number(1...50)
            )
            _ = try await store.addCatalogSelection(
                selection,
                to: catalog.name,
                of: workspace,
                limit: 30,
                noting: nil,
                now: now
            )
            var items: [CatalogItem] = []
            for place in 0..<number(0...700) {
                items.append(
                    CatalogItem(
                        id: "item-\(place)",
                        values: [
                            "title": .string(text()), "price": .number(0.1),
                            "extra": .object(["a": json()]),
                            "until": chance(2) ? .null : "2027-01-01T00:00:00Z",
                        ]
                    )
                )
            }
            _ = try await store.saveCatalogItems(
                items,
                as: .replace,
                in: catalog.name,
                of: workspace,
                noting: nil,
                now: now
            )
            catalogs.append(catalog)
        }
        return catalogs
    }

    private mutating func writeNews() async throws -> [NewsItem] {
        var items: [NewsItem] = []
        for place in 0..<number(2...5) {
            var content = NewsContent(title: "News " + text(), text: text())
            content.tenant = chance(2) ? "tenant" : ""
            content.tags = [text()]
            content.url = chance(2) ? "https://example.com/?a=b" : ""
            content.attributes = ["k": json()]
            content.isDraft = chance(2)
            if chance(2) { content.releaseFrom = date() }
            let item = try await store.createNews(content, author: text(), in: workspace, now: now)
            if place == 0 {
                _ = try await store.deleteNews(item.id, in: workspace, noting: nil)
            } else {
                items.append(item)
            }
        }
        return items
    }

    private mutating func writeSegment(
        _ place: Int,
        _ groups: [SubscriptionGroup],
        _ segments: [StoredSegment],
        _ campaigns: [Campaign]
    ) async throws -> StoredSegment {
        var rules = [
            "{\"attribute\": \"country\", \"test\": \"equal\", \"value\": \"BR\"}",
            "{\"attribute\": \"subscription_groups\", \"test\": \"contains\", "
                + "\"value\": \"\(one(of: groups).id.uuidString.lowercased())\"}",
            "{\"custom\": \"score\", \"test\": \"equal\", \"value\": 9007199254740993}",
        ]
        let lists = try await store.userLists(in: workspace)
        if let list = lists.first { rules.append("{\"list\": \"\(list.id)\"}") }
        if let segment = segments.last {
            rules.append("{\"not\": {\"segment\": \"\(segment.id)\"}}")
        }
        if let campaign = campaigns.last {
            rules.append(
                "{\"campaign\": [\"\(campaign.id)\"], \"action\": \"opened\", "
                    + "\"measure\": \"count\", \"is\": \">=\", \"value\": 1}"
            )
        }
        rules.shuffle(using: &random)
        let text = "{\"or\": [\(rules.prefix(number(1...rules.count)).joined(separator: ","))]}"
        let rule = try SegmentJSON.decode(Data(text.utf8))
        return try await store.createSegment(
            SegmentContent(
                name: "Segment \(place) " + name(),
                description: self.text(),
                definition: String(decoding: try SegmentJSON.encode(rule), as: UTF8.self),
                author: "Ada"
            ),
            in: workspace,
            now: now
        )
    }

    private mutating func message(
        _ blocks: [ContentBlock],
        _ catalogs: [Catalog],
        _ news: [NewsItem]
    ) -> PlatformMessage {
        var message = PushMessage(title: text(), body: "Hi " + text())
        if chance(2) { message.body += one(of: blocks).liquidTag }
        if chance(2) { message.body += "{% catalog_items \(one(of: catalogs).name) item-1 %}" }
        if chance(2) { message.uri = "app://tea/\(number(0...9))" }
        if chance(2) { message.keyValuePairs = ["setTo": text(), "_0": "x", "kind": "y"] }
        if chance(2) { message.badge = .set(number(0...9)) }
        if chance(2) { message.interruptionLevel = .timeSensitive }
        if chance(2) { message.relevanceScore = 0.5 }
        if chance(2) {
            message.attachment = PushAttachment(url: "https://x.test/a.png", type: "png")
        }
        if chance(2) { message.buttons = [PushButton(actionID: "yes", title: text(), uri: nil)] }
        if chance(2) { message.customVariables = "{\"a\": 1}" }
        if chance(2), !news.isEmpty {
            message.news = NewsReference(id: one(of: news).id.description, tenantID: "t")
        }
        var options = DeliveryOptions(priority: one(of: PushPriority.allCases))
        if chance(2) { options.expiration = date() }
        if chance(2) { options.collapseID = "tea" }
        return PlatformMessage(message, options: options)
    }

    private mutating func event() -> EventMatch {
        let comparison = one(of: PropertyCondition.Comparison.allCases)
        let kinds: [EventMatch.Kind] = [
            .custom(name: "drank " + text()), .purchase(product: nil), .purchase(product: "tea"),
            .sessionStart,
        ]
        return EventMatch(
            one(of: kinds),
            conditions: chance(2) ? [PropertyCondition("cups", comparison, json())] : []
        )
    }

    private mutating func delivery() throws -> CampaignDelivery {
        let start = CalendarDay.first.adding(days: 741_000 + number(1...28))
        let patterns: [Recurrence.Pattern] = [
            .daily(every: number(1...9)), .weekly(every: 1, weekdays: [5, 1, 3, 7]),
            .monthly(every: 2, days: [31, 1, -1, 15]),
        ]
        let ends: [Recurrence.End] = [
            .never, .afterCount(number(1...99)), .onDay(start.adding(days: 300)),
        ]
        let choices: [CampaignDelivery] = [
            .immediately, .apiTriggered,
            .actionBased(
                EventTrigger(
                    event: event(),
                    delay: 600.5,
                    exception: chance(2) ? event() : nil,
                    start: date(),
                    end: nil
                )
            ),
            .scheduled(
                CampaignSchedule(
                    start: start,
                    time: try time("09:30"),
                    clock: chance(2) ? .eachUser : .zone("Asia/Kathmandu"),
                    recurrence: chance(2)
                        ? Recurrence(one(of: patterns), end: one(of: ends)) : nil
                )
            ),
        ]
        return one(of: choices)
    }

    private mutating func writeCampaign(
        _ segments: [StoredSegment],
        _ blocks: [ContentBlock],
        _ catalogs: [Catalog],
        _ news: [NewsItem]
    ) async throws -> Campaign {
        var variants: [CampaignVariant] = []
        for place in 0..<number(1...3) {
            variants.append(
                CampaignVariant(
                    apiID: UUID(),
                    name: "Variant \(place) " + text(),
                    weight: place + 1,
                    message: CampaignMessage(
                        message(blocks, catalogs, news),
                        ios: chance(2) ? message(blocks, catalogs, news) : nil,
                        web: chance(3) ? message(blocks, catalogs, news) : nil
                    )
                )
            )
        }
        var content = CampaignContent(
            name: "Campaign " + text(),
            delivery: try delivery(),
            variants: variants
        )
        content.note = text()
        content.tags = ["spring", "t" + text()]
        if chance(2) {
            content.audience = .matching(
                SegmentQuery(
                    segments: [one(of: segments).id],
                    filter: chance(2) ? segments.first?.content.definition : nil
                )
            )
        }
        content.controlShare = number(0...50)
        if chance(2) { content.reeligibility = .after(Double(number(0...9)) * 86_400) }
        content.isExemptFromCaps = chance(2)
        content.quietHours = one(of: QuietHoursHandling.allCases)
        if chance(2) { content.conversions = [ConversionEvent(event: event(), window: 7_200)] }
        if chance(2) { content.messagesPerMinute = 500 }
        let campaign = try await store.createCampaign(
            content,
            apiID: UUID(),
            in: workspace,
            now: now
        )
        if chance(3) {
            _ = try await store.transitionCampaign(
                campaign.id,
                from: [.draft],
                to: one(of: [.archived, .active]),
                nextDueAt: nil,
                now: now
            )
        }
        return campaign
    }

    private mutating func writeInAppMessage(
        _ place: Int,
        _ segments: [StoredSegment],
        _ blocks: [ContentBlock]
    ) async throws {
        let id = UUID()
        let rules = InAppMessageRules(
            triggers: [
                .sessionStart, .event(name: "drank", filters: [.init("cups", .greater, 3)]),
            ],
            priority: number(-9...9),
            impressionLimit: chance(2) ? nil : number(1...9),
            startsAtMilliseconds: chance(2) ? 1_900_000_000_123 : nil
        )
        func content(_ text: String) -> InAppMessage {
            var message = InAppMessage(
                id: id.uuidString.lowercased(),
                kind: .modal,
                message: text,
                rules: rules
            )
            message.extras = ["a_b": "c"]
            message.clickAction = .attribute(key: "liked", value: .integer(1))
            message.themes = ["dark": ["text": "#FF000000"]]
            return message
        }
        var experiment = InAppExperiment()
        if chance(2) {
            experiment = InAppExperiment(
                controlShare: number(0...20),
                weights: [1, 3],
                others: [content("Other " + text())]
            )
        }
        try await store.createInAppMessage(
            InAppMessageDefinition(
                id: id,
                workspace: workspace,
                name: "Message \(place)",
                state: one(of: InAppMessageDefinition.State.allCases),
                audience: SegmentQuery(segments: chance(2) ? [one(of: segments).id] : []),
                message: content("Tea? " + text() + one(of: blocks).liquidTag),
                experiment: experiment,
                createdAt: now,
                updatedAt: now
            )
        )
    }

    private mutating func writeJourneys(
        _ segments: [StoredSegment],
        _ blocks: [ContentBlock],
        _ catalogs: [Catalog],
        _ news: [NewsItem]
    ) async throws {
        let lists = try await store.userLists(in: workspace)
        let shown = try await store.inAppMessages(
            in: workspace,
            states: Set(InAppMessageDefinition.State.allCases),
            limit: 100,
            offset: 0
        )
        var journeys: [UUID] = []
        for _ in 0..<number(1...3) {
            var steps = (0..<number(0...12)).map { place in
                JourneyStep(
                    id: JourneyStepID(UUID()),
                    // Several steps may have the same name, and one may be called as a target is.
                    name: one(of: ["", "Step \(place)", "twice", "end", text()]),
                    kind: .jump
                )
            }
            let ids = steps.map(\.id)
            for place in steps.indices {
                steps[place].kind = stepKind(
                    ids,
                    segments,
                    lists,
                    shown,
                    journeys,
                    message(blocks, catalogs, news)
                )
                steps[place].next = target(ids)
                switch steps[place].kind {
                case .exit, .split: steps[place].next = nil
                default: break
                }
            }
            var definition = JourneyDefinition(
                name: one(of: ["Journey", "Journey " + text(), name()]),
                entry: try entry(segments),
                steps: steps
            )
            definition.note = text()
            definition.tags = chance(2) ? ["spring"] : []
            definition.audience = chance(2) ? query(segments) : nil
            definition.reentry = chance(2) ? .never : .after(Double(number(0...9)) * 3_600.5)
            for _ in 0..<number(0...2) {
                definition.exits.append(chance(2) ? .event(event()) : .segment(query(segments)))
            }
            definition.goal = chance(2) ? ConversionEvent(event: event(), window: 3_600) : nil
            definition.endsAtGoal = chance(2)
            definition.isExemptFromCaps = chance(2)
            definition.quietHours = one(of: QuietHoursHandling.allCases)
            let journey = try await store.createJourney(
                definition,
                apiID: UUID(),
                in: workspace,
                from: .direct,
                noting: { _ in nil },
                now: now
            )
            journeys.append(journey.apiID)
            if chance(4) {
                _ = try await store.transitionJourney(
                    journey.id,
                    from: [.draft],
                    to: .archived,
                    version: nil,
                    noting: nil,
                    now: now
                )
            }
        }
    }

    private mutating func target(_ steps: [JourneyStepID]) -> JourneyStepID? {
        chance(3) || steps.isEmpty ? nil : one(of: steps)
    }

    private mutating func query(_ segments: [StoredSegment]) -> SegmentQuery {
        SegmentQuery(
            segments: chance(2) ? [one(of: segments).id] : [],
            filter: chance(2) ? one(of: segments).content.definition : nil
        )
    }

    private mutating func entry(_ segments: [StoredSegment]) throws -> JourneyEntryRule {
        let rules: [JourneyEntryRule] = [
            .event(event()), .members(query(segments), at: chance(2) ? date() : nil),
            .entering(query(segments)), .api, .journey,
        ]
        return one(of: rules)
    }

    private mutating func stepKind(
        _ steps: [JourneyStepID],
        _ segments: [StoredSegment],
        _ lists: [UploadedList],
        _ shown: [InAppMessageDefinition],
        _ journeys: [UUID],
        _ message: PlatformMessage
    ) -> JourneyStepKind {
        let conditions = [
            PropertyCondition("cups", one(of: PropertyCondition.Comparison.allCases), json())
        ]
        switch number(0...12) {
        case 0:
            return .push(
                JourneyPush(
                    variants: (0..<number(1...2)).map {
                        CampaignVariant(
                            apiID: UUID(),
                            name: "V\($0) " + text(),
                            weight: $0 + 1,
                            message: CampaignMessage(message)
                        )
                    },
                    controlShare: number(0...30)
                )
            )
        case 1:
            return .inAppMessage(
                JourneyInAppMessage(
                    message: shown.isEmpty ? UUID() : one(of: shown).id,
                    duration: Double(number(60...600))
                )
            )
        case 2:
            return .update(
                JourneyUpdate(
                    attributes: ["a": json(), "nested_key": json(), "keyValuePairs": json()],
                    addToLists: lists.prefix(number(0...1)).map(\.id),
                    removeFromLists: lists.prefix(number(0...1)).map(\.id)
                )
            )
        case 3:
            return .webhook(
                JourneyWebhook(
                    method: one(of: JourneyWebhook.Method.allCases),
                    url: "https://example.org/{{${user_id}}}",
                    headers: chance(2) ? ["X-Tea": text()] : [:],
                    body: text()
                )
            )
        case 4: return .wait(.duration(Double(number(60...600)) + 0.5))
        case 5:
            guard let time = TimeOfDay(number(0...23), number(0...59)) else { return .jump }
            let weekdays = Set((0..<number(0...3)).map { _ in number(1...7) })
            return .wait(.clock(JourneyClockTime(time: time, weekdays: weekdays)))
        case 6: return .wait(.event(event(), limit: 3_600, late: target(steps)))
        case 7: return .wait(.match(query(segments), limit: 3_600, late: target(steps)))
        case 8: return .wait(.quietHours)
        case 9:
            return .branch(
                (0..<number(0...3)).map { _ in
                    JourneyPath(
                        name: text(),
                        condition: chance(2)
                            ? .segment(query(segments)) : .properties(conditions),
                        next: target(steps)
                    )
                }
            )
        case 10:
            return .split(
                (0..<number(0...3)).map { _ in
                    JourneyShare(
                        name: text(),
                        weight: number(0...9),
                        isControl: chance(2),
                        next: target(steps)
                    )
                }
            )
        case 11:
            return .enterJourney(journeys.isEmpty ? UUID() : one(of: journeys))
        default: return chance(2) ? .exit : .jump
        }
    }

    private mutating func writeCenter(_ groups: [SubscriptionGroup]) async throws {
        let group = one(of: groups).id.uuidString.lowercased()
        _ = try await store.createPreferenceCenter(
            PreferenceCenter(
                id: UUID(),
                workspace: workspace,
                name: name(),
                title: text(),
                page: "<form><input name=\"subscription_group:\(group)\"></form>",
                confirmation: text(),
                viewport: chance(2) ? "width=device-width" : nil,
                createdAt: now,
                updatedAt: now
            ),
            limit: 100
        )
    }
}

/// SplitMix64: the same content for the same seed.
struct SeededRandom: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
