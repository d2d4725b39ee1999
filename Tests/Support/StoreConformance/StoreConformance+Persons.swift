import Foundation
import Model
import NoroshiWire
import Ports
import Testing

/// What a person did and got stays with the person.
extension StoreConformance {
    /// A batch of an installation, as its SDK sends it.
    @discardableResult
    package func batch(
        _ items: [(user: UserReference, content: IngestItem.Content)],
        from installation: UUID,
        after seconds: TimeInterval = 0,
        in fixture: Fixture
    ) async throws -> [IngestOutcome] {
        let time = now.addingTimeInterval(seconds)
        let request = IngestRequest(
            workspace: fixture.workspace,
            source: .device(SDKDevice(id: installation, platform: "ios"), app: fixture.app.id),
            items: items.map {
                IngestItem(recordID: UUID(), user: $0.user, time: time, content: $0.content)
            }
        )
        return try #require(try await store.ingest([request], now: time).first)
    }

    /// Sends to all devices and has the provider take it.
    package func deliveredSend(
        to audience: Audience,
        in fixture: Fixture
    ) async throws -> (send: Send, rows: [ClaimedDispatch]) {
        let send = try await plannedSend(to: audience, in: fixture)
        let rows = try await claim(100).filter { $0.send == send.id }
        try await store.record(
            rows.map {
                DispatchUpdate(
                    send: send.id,
                    device: $0.device.id,
                    change: .accepted(providerID: "a")
                )
            },
            now: now
        )
        return (send, rows)
    }

