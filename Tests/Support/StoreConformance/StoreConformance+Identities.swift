import Foundation
import Model
import NoroshiWire
import Ports
import Testing

extension StoreConformance {
    private func event(_ user: UserReference, _ name: String, at time: Date? = nil) -> IngestItem {
        IngestItem(
            recordID: nil,
            user: user,
            time: time ?? now,
            content: .event(name: name, properties: [:])
        )
    }

    private func attributes(_ user: UserReference, _ values: [String: JSONValue]) -> IngestItem {
        IngestItem(
            recordID: nil,
            user: user,
            time: now,
            content: .attributes(AttributeChanges(values))
        )
    }

    private func user(_ reference: UserReference, in fixture: Fixture) async throws -> Profile? {
        try await store.profile(reference, in: fixture.workspace)
    }

    private func apply(
        _ changes: IdentityChange...,
        in fixture: Fixture
    ) async throws -> [Bool] {
        try await store.apply(changes, in: fixture.workspace, now: now).map { $0 == .done }
    }

    package func tellsFromWhenOnFiguresMayHaveChanged() async throws {
        let fixture = try await fixture()
        let other = try await self.fixture()
        func ago(_ days: Double) -> Date { now.addingTimeInterval(-days * 86_400) }
        func session(_ name: String, _ time: Date) -> IngestItem {
            IngestItem(
                recordID: nil,
                user: .external(name),
                time: time,
                content: .sessionStarted
            )
        }
        for fixture in [fixture, other] {
            let items = ["ada", "ben", "cy", "dan"].map { session($0, now) }
            _ = try await ingest(items, in: fixture.workspace)
        }
        var (earliest, mark) = try await store.changes(since: nil, in: fixture.workspace)
        #expect(earliest == .distantPast)
        /// From when on since the last look, here and in the other workspace.
        func look() async throws -> [Date?] {
            let here = try await store.changes(since: mark, in: fixture.workspace)
            let there = try await store.changes(since: mark, in: other.workspace)
            mark = here.mark
            return [here.earliest, there.earliest]
        }
        #expect(try await look() == [nil, nil])
        _ = try await ingest(
            [session("ada", ago(3)), session("ben", ago(5))],
            in: fixture.workspace
        )
        _ = try await ingest([session("ada", ago(7))], in: other.workspace)
        #expect(try await look() == [ago(5), ago(7)])
        // No figure of a period counts these.
        _ = try await ingest(
            [
                event(.external("ada"), "viewed", at: ago(9)),
                attributes(.external("ada"), ["a": 1]),
                event(.external("dan"), "viewed", at: ago(9)),
            ],
            in: fixture.workspace
        )
        #expect(try await look() == [nil, nil])
        let ada = try #require(try await user(.external("ada"), in: fixture))
        _ = try await store.deleteUsers([ada.id], in: fixture.workspace, noting: nil, now: now)
        #expect(try await look() == [.distantPast, nil])
        _ = try await apply(.merge(.external("ben"), into: .external("cy")), in: fixture)
        #expect(try await look() == [.distantPast, nil])
        #expect(try await look() == [nil, nil])
    }

