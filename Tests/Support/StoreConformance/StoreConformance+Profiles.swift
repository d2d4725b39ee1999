import Foundation
import Model
import NoroshiWire
import Ports
import Testing

extension StoreConformance {
    package func storesARecordOnce() async throws {
        let fixture = try await fixture()
        let item = IngestItem(
            recordID: UUID(),
            user: .external("ada"),
            time: now,
            content: .event(name: "viewed", properties: ["price": 3])
        )
        let first = try await ingest([item, item], in: fixture.workspace)
        let second = try await ingest([item], in: fixture.workspace)
        #expect(first == [.stored(except: []), .duplicate])
        #expect(second == [.duplicate])
        // Another workspace's records have nothing to do with it.
        let other = try await self.fixture()
        #expect(try await ingest([item], in: other.workspace) == [.stored(except: [])])
        let profile = try #require(
            try await store.profile(.external("ada"), in: fixture.workspace)
        )
        let events = try await store.events(of: profile.id, limit: 10)
        #expect(events == [StoredEvent(name: "viewed", time: now, properties: ["price": 3])])
    }

    package func forgetsOnlyTheRecordThatIsRefused() async throws {
        let fixture = try await fixture()
        let stored = IngestItem(
            recordID: UUID(),
            user: .external("ada"),
            time: now,
            content: .event(name: "viewed", properties: [:])
        )
        // Only a device says that.
        let refused = IngestItem(
            recordID: UUID(),
            user: .external("ada"),
            time: now,
            content: .pushCleared
        )
        func isRefused(_ outcome: IngestOutcome) -> Bool {
            if case .rejected = outcome { true } else { false }
        }
        for expected in [IngestOutcome.stored(except: []), .duplicate] {
            let outcomes = try await ingest([stored, refused, stored], in: fixture.workspace)
            #expect(outcomes.map(isRefused) == [false, true, false])
            #expect([outcomes[0], outcomes[2]] == [expected, .duplicate])
        }
        // Nor is it forgotten elsewhere.
        let other = try await self.fixture()
        _ = try await ingest([stored], in: other.workspace)
        _ = try await ingest([refused], in: other.workspace)
        #expect(try await ingest([stored], in: other.workspace) == [.duplicate])
        #expect(try await ingest([stored], in: fixture.workspace) == [.duplicate])
    }

    package func keepsWorkspacesApart() async throws {
        let first = try await fixture()
        let second = try await fixture()
        let item = IngestItem(
            recordID: nil,
            user: .external("ada"),
            time: now,
            content: .attributes(AttributeChanges(["first_name": "Ada"]))
        )
        _ = try await ingest([item], in: first.workspace)
        #expect(try await store.profile(.external("ada"), in: first.workspace) != nil)
        #expect(try await store.profile(.external("ada"), in: second.workspace) == nil)
        #expect(try await store.userCounts(in: second.workspace).users == 0)
    }

    package func keepsGoodAttributesBesideABadOne() async throws {
        let fixture = try await fixture()
        let outcomes = try await ingest(
            [
                IngestItem(
                    recordID: nil,
                    user: .external("ada"),
                    time: now,
                    content: .attributes(
                        AttributeChanges(["first_name": "Ada", "gender": "x", "plan": "pro"])
                    )
                )
            ],
            in: fixture.workspace
        )
        guard case .stored(let problems) = try #require(outcomes.first) else {
            Issue.record("the item was not stored: \(outcomes)")
            return
        }
        #expect(problems.map(\.field) == ["gender"])
        let profile = try #require(
            try await store.profile(.external("ada"), in: fixture.workspace)
        )
        #expect(profile.standard == [.firstName: "Ada"])
        #expect(profile.custom == ["plan": "pro"])
    }

    package func makesChangesWithABasisTogetherOrNotAtAll() async throws {
        let fixture = try await fixture()
        func change(
            _ values: [String: JSONValue],
            since basis: [String: JSONValue]
        ) async throws -> IngestOutcome {
            var changes = AttributeChanges(values)
            changes.basis = basis
            let item = IngestItem(
                recordID: nil,
                user: .external("ada"),
                time: now,
                content: .attributes(changes)
            )
            let audit = AuditRecord(
                at: now,
                origin: .console,
                author: "Ada",
                action: "user_changed",
                subject: "1"
            )
            let request = IngestRequest(
                workspace: fixture.workspace,
                source: .api,
                items: [item],
                audit: audit
            )
            return try #require(try await store.ingest([request], now: now).first?.first)
        }
        func plan() async throws -> JSONValue? {
            try await store.profile(.external("ada"), in: fixture.workspace)?.custom["plan"]
        }
        func records() async throws -> Int {
            let query = AuditQuery(text: "user_changed", limit: 10, offset: 0)
            return try await store.audit(in: fixture.workspace, matching: query).total
        }
        #expect(try await change(["plan": "free"], since: ["plan": .null]) == .stored(except: []))
        #expect(try await plan() == "free")
        #expect(try await records() == 1)
        // Somebody has looked before that, or sends what cannot be stored beside it.
        for (values, basis) in [
            (["plan": "pro"], ["plan": JSONValue.null]),
            (["plan": "pro", "gender": "x"], ["plan": "free", "gender": .null]),
        ] as [([String: JSONValue], [String: JSONValue])] {
            guard case .rejected = try await change(values, since: basis) else {
                Issue.record("\(values) was stored")
                continue
            }
            #expect(try await plan() == "free")
            #expect(try await records() == 1)
        }
        #expect(try await change(["plan": .null], since: ["plan": "free"]) == .stored(except: []))
        #expect(try await plan() == nil)
        #expect(try await records() == 2)
    }

    package func namesANamelessUser() async throws {
        let fixture = try await fixture()
        let nameless = UUID()
        // As one batch of a device, whose last user is made by it.
        let request = IngestRequest(
            workspace: fixture.workspace,
            source: .device(SDKDevice(id: UUID(), platform: "web"), app: fixture.app.id),
            items: [
                IngestItem(
                    recordID: nil,
                    user: .anonymous(nameless),
                    time: now,
                    content: .attributes(AttributeChanges(["plan": "free"]))
                ),
                IngestItem(
                    recordID: nil,
                    user: .external("ada"),
                    time: now,
                    content: .userChanged(previous: .anonymous(nameless))
                ),
                IngestItem(
                    recordID: nil,
                    user: .external("ada"),
                    time: now,
                    content: .attributes(AttributeChanges(["city": "London"]))
                ),
            ]
        )
        _ = try await store.ingest([request], now: now)
        let profile = try #require(
            try await store.profile(.external("ada"), in: fixture.workspace)
        )
        #expect(profile.custom == ["plan": "free", "city": "London"])
        #expect(try await store.userCounts(in: fixture.workspace).users == 1)
        #expect(try await store.devices(of: profile.id).count == 1)
    }

    package func refusesAnUnknownUserWhereNoneIsToBeMade() async throws {
        let fixture = try await fixture()
        let outcomes = try await ingest(
            [
                IngestItem(
                    recordID: nil,
                    user: .external("nobody"),
                    updatesExistingOnly: true,
                    time: now,
                    content: .event(name: "viewed", properties: [:])
                )
            ],
            in: fixture.workspace
        )
        guard case .rejected(let problem) = try #require(outcomes.first) else {
            Issue.record("the item was stored")
            return
        }
        #expect(problem.field == "user")
        #expect(try await store.userCounts(in: fixture.workspace).users == 0)
    }

    package func movesATokenToTheUserWhoHasTheDevice() async throws {
        let fixture = try await fixture()
        try await register("ada", token: "aa11", in: fixture)
        try await register("ben", token: "aa11", in: fixture)
        let ada = try #require(try await store.profile(.external("ada"), in: fixture.workspace))
        let ben = try #require(try await store.profile(.external("ben"), in: fixture.workspace))
        #expect(try await store.devices(of: ada.id).compactMap(\.push).isEmpty)
        #expect(try await store.devices(of: ben.id).compactMap(\.push?.token) == ["aa11"])
    }

    package func findsUsersByTheBeginningOfAName() async throws {
        let fixture = try await fixture()
        for (id, name) in [("u1", "Ada"), ("u2", "Adam"), ("u3", "Ben"), ("ada-4", "Cy")] {
            _ = try await ingest(
                [
                    IngestItem(
                        recordID: nil,
                        user: .external(id),
                        time: now,
                        content: .attributes(
                            AttributeChanges([
                                "first_name": .string(name), "email": .string("\(id)@example.org"),
                            ])
                        )
                    )
                ],
                in: fixture.workspace
            )
        }
        func found(_ text: String) async throws -> Set<String> {
            Set(
                try await store.profiles(
                    matching: text,
                    in: fixture.workspace,
                    limit: 10,
                    offset: 0
                ).compactMap(\.externalID)
            )
        }
        #expect(try await found("ada") == ["u1", "u2", "ada-4"])
        #expect(try await found("u3@") == ["u3"])
        #expect(try await found("").count == 4)
        #expect(try await found("%").isEmpty)
    }

    package func listsTheNamesOfEvents() async throws {
        let fixture = try await fixture()
        let other = try await self.fixture()
        for (name, workspace) in [
            ("b", fixture.workspace), ("a", fixture.workspace), ("c", fixture.workspace),
            ("foreign", other.workspace),
        ] {
            let item = IngestItem(
                recordID: nil,
                user: .external("ada"),
                time: now,
                content: .event(name: name, properties: [:])
            )
            _ = try await ingest([item], in: workspace)
        }
        func names(_ offset: Int) async throws -> [String] {
            try await store.eventNames(in: fixture.workspace, limit: 2, offset: offset)
        }
        #expect(try await names(0) == ["a", "b"])
        #expect(try await names(2) == ["c"])
    }
}
