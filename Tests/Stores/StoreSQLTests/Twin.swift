import Foundation
import Model
import NoroshiWire
import Ports
import StoreConformance
import StoreSQL
import Testing

/// A workspace with something in everything a store keeps.
struct Twin {
    private var store: SQLStore
    private var conformance: StoreConformance
    private let fixture: StoreConformance.Fixture
    private let ada: ProfileID
    private let bob: ProfileID
    private let phone: UUID
    private let segment: SegmentID
    private let list: UserListID
    private let news: NewsID
    private let message: UUID
    private let block: UUID
    private let center: UUID
    private let draft: UUID
    private let campaign: Campaign
    private let send: Send

    private var workspace: WorkspaceID { fixture.workspace }
    private var now: Date { conformance.now }
    private var later: Date { now.addingTimeInterval(3_600) }

    init(_ store: SQLStore) async throws {
        self.store = store
        conformance = StoreConformance(store)
        fixture = try await conformance.fixture()
        let (now, workspace) = (conformance.now, fixture.workspace)
        phone = try await conformance.register("ada", token: "a", in: fixture)
        _ = try await conformance.register("bob", token: "b", in: fixture)
        message = UUID()
        ada = try #require(try await store.profile(.external("ada"), in: workspace)).id
        bob = try #require(try await store.profile(.external("bob"), in: workspace)).id

        segment = try await store.createSegment(
            SegmentContent(name: "Tea", definition: #"{"and":[]}"#, author: "Ann"),
            in: workspace,
            now: now
        ).id
        list = try await store.saveUserList(
            named: "Guests",
            profiles: [ada],
            author: "Ann",
            in: workspace,
            noting: nil,
            now: now
        ).id
        news = try await store.createNews(
            NewsContent(title: "Open", text: "From Monday on"),
            author: "Ann",
            in: workspace,
            now: now
        ).id
        try await store.createInAppMessage(
            InAppMessageDefinition(
                id: message,
                workspace: workspace,
                name: "Tasting",
                state: .active,
                message: InAppMessage(
                    id: message.uuidString.lowercased(),
                    kind: .modal,
                    message: "How was it?",
                    rules: InAppMessageRules(triggers: [.sessionStart])
                ),
                createdAt: now,
                updatedAt: now
            )
        )
        block = UUID()
        try await store.createContentBlock(
            ContentBlock(
                id: block,
                workspace: workspace,
                name: "greeting",
                content: "Hi",
                createdAt: now,
                updatedAt: now
            ),
            noting: nil
        )
        center = UUID()
        let isMade = try await store.createPreferenceCenter(
            PreferenceCenter(
                id: center,
                workspace: workspace,
                name: "Preferences",
                title: "Yours",
                page: "page",
                confirmation: "done",
                createdAt: now,
                updatedAt: now
            ),
            // Only one, of each.
            limit: 1
        )
        #expect(isMade)
        draft = UUID()
        _ = try await store.saveDraft(
            FormDraft(
                id: draft,
                workspace: workspace,
                kind: .news,
                fields: "title=Tea",
                title: "Tea",
                author: "Ann",
                updatedAt: now
            ),
            seen: 0,
            limit: 1,
            finishedSince: .distantPast
        )
        campaign = try await store.createCampaign(
            CampaignContent(
                name: "Morning",
                variants: [
                    CampaignVariant(
                        apiID: UUID(),
                        name: "A",
                        message: CampaignMessage(PlatformMessage(PushMessage(body: "Tea?")))
                    )
                ]
            ),
            apiID: UUID(),
            in: workspace,
            now: now
        )
        send = try await conformance.deliveredSend(to: .everyone, in: fixture).send
        try await fillCatalog()
        try await fillSettings()
        try await ingest()
        let changes = try await store.apply(
            [
                .addAlias(name: "lovelace", label: "shop", externalID: "ada"),
                .renameExternalID(from: "bob", to: "robert"),
                .identify(.alias(name: "lovelace", label: "shop"), as: "ada"),
            ],
            in: workspace,
            now: now
        )
        #expect(changes.first == .done && changes[1] == .done)
        _ = try await store.markFinishedSends(now: now)
        try await store.refreshDailyCounts(in: workspace, days: LocalDays(.gmt))
    }

    private func fillCatalog() async throws {
        try await store.createCatalog(
            Catalog(
                workspace: workspace,
                name: "teas",
                fields: [.init(name: "id", type: .string), .init(name: "n", type: .number)],
                updatedAt: now
            ),
            noting: nil,
            now: now
        )
        let refused = try await store.saveCatalogItems(
            [CatalogItem(id: "a", values: ["n": 1]), CatalogItem(id: "b", values: ["n": 2])],
            as: .add,
            in: "teas",
            of: workspace,
            noting: nil,
            now: now
        )
        #expect(refused == [])
        let added = try await store.addCatalogSelection(
            CatalogSelection(
                name: "few",
                filters: [.init(field: "n", comparison: .isLess, value: 2)]
            ),
            to: "teas",
            of: workspace,
            limit: 1,
            noting: nil,
            now: now
        )
        #expect(added == .changed)
    }

    private func fillSettings() async throws {
        try await store.createSubscriptionGroup(
            SubscriptionGroup(id: UUID(), workspace: workspace, name: "Weekly", channel: .email),
            noting: nil,
            now: now
        )
        try await store.saveSecret(Data([1]), named: "shop", in: workspace, noting: nil, now: now)
        try await store.setBlocked(
            BlockedName(.event, "spam"),
            to: true,
            in: workspace,
            now: now
        )
        try await store.addAudit(
            AuditRecord(
                at: now,
                origin: .console,
                author: "Ann",
                action: "made",
                subject: "Tea",
                detail: "x"
            ),
            in: workspace
        )
        try await store.saveAPIKey(
            APIKey(workspace: workspace, name: "shop", permissions: ["*"], createdAt: now),
            secretHash: Data(UUID().uuidString.utf8),
            noting: nil
        )
        try await store.saveLimits(
            MessagingLimits(caps: [FrequencyCap(messages: 3, days: 1)]),
            of: workspace
        )
        let isTaken = try await store.saveTrackingID("autumn", of: campaign.id, now: now)
        #expect(isTaken)
        let job = try await store.startSyncJob(
            of: UUID(uuid: (1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1)),
            in: workspace,
            fileChangedAt: now,
            kept: 1,
            now: now
        )
        #expect(job != nil)
    }

    private func ingest() async throws {
        let contents: [IngestItem.Content] = [
            .attributes(
                AttributeChanges([
                    "first_name": "Ada", "email": "ada@example.com", "phone": "+4930123456",
                    "plan": "pro",
                ])
            ),
            .sessionStarted, .event(name: "poured", properties: ["size": 2]),
            .event(name: "news_read", properties: ["news_id": .string("\(news)")]),
            .purchase(product: "tea", currency: "EUR", price: 2.5, quantity: 2, properties: [:]),
            .inAppMessage(.init(kind: .impression, message: message.uuidString.lowercased())),
            .attributes(AttributeChanges(["email_subscribe": "unsubscribed"])),
        ]
        let outcomes = try await store.ingest(
            [
                IngestRequest(
                    workspace: workspace,
                    source: .device(SDKDevice(id: phone, platform: "ios"), app: fixture.app.id),
                    items: contents.map {
                        IngestItem(recordID: UUID(), user: .external("ada"), time: now, content: $0)
                    }
                )
            ],
            now: now
        )
        #expect(outcomes.joined().allSatisfy { $0 == .stored(except: []) }, "\(outcomes)")
    }

    /// The same workspace in another store, to which all of it was moved.
    func moved(to other: SQLStore) -> Twin {
        var twin = self
        twin.store = other
        twin.conformance = StoreConformance(other)
        return twin
    }

    // MARK: Asking

    /// What the store says of the workspace, by question.
    func answers() async throws -> [String: String] {
        var answers: [String: String] = [:]
        func note(_ question: String, _ answer: Any?) {
            answers[question] = answer.map { "\($0)" } ?? "nil"
        }
        let day = [now.addingTimeInterval(-86_400), later]
        for reference in [
            UserReference.external("ada"), .external("bob"), .email("ada@example.com"),
            .phone("+4930123456"), .alias(name: "lovelace", label: "shop"),
        ] {
            note("user \(reference)", try await store.profile(reference, in: workspace)?.id)
            note("users \(reference)", try await store.users(reference, in: workspace).map(\.id))
        }
        for text in ["ada", "ADA@example.com", "+4930123456", "lovelace", "bob", "a"] {
            note(
                "identified by \(text)",
                try await store.profiles(identifiedBy: text, in: workspace, limit: 9).map(\.id)
            )
        }
        for text in ["", "ad", "ada@", "+49", "rob"] {
            note(
                "matching \(text)",
                try await store.profiles(matching: text, in: workspace, limit: 9, offset: 0)
                    .map(\.id).sorted()
            )
        }
        note(
            "identified by phone",
            try await store.profiles(
                identifiedBy: phone.uuidString,
                in: workspace,
                limit: 9
            ).map(\.id)
        )
        note("owner", try await store.owner(ofInstallation: phone, in: workspace)?.user.id)
        note("users", try await store.userCounts(in: workspace))
        note("activity", try await store.activity(of: [ada, bob], in: workspace, since: day[0]))
        let activity = try await store.activity(of: [ada, bob], in: workspace, since: day[0])
        note("events", activity.values.flatMap(\.events).map(\.name).sorted())
        note("purchases", activity.values.flatMap(\.purchases).map(\.name).sorted())
        note("record", try await store.record(of: ada, since: day[0]))
        note("spending", try await store.spending(of: [ada, bob], in: workspace))
        note(
            "external ids",
            try await store.profiles(externalIDs: ["ada", "robert"], in: workspace).values.sorted()
        )
        note("export", try await store.exportUsers(in: workspace, after: 0, limit: 9).map(\.id))
        note("events", try await store.exportEvents(in: workspace, after: 0, limit: 9).map(\.id))
        note(
            "exported sends",
            try await store.exportSends(in: workspace, after: 0, limit: 9).map(\.id)
        )
        note(
            "unsubscribes",
            try await store.emailUnsubscribes(
                in: workspace,
                matching: UnsubscribeQuery(
                    from: day[0],
                    until: day[1],
                    email: nil,
                    isNewestFirst: true,
                    limit: 9,
                    offset: 0
                )
            )
        )
        try await noteFigures(day, note)
        try await noteContents(note)
        return answers
    }

    private func noteFigures(_ day: [Date], _ note: (String, Any?) -> Void) async throws {
        note("figures", try await store.figures(in: workspace, between: day))
        note("new users", try await store.newUsers(in: workspace, between: day))
        for series in [
            CountSeries.sessions, .events("poured"), .quantity(product: "tea"),
            .revenue(product: nil, currency: "EUR"),
        ] {
            note("\(series)", try await store.counts(of: series, in: workspace, between: day))
            note(
                "\(series) of days",
                try await store.dailyCounts(
                    of: series,
                    in: workspace,
                    between: LocalDays(.gmt).days(2, endingAt: now)
                )
            )
        }
        note("products", try await store.products(in: workspace, limit: 9, offset: 0))
        note("currencies", try await store.currencies(of: "tea", in: workspace))
        note("reach", try await store.reach(of: .everyone, in: workspace))
        note("event names", try await store.eventNames(in: workspace, limit: 9, offset: 0))
        note(
            "event counts",
            try await store.eventCounts(of: ["poured"], in: workspace, between: day)
        )
        note(
            "event summaries",
            try await store.eventSummaries(in: workspace, matching: "", limit: 9, offset: 0)
        )
        note("attributes", try await store.attributeSummaries(in: workspace, limit: 9))
        note("attribute names", try await store.customAttributeNames(in: workspace, limit: 9))
        note("news read", try await store.newsReads(of: [news]).values.sorted())
        note(
            "in-app counts",
            try await store.inAppMessageCounts(of: [message], in: workspace).values.map(\.self)
        )
        note(
            "in-app steps",
            try await store.inAppMessageSteps(of: message, in: workspace, between: day)
        )
        note(
            "in-app contacts",
            try await store.inAppMessageContacts(
                of: message,
                in: workspace,
                matching: InAppMessageEngagementQuery(limit: 9)
            ).count
        )
    }

    private func noteContents(_ note: (String, Any?) -> Void) async throws {
        note("apps", try await store.apps(in: workspace).map(\.id))
        note("keys", try await store.apiKeys(in: workspace).map(\.name))
        note("segments", try await store.segments(in: workspace).map(\.id))
        note("lists", try await store.userLists(in: workspace))
        note(
            "campaigns",
            try await store.campaigns(
                in: workspace,
                matching: CampaignQuery(states: [.draft], limit: 9)
            ).campaigns.map(\.id)
        )
        note("campaign", try await store.campaign(apiID: campaign.apiID, in: workspace)?.id)
        note("references", try await store.campaignReferences(in: workspace).count)
        note("limits", try await store.limits(of: workspace))
        note("sends", try await store.sends(in: workspace, limit: 9, offset: 0).map(\.id))
        note(
            "found sends",
            try await store.sends(in: workspace, matching: SendQuery()).sends.map(\.id)
        )
        note("all sends", try await store.sends(in: workspace, matching: SendQuery(limit: 1)).total)
        note("send", try await store.send(publicID: send.publicID, in: workspace)?.id)
        note("news", try await store.news(in: workspace, matching: NewsQuery(now: later)))
        note(
            "messages",
            try await store.inAppMessages(
                in: workspace,
                matching: InAppMessageQuery(states: [.active], limit: 9)
            ).messages.map(\.id)
        )
        note(
            "active messages",
            try await store.inAppMessages(
                in: workspace,
                states: [.active],
                limit: 9,
                offset: 0
            ).map(\.id)
        )
        note(
            "blocks",
            try await store.contentBlocks(
                in: workspace,
                matching: ContentBlockQuery(limit: 9)
            ).map(\.id)
        )
        note(
            "named blocks",
            try await store.contentBlocks(named: ["greeting"], in: workspace).map(\.id)
        )
        note("catalogs", try await store.catalogs(in: workspace))
        note("items", try await store.catalogItems(after: nil, limit: 9, in: "teas", of: workspace))
        note("some items", try await store.catalogItems(["b", "a"], in: "teas", of: workspace))
        note("centers", try await store.preferenceCenters(in: workspace).map(\.id))
        note("groups", try await store.subscriptionGroups(in: workspace).map(\.name))
        note("secrets", try await store.secretNames(in: workspace))
        note("secret", try await store.secret(named: "shop", in: workspace)?.count)
        note("drafts", try await store.drafts(.news, in: workspace).map(\.id))
        note("blocked", try await store.blockedNames(in: workspace).map(\.name))
        note("audit", try await store.audit(in: workspace, matching: AuditQuery(text: "Tea")))
        note("authors", try await store.auditAuthors(in: workspace))
        note(
            "jobs",
            try await store.syncJobs(
                of: UUID(uuid: (1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1)),
                in: workspace,
                limit: 9,
                offset: 0
            ).map(\.id)
        )
    }

    // MARK: Changing

    /// Asks for, and tries to change, what belongs to the other workspace.
    func changesNothing(of other: Twin) async throws {
        #expect(try await store.news(other.news, in: workspace) == nil)
        #expect(try await store.inAppMessage(other.message, in: workspace) == nil)
        #expect(try await store.contentBlock(other.block, in: workspace) == nil)
        #expect(try await store.preferenceCenter(other.center, in: workspace) == nil)
        #expect(try await store.draft(other.draft, in: workspace) == nil)
        #expect(try await store.campaign(apiID: other.campaign.apiID, in: workspace) == nil)
        #expect(try await store.send(publicID: other.send.publicID, in: workspace) == nil)
        #expect(try await store.owner(ofInstallation: other.phone, in: workspace) == nil)
        #expect(try await !store.deleteNews(other.news, in: workspace, noting: nil))
        #expect(try await !store.deleteContentBlock(other.block, in: workspace, noting: nil))
        #expect(try await !store.deleteDraft(other.draft, in: workspace))
        #expect(try await !store.deleteUserList(other.list, in: workspace, noting: nil))
        #expect(
            try await !store.renameUserList(other.list, to: "Others", in: workspace, noting: nil)
        )
        #expect(
            try await !store.updateNews(
                other.news,
                content: NewsContent(title: "Closed"),
                in: workspace,
                now: later
            )
        )
        #expect(
            try await store.deleteUsers([other.ada], in: workspace, noting: nil, now: later) == 0
        )
        let center = PreferenceCenter(
            id: other.center,
            workspace: workspace,
            name: "Preferences",
            title: "Theirs",
            page: "another page",
            confirmation: "gone",
            createdAt: later,
            updatedAt: later
        )
        #expect(try await !store.updatePreferenceCenter(center))
    }

    /// Takes away all that can be taken away by name or number.
    func takeAway() async throws {
        #expect(try await store.deleteNews(news, in: workspace, noting: nil))
        #expect(try await store.deleteContentBlock(block, in: workspace, noting: nil))
        #expect(try await store.deleteDraft(draft, in: workspace))
        #expect(try await store.deleteUserList(list, in: workspace, noting: nil))
        #expect(try await store.deleteSecret(named: "shop", in: workspace, noting: nil))
        #expect(
            try await store.deleteCatalogItems(
                ["a"],
                in: "teas",
                of: workspace,
                noting: nil,
                now: later
            ) == 1
        )
        #expect(
            try await store.removeCatalogSelection(
                named: "few",
                from: "teas",
                of: workspace,
                noting: nil,
                now: later
            ) == .changed
        )
        #expect(
            try await store.removeCatalogField(
                "n",
                from: "teas",
                of: workspace,
                noting: nil,
                now: later
            )
                == .changed
        )
        #expect(try await store.deleteCatalog(named: "teas", in: workspace, noting: nil))
        #expect(try await store.revokeAPIKey(named: "shop", in: workspace, noting: nil, now: later))
        #expect(try await store.archiveSegment(segment, noting: nil, now: later))
        try await store.setBlocked(
            BlockedName(.event, "spam"),
            to: false,
            in: workspace,
            now: later
        )
        try await store.deleteDailyCounts(in: workspace)
        let changes = try await store.apply(
            [
                .renameAlias(label: "shop", from: "lovelace", to: "countess"),
                .removeExternalID("bob"), .merge(.external("robert"), into: .external("ada")),
            ],
            in: workspace,
            now: later
        )
        #expect(changes == [.done, .done, .done])
        #expect(try await store.deleteUsers([ada], in: workspace, noting: nil, now: later) == 1)
    }
}