    package func deletesEverythingOfAUser() async throws {
        let fixture = try await fixture()
        for (number, name) in ["ada", "ben", "cy"].enumerated() {
            try await register(name, token: "0\(number)", in: fixture)
            _ = try await ingest([event(.external(name), "viewed")], in: fixture.workspace)
        }
        let added = try await apply(
            .addAlias(name: "countess", label: "court", externalID: "ada"),
            in: fixture
        )
        #expect(added == [true])
        let send = try await plannedSend(to: .everyone, in: fixture)
        let claimed = try await claim(10)
        let ada = try #require(try await user(.external("ada"), in: fixture))
        let row = try #require(claimed.first { $0.profile.id == ada.id })
        try await store.record(
            [
                DispatchUpdate(
                    send: send.id,
                    device: row.device.id,
                    change: .accepted(providerID: "a")
                )
            ],
            now: now
        )
        let cy = try #require(try await user(.external("cy"), in: fixture))
        let deleted = try await store.deleteUsers(
            [ada.id, cy.id, ProfileID(9_999)],
            in: fixture.workspace,
            noting: nil,
            now: now
        )
        #expect(deleted == 2)
        #expect(try await user(.external("ada"), in: fixture) == nil)
        #expect(try await user(.alias(name: "countess", label: "court"), in: fixture) == nil)
        #expect(try await store.devices(of: ada.id).isEmpty)
        #expect(try await store.events(of: ada.id, limit: 10).isEmpty)
        let counts = try #require(try await store.counts(of: [send.id])[send.id])
        #expect(counts.states == [.accepted: 1, .unknown: 1, .sending: 1])
        let rows = try await store.dispatches(of: send.id, limit: 10)
        #expect(rows.count == 3)
        #expect(rows.map(\.userName).sorted() == ["", "", "ben"])
        let ben = try #require(try await user(.external("ben"), in: fixture))
        #expect(try await store.events(of: ben.id, limit: 10).count == 1)
        // Another workspace deletes nothing here.
        let other = try await self.fixture()
        #expect(
            try await store.deleteUsers([ben.id], in: other.workspace, noting: nil, now: now) == 0
        )
    }

    package func neverReusesANumber() async throws {
        let fixture = try await fixture()
        try await register("ada", token: "01", in: fixture)
        let ada = try #require(try await user(.external("ada"), in: fixture))
        let device = try #require(try await store.devices(of: ada.id).first)
        #expect(
            try await store.deleteUsers([ada.id], in: fixture.workspace, noting: nil, now: now) == 1
        )
        try await register("ben", token: "02", in: fixture)
        let ben = try #require(try await user(.external("ben"), in: fixture))
        #expect(ben.id != ada.id)
        #expect(try await store.devices(of: ben.id).first?.id != device.id)
    }

    package func mergesUsers() async throws {
        let fixture = try await fixture()
        try await register("old", token: "01", in: fixture)
        _ = try await ingest(
            [
                attributes(.external("old"), ["plan": "free", "city": "London"]),
                attributes(.external("new"), ["plan": "pro"]),
                event(.external("old"), "viewed"), event(.external("new"), "viewed"),
            ],
            in: fixture.workspace
        )
        let changes = try await apply(
            .addAlias(name: "a", label: "shared", externalID: "old"),
            .addAlias(name: "b", label: "shared", externalID: "new"),
            .addAlias(name: "c", label: "own", externalID: "old"),
            .merge(.external("old"), into: .external("new")),
            .merge(.external("old"), into: .external("new")),
            .merge(.external("new"), into: .external("new")),
            in: fixture
        )
        #expect(changes == [true, true, true, true, false, false])
        let user = try #require(try await user(.external("new"), in: fixture))
        #expect(user.custom == ["plan": "pro", "city": "London"])
        #expect(try await store.events(of: user.id, limit: 10).count == 2)
        #expect(try await store.devices(of: user.id).count == 1)
        let record = try await store.record(of: user.id, since: .distantPast)
        #expect(
            record.aliases == [
                UserAlias(name: "c", label: "own"),
                UserAlias(name: "b", label: "shared"),
            ]
        )
        #expect(try await store.userCounts(in: fixture.workspace).users == 1)
    }

    package func identifiesUsers() async throws {
        let fixture = try await fixture()
        let first = UserReference.alias(name: "1", label: "visitor")
        let second = UserReference.alias(name: "2", label: "visitor")
        _ = try await ingest(
            [
                event(first, "viewed"), event(second, "viewed"),
                event(.email("ada@example.org"), "viewed"),
            ],
            in: fixture.workspace
        )
        let changes = try await apply(
            .identify(first, as: "ada"),
            .identify(first, as: "ada"),
            .identify(second, as: "ada"),
            .identify(.email("ada@example.org"), as: "ada"),
            in: fixture
        )
        #expect(changes == [true, false, false, true])
        let ada = try #require(try await user(.external("ada"), in: fixture))
        #expect(ada.standard[.email] == "ada@example.org")
        #expect(try await user(first, in: fixture)?.id == ada.id)
        #expect(try await store.events(of: ada.id, limit: 10).count == 2)
        #expect(try await store.userCounts(in: fixture.workspace).users == 2)
    }

    package func keepsAliasesUnique() async throws {
        let fixture = try await fixture()
        _ = try await ingest(
            [event(.external("ada"), "viewed"), event(.external("ben"), "viewed")],
            in: fixture.workspace
        )
        let changes = try await apply(
            .addAlias(name: "a", label: "shop", externalID: "ada"),
            .addAlias(name: "a", label: "shop", externalID: "ben"),
            .addAlias(name: "b", label: "shop", externalID: "nobody"),
            .addAlias(name: "b", label: "shop", externalID: nil),
            .renameAlias(label: "shop", from: "a", to: "b"),
            .renameAlias(label: "shop", from: "a", to: "c"),
            .renameAlias(label: "shop", from: "a", to: "d"),
            in: fixture
        )
        #expect(changes == [true, false, false, true, false, true, false])
        let renamed = try await user(.alias(name: "c", label: "shop"), in: fixture)
        #expect(renamed?.externalID == "ada")
        let nameless = try await user(.alias(name: "b", label: "shop"), in: fixture)
        #expect(nameless != nil && nameless?.externalID == nil)
    }

    package func renamesExternalIDs() async throws {
        let fixture = try await fixture()
        _ = try await ingest(
            [event(.external("ada"), "viewed"), event(.external("ben"), "viewed")],
            in: fixture.workspace
        )
        let changes = try await apply(
            .renameExternalID(from: "ada", to: "ben"),
            .renameExternalID(from: "nobody", to: "ada2"),
            .removeExternalID("ada"),
            .renameExternalID(from: "ada", to: "lovelace"),
            in: fixture
        )
        #expect(changes == [false, false, false, true])
        // Data under the old identifier still reaches the same user.
        _ = try await ingest([event(.external("ada"), "viewed")], in: fixture.workspace)
        let ada = try #require(try await user(.external("lovelace"), in: fixture))
        #expect(try await store.events(of: ada.id, limit: 10).count == 2)
        let taken = try await apply(.renameExternalID(from: "ben", to: "ada"), in: fixture)
        #expect(taken == [false])
        #expect(try await apply(.removeExternalID("ada"), in: fixture) == [true])
        #expect(try await user(.external("ada"), in: fixture) == nil)
        #expect(try await user(.external("lovelace"), in: fixture)?.id == ada.id)
    }

    package func recordsWhatIsKnown() async throws {
        let fixture = try await fixture()
        let installation = try await register("ada", token: "01", in: fixture)
        let earlier = now.addingTimeInterval(-3600)
        _ = try await ingest(
            [
                event(.external("ada"), "viewed", at: earlier),
                event(.external("ada"), "viewed"),
                event(.external("ada"), "old", at: now.addingTimeInterval(-86_400)),
                IngestItem(
                    recordID: nil,
                    user: .external("ada"),
                    time: now,
                    content: .purchase(
                        product: "tea",
                        currency: "JPY",
                        price: 3,
                        quantity: 2,
                        properties: [:]
                    )
                ),
            ],
            in: fixture.workspace
        )
        let ada = try #require(
            try await store.owner(ofInstallation: installation, in: fixture.workspace)?.user
        )
        #expect(ada.externalID == "ada")
        let record = try await store.record(of: ada.id, since: earlier)
        #expect(
            record.events == [
                UserRecord.Activity(name: "viewed", first: earlier, last: now, count: 2)
            ]
        )
        #expect(
            record.purchases == [
                UserRecord.Activity(name: "tea", first: now, last: now, count: 1)
            ]
        )
        #expect(record.devices.map(\.installation) == [installation])
        let other = try await self.fixture()
        let foreign = try await store.owner(ofInstallation: installation, in: other.workspace)?.user
        #expect(foreign == nil)
    }
}