    package func keepsHistoryWithThePerson() async throws {
        let fixture = try await fixture()
        let phone = try await register("ada", token: "01", in: fixture)
        let ada = try #require(try await store.profile(.external("ada"), in: fixture.workspace))
        let (send, _) = try await deliveredSend(to: .everyone, in: fixture)
        try await batch(
            [
                (
                    .external("ada"),
                    .pushInteraction(
                        .init(kind: .received, dispatch: .zero, pushNumber: send.id.rawValue)
                    )
                )
            ],
            from: phone,
            after: 10,
            in: fixture
        )
        // Somebody else takes the phone.
        try await batch(
            [
                (.external("ben"), .userChanged(previous: .external("ada"))),
                (.external("ben"), .event(name: "viewed", properties: [:])),
            ],
            from: phone,
            after: 20,
            in: fixture
        )
        let ben = try #require(try await store.profile(.external("ben"), in: fixture.workspace))
        #expect(try await store.devices(of: ben.id).count == 1)

        func contacts(_ user: Profile) async throws -> [MessageEngagement.Kind] {
            try await store.contacts(of: user.id, before: nil, limit: 10).map(\.kind)
        }
        #expect(try await contacts(ada) == [.received, .accepted])
        #expect(try await contacts(ben).isEmpty)
        #expect(try await store.ledger(of: send.id, profile: ada.id).map(\.state) == [.accepted])
        #expect(try await store.ledger(of: send.id, profile: ben.id).isEmpty)
        #expect(try await store.rows(of: ada.id)["messages"]?.count == 1)
        #expect(try await store.rows(of: ben.id)["messages"] == nil)

        // Nobody takes the history of the other along.
        let cy = try await store.apply(
            [.renameExternalID(from: "ben", to: "cy")],
            in: fixture.workspace,
            now: now
        )
        #expect(cy == [.done])
        _ = try await ingest(
            [
                IngestItem(
                    recordID: nil,
                    user: .external("dee"),
                    time: now,
                    content: .event(name: "viewed", properties: [:])
                )
            ],
            in: fixture.workspace
        )
        let merged = try await store.apply(
            [.merge(.external("cy"), into: .external("dee"))],
            in: fixture.workspace,
            now: now
        )
        #expect(merged == [.done])
        #expect(try await store.ledger(of: send.id, profile: ada.id).count == 1)
        let dee = try #require(try await store.profile(.external("dee"), in: fixture.workspace))
        #expect(try await store.ledger(of: send.id, profile: dee.id).isEmpty)
        #expect(
            try await store.deleteUsers([dee.id], in: fixture.workspace, noting: nil, now: now) == 1
        )
        #expect(try await contacts(ada) == [.received, .accepted])
        // And who is deleted is gone from the ledger, whoever has the phone.
        #expect(
            try await store.deleteUsers([ada.id], in: fixture.workspace, noting: nil, now: now) == 1
        )
        #expect(try await store.ledger(of: send.id, profile: ada.id).isEmpty)
        #expect(try await store.counts(of: [send.id])[send.id]?[.accepted] == 1)
    }

    /// All orders of what happened around a sign-up, each record in a batch of its own.
    package func keepsTheAnonymousPastInAnyOrder() async throws {
        let orders = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]]
        for (order, pause) in orders.flatMap({ [($0, 1), ($0, 0)] }) {
            let fixture = try await fixture()
            let nameless = UUID()
            let phone = UUID()
            let records: [(UserReference, IngestItem.Content)] = [
                (.anonymous(nameless), .event(name: "browsed", properties: [:])),
                (.external("ada"), .userChanged(previous: .anonymous(nameless))),
                (.external("ada"), .event(name: "bought", properties: [:])),
            ]
            for index in order {
                try await batch(
                    [records[index]],
                    from: phone,
                    after: TimeInterval(index * pause),
                    in: fixture
                )
            }
            let found = try await store.profile(.external("ada"), in: fixture.workspace)
            let ada = try #require(found, "\(order)")
            let events = try await store.events(of: ada.id, limit: 10).map(\.name)
            #expect(Set(events) == ["browsed", "bought"], "\(order)")
            #expect(try await store.userCounts(in: fixture.workspace).users == 1, "\(order)")
            #expect(try await store.devices(of: ada.id).count == 1, "\(order)")
            let same = try await store.profile(.anonymous(nameless), in: fixture.workspace)
            #expect(same?.id == ada.id, "\(order)")
        }
    }

    /// Of three people who had a phone one after the other, the one in the middle keeps what they did
    /// before they signed in, though it is told last.
    package func keepsTheAnonymousPastOfSomebodyInBetween() async throws {
        let fixture = try await fixture()
        let nameless = UserReference.anonymous(UUID())
        let phone = UUID()
        let visit = IngestItem.Content.event(name: "visited", properties: [:])
        try await batch(
            [
                (.external("zoe"), visit), (.external("ada"), .userChanged(previous: nameless)),
                (.external("bob"), visit),
            ],
            from: phone,
            after: 60,
            in: fixture
        )
        try await batch(
            [(nameless, .event(name: "browsed", properties: [:]))],
            from: phone,
            in: fixture
        )
        let ada = try #require(try await store.profile(.external("ada"), in: fixture.workspace))
        #expect(try await store.events(of: ada.id, limit: 9).map(\.name) == ["browsed"])
        #expect(try await store.userCounts(in: fixture.workspace).users == 3)
    }

    package func keepsTheAnonymousPastOfAnEarlierBatch() async throws {
        let fixture = try await fixture()
        let nameless = UUID()
        let phone = UUID()
        try await batch(
            [
                (.anonymous(nameless), .sessionStarted),
                (
                    .anonymous(nameless),
                    .pushRegistered(
                        PushRegistration(
                            provider: .apns,
                            token: "aa",
                            environment: .sandbox,
                            authorization: .authorized,
                            registeredAt: now
                        )
                    )
                ),
                (.anonymous(nameless), .attributes(AttributeChanges(["plan": "free"]))),
                (.anonymous(nameless), .inAppMessage(.init(kind: .impression, message: "m"))),
            ],
            from: phone,
            in: fixture
        )
        let before = try #require(
            try await store.profile(.anonymous(nameless), in: fixture.workspace)
        )
        let (send, rows) = try await deliveredSend(to: .everyone, in: fixture)
        #expect(rows.count == 1)
        try await batch(
            [(.external("ada"), .userChanged(previous: .anonymous(nameless)))],
            from: phone,
            after: 60,
            in: fixture
        )
        let ada = try #require(try await store.profile(.external("ada"), in: fixture.workspace))
        #expect(ada.id == before.id)
        #expect(ada.custom == ["plan": "free"])
        #expect(ada.sessionCount == 1)
        #expect(try await store.ledger(of: send.id, profile: ada.id).count == 1)
        #expect(try await store.devices(of: ada.id).compactMap(\.push?.token) == ["aa"])
        #expect(try await store.userCounts(in: fixture.workspace).users == 1)
    }

    package func leavesANamelessUserWhoseNameIsTaken() async throws {
        let fixture = try await fixture()
        _ = try await register("ada", token: "01", in: fixture)
        let ada = try #require(try await store.profile(.external("ada"), in: fixture.workspace))
        let nameless = UUID()
        let phone = UUID()
        try await batch(
            [(.anonymous(nameless), .event(name: "browsed", properties: [:]))],
            from: phone,
            in: fixture
        )
        try await batch(
            [(.external("ada"), .userChanged(previous: .anonymous(nameless)))],
            from: phone,
            after: 1,
            in: fixture
        )
        #expect(try await store.events(of: ada.id, limit: 10).isEmpty)
        #expect(try await store.devices(of: ada.id).count == 2)
        let left = try #require(
            try await store.profile(.anonymous(nameless), in: fixture.workspace)
        )
        #expect(try await store.events(of: left.id, limit: 10).map(\.name) == ["browsed"])
        // After a log-out a browser's user is a new nameless one, who may sign up as well.
        let next = UUID()
        try await batch(
            [(.anonymous(next), .event(name: "looked", properties: [:]))],
            from: phone,
            after: 2,
            in: fixture
        )
        try await batch(
            [(.external("ben"), .userChanged(previous: .anonymous(next)))],
            from: phone,
            after: 3,
            in: fixture
        )
        let ben = try #require(try await store.profile(.external("ben"), in: fixture.workspace))
        #expect(try await store.events(of: ben.id, limit: 10).map(\.name) == ["looked"])
        #expect(try await store.devices(of: ben.id).count == 1)
    }

    package func keepsTheEarlierBeginningOfAMerge() async throws {
        let fixture = try await fixture()
        let earlier = now.addingTimeInterval(-40 * 86_400)
        func heard(_ name: String, at time: Date) async throws {
            let item = IngestItem(
                recordID: nil,
                user: .external(name),
                time: time,
                content: .event(name: "viewed", properties: [:])
            )
            let request = IngestRequest(
                workspace: fixture.workspace,
                source: .api,
                items: [item]
            )
            _ = try await store.ingest([request], now: time)
        }
        for (name, time) in [("old", earlier), ("new", now), ("older", earlier - 1), ("last", now)]
        {
            try await heard(name, at: time)
        }
        let merged = try await store.apply(
            [
                .merge(.external("old"), into: .external("new")),
                .merge(.external("last"), into: .external("older")),
            ],
            in: fixture.workspace,
            now: now
        )
        #expect(merged == [.done, .done])
        for (name, time) in [("new", earlier), ("older", earlier - 1)] {
            let kept = try await store.profile(.external(name), in: fixture.workspace)
            #expect(kept?.createdAt == time, "\(name)")
        }
        let days = try await store.newUsers(
            in: fixture.workspace,
            between: [earlier - 1, earlier, earlier + 1, now + 1]
        )
        #expect(days == [1, 1, 0])
    }

    package func mergesConsentsAndInstallations() async throws {
        let fixture = try await fixture()
        let tea = UUID()
        let coffee = UUID()
        for (id, name) in [(tea, "Tea"), (coffee, "Coffee")] {
            try await store.createSubscriptionGroup(
                SubscriptionGroup(
                    id: id,
                    workspace: fixture.workspace,
                    name: name,
                    channel: .email
                ),
                noting: nil,
                now: now
            )
        }
        func groups(_ states: [UUID: String]) -> JSONValue {
            .array(
                states.map {
                    .object([
                        "subscription_group_id": .string($0.key.uuidString.lowercased()),
                        "subscription_state": .string($0.value),
                    ])
                }
            )
        }
        let (first, second) = (UUID(), UUID())
        let (phone, tablet) = (UUID(), UUID())
        try await batch(
            [
                (
                    .anonymous(first),
                    .attributes(
                        AttributeChanges([
                            "subscription_groups": groups([tea: "subscribed"]),
                            "push_subscribe": "opted_in",
                        ])
                    )
                ), (.external("ada"), .userChanged(previous: .anonymous(first))),
            ],
            from: phone,
            in: fixture
        )
        try await batch(
            [
                (
                    .anonymous(second),
                    .attributes(
                        AttributeChanges([
                            "subscription_groups": groups([
                                tea: "unsubscribed", coffee: "subscribed",
                            ]),
                            "push_subscribe": "unsubscribed",
                        ])
                    )
                )
            ],
            from: tablet,
            in: fixture
        )
        let other = try #require(
            try await store.profile(.anonymous(second), in: fixture.workspace)
        )
        // A push that waits for the other user follows as well.
        let waiting = try await store.createSend(
            SendContent(message: PushMessage(body: "Later"), audience: .profiles([other.id])),
            in: fixture.workspace,
            scheduledAt: now.addingTimeInterval(3600),
            now: now
        )
        let merged = try await store.apply(
            [.merge(.profile(other.publicID), into: .external("ada"))],
            in: fixture.workspace,
            now: now
        )
        #expect(merged == [.done])
        let ada = try #require(try await store.profile(.external("ada"), in: fixture.workspace))
        #expect(ada.subscriptionGroups == [tea: .subscribed, coffee: .subscribed])
        #expect(ada.pushSubscription == .optedIn)
        #expect(ada.standard[.pushUnsubscribedAt] == nil)
        #expect(try await store.send(waiting.id)?.content.audience == .profiles([ada.id]))
        // The tablet does not know yet, and goes on under its own identifier.
        try await batch(
            [(.anonymous(second), .event(name: "browsed", properties: [:]))],
            from: tablet,
            after: 60,
            in: fixture
        )
        #expect(try await store.userCounts(in: fixture.workspace).users == 1)
        #expect(try await store.events(of: ada.id, limit: 10).map(\.name) == ["browsed"])
        #expect(try await store.devices(of: ada.id).count == 2)
    }
}

extension UUID {
    static let zero = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
}
