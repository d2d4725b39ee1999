import Foundation
import Model
import NoroshiWire
import Ports
import Testing

extension StoreConformance {
    private func content(_ name: String, _ definition: String = #"{"and":[]}"#) -> SegmentContent {
        SegmentContent(name: name, definition: definition, author: "Ada")
    }

    package func keepsSegments() async throws {
        let fixture = try await fixture()
        let other = try await self.fixture()
        let first = try await store.createSegment(
            content("VIP"),
            in: fixture.workspace,
            now: now
        )
        _ = try await store.createSegment(content("VIP"), in: other.workspace, now: now)
        await #expect(throws: StoreError.self) {
            _ = try await store.createSegment(content("vip"), in: fixture.workspace, now: now)
        }
        let later = now.addingTimeInterval(60)
        #expect(
            try await store.updateSegment(first.id, to: content("Gold", "{}"), now: later)
        )
        let second = try await store.createSegment(
            content("VIP"),
            in: fixture.workspace,
            now: now
        )
        await #expect(throws: StoreError.self) {
            _ = try await store.updateSegment(second.id, to: content("GOLD"), now: now)
        }
        let all = try await store.segments(in: fixture.workspace)
        #expect(all.map(\.content.name) == ["Gold", "VIP"])
        #expect(all.first?.updatedAt == later && all.first?.createdAt == now)
        let found = try await store.segment(apiID: first.apiID, in: fixture.workspace)
        #expect(found?.id == first.id)
        #expect(try await store.segment(apiID: first.apiID, in: other.workspace) == nil)
        #expect(try await store.archiveSegment(first.id, noting: nil, now: later))
        #expect(try await !store.archiveSegment(first.id, noting: nil, now: later))
        #expect(try await !store.updateSegment(first.id, to: content("X"), now: later))
        #expect(try await store.segments(in: fixture.workspace).map(\.id) == [second.id])
        #expect(try await store.segment(first.id)?.archivedAt == later)
        // The name of an archived segment is free.
        #expect(try await store.updateSegment(second.id, to: content("Gold"), now: later))
    }

    package func keepsTheLastSizeOfADay() async throws {
        let fixture = try await fixture()
        let segment = try await store.createSegment(
            content("VIP"),
            in: fixture.workspace,
            now: now
        )
        try await store.saveSegmentSizes([segment.id: 1, SegmentID(999): 4], day: 10)
        try await store.saveSegmentSizes([segment.id: 2], day: 10)
        try await store.saveSegmentSizes([segment.id: 3], day: 12)
        #expect(
            try await store.segmentSizes(of: segment.id, days: 10...12) == [
                SegmentSize(day: 10, users: 2), SegmentSize(day: 12, users: 3),
            ]
        )
        #expect(try await store.segmentSizes(of: segment.id, days: 11...11).isEmpty)
    }

    package func keepsUploadedLists() async throws {
        let fixture = try await fixture()
        let other = try await self.fixture()
        for name in ["ada", "ben", "cy"] {
            try await register(name, token: name, in: fixture)
        }
        let found = try await store.profiles(
            externalIDs: ["ada", "ben", "nobody"],
            in: fixture.workspace
        )
        #expect(Set(found.keys) == ["ada", "ben"])
        let ada = try #require(found["ada"])
        let ben = try #require(found["ben"])
        func save(_ profiles: [ProfileID], _ workspace: WorkspaceID) async throws -> UploadedList {
            try await store.saveUserList(
                named: "Summer",
                profiles: profiles,
                author: "Ada",
                in: workspace,
                noting: nil,
                now: now
            )
        }
        let list = try await save([ada, ada, ProfileID(9_999)], fixture.workspace)
        #expect(list.users == 1)
        // Users of another workspace are nobody here.
        #expect(try await save([ada], other.workspace).users == 0)
        let replaced = try await save([ada, ben], fixture.workspace)
        #expect(replaced.id == list.id && replaced.users == 2)
        #expect(try await store.userLists(of: ben) == [list.id])
        #expect(
            try await store.renameUserList(list.id, to: "Sun", in: fixture.workspace, noting: nil)
        )
        #expect(
            try await !store.renameUserList(list.id, to: "Sun", in: other.workspace, noting: nil)
        )
        #expect(try await store.userLists(in: fixture.workspace).map(\.name) == ["Sun"])
        let second = try await save([ben], fixture.workspace)
        #expect(second.id != list.id)
        await #expect(throws: StoreError.self) {
            _ = try await store.renameUserList(
                second.id,
                to: "sun",
                in: fixture.workspace,
                noting: nil
            )
        }
        #expect(try await store.deleteUserList(second.id, in: fixture.workspace, noting: nil))
        #expect(try await store.userLists(in: fixture.workspace).map(\.users) == [2])
        // A user who is merged away leaves the place to the one who stays.
        _ = try await store.apply(
            [.merge(.external("ben"), into: .external("cy"))],
            in: fixture.workspace,
            now: now
        )
        let cy = try #require(
            try await store.profile(.external("cy"), in: fixture.workspace)
        )
        #expect(try await store.userLists(of: cy.id) == [list.id])
        #expect(
            try await store.deleteUsers([ada], in: fixture.workspace, noting: nil, now: now) == 1
        )
        #expect(try await store.userLists(in: fixture.workspace).map(\.users) == [1])
        #expect(try await !store.deleteUserList(list.id, in: other.workspace, noting: nil))
        #expect(try await store.deleteUserList(list.id, in: fixture.workspace, noting: nil))
        #expect(try await store.userLists(of: cy.id).isEmpty)
    }

    package func findsAUserByAnyIdentifier() async throws {
        let fixture = try await fixture()
        let installation = try await register("ada", token: "abcdef", in: fixture)
        _ = try await ingest(
            [
                IngestItem(
                    recordID: nil,
                    user: .external("ada"),
                    time: now,
                    content: .attributes(
                        AttributeChanges(["email": "Ada@example.org", "phone": "+4912345"])
                    )
                ),
                IngestItem(
                    recordID: nil,
                    user: .external("ada"),
                    time: now,
                    content: .alias(name: "countess", label: "court")
                ),
            ],
            in: fixture.workspace
        )
        _ = try await store.apply(
            [.renameExternalID(from: "ada", to: "lovelace")],
            in: fixture.workspace,
            now: now
        )
        let ada = try #require(
            try await store.profile(.external("lovelace"), in: fixture.workspace)
        )
        let other = try await self.fixture()
        for text in [
            "lovelace", "ada", "ada@EXAMPLE.org", "+4912345", "countess", "abcdef",
            installation.uuidString.lowercased(), ada.publicID.uuidString, " lovelace ",
        ] {
            let found = try await store.profiles(
                identifiedBy: text,
                in: fixture.workspace,
                limit: 5
            )
            #expect(found.map(\.id) == [ada.id], "\(text)")
            let foreign = try await store.profiles(
                identifiedBy: text,
                in: other.workspace,
                limit: 5
            )
            #expect(foreign.isEmpty, "\(text)")
        }
        let none = try await store.profiles(identifiedBy: "", in: fixture.workspace, limit: 5)
        #expect(none.isEmpty)
        let prefixed = try await store.profiles(
            matching: "+491",
            in: fixture.workspace,
            limit: 5,
            offset: 0
        )
        #expect(prefixed.map(\.id) == [ada.id])
    }

    package func tellsTheContactsOfAUser() async throws {
        let fixture = try await fixture()
        let installation = try await register("ada", token: "01", in: fixture)
        let send = try await plannedSend(to: .everyone, in: fixture)
        let row = try #require(try await claim(1).first)
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
        for (kind, seconds) in [
            (SDKRecord.PushInteraction.Kind.received, 5.0), (.opened, 9.0),
        ] {
            let item = IngestItem(
                recordID: UUID(),
                user: .external("ada"),
                time: now.addingTimeInterval(seconds),
                content: .pushInteraction(
                    SDKRecord.PushInteraction(
                        kind: kind,
                        dispatch: row.dispatch.uuid,
                        pushNumber: send.id.rawValue
                    )
                )
            )
            let device = SDKDevice(id: installation, platform: "ios")
            let outcome = try await store.ingest(
                [
                    IngestRequest(
                        workspace: fixture.workspace,
                        source: .device(device, app: fixture.app.id),
                        items: [item]
                    )
                ],
                now: now
            )
            #expect(outcome == [[.stored(except: [])]])
        }
        let contacts = try await store.contacts(of: row.profile.id, before: nil, limit: 10)
        #expect(contacts.map(\.kind) == [.opened(page: nil), .received, .accepted])
        #expect(contacts.allSatisfy { $0.send == send.id && $0.name == "Hello" })
        let earlier = try await store.contacts(
            of: row.profile.id,
            before: now.addingTimeInterval(5),
            limit: 10
        )
        #expect(earlier.map(\.kind) == [.accepted])
    }
}
