import Foundation
import Model
import NoroshiWire
import Ports
import Testing

extension StoreConformance {
    package func keepsAShareOfThePeople() async throws {
        let fixture = try await fixture()
        for number in 0..<4 {
            try await register("user-\(number)", token: "t\(number)", in: fixture)
        }
        let event = { (user: String) in
            IngestItem(
                recordID: nil,
                user: .external(user),
                time: now,
                content: .event(name: "order", properties: [:])
            )
        }
        _ = try await ingest((0..<4).map { event("user-\($0)") }, in: fixture.workspace)
        let send = try await plannedSend(to: .everyone, in: fixture)
        let all = try await store.profiles(in: fixture.workspace, after: nil, limit: 10)
        let share = PeopleShare(1, of: 2)
        let own = all.filter(share.contains)
        #expect(all.count == 4 && own.count == 2)
        let cursor = try await store.triggerCursor()

        try await store.keepOnly(share)
        #expect(try await store.profiles(in: fixture.workspace, after: nil, limit: 10) == own)
        #expect(Set(try await claim(10).map(\.profile.id)) == Set(own))
        #expect(try await store.triggerCursor() <= cursor)
        let events = try await store.exportEvents(in: fixture.workspace, after: 0, limit: 10)
        let names = own.map { "user-\(all.firstIndex(of: $0) ?? 9)" }
        #expect(Set(events.compactMap(\.event.externalID)) == Set(names))

        // Nobody gets a number that somebody of another share has.
        try await store.passOver(users: 2, devices: 1)
        try await register("new", token: "t9", in: fixture)
        let last = try #require(all.last)
        let new = try #require(
            try await store.profile(.external("new"), in: fixture.workspace)
        )
        #expect(new.id.rawValue == last.rawValue + 3)
        let device = try #require(try await store.devices(of: new.id).first)
        #expect(device.id.rawValue == 6)
        #expect(try await store.send(send.id) != nil)
    }
}
