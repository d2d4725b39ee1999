import Foundation
import Model
import NoroshiWire
import Ports
import Testing

/// Influenced opens are of a person, whatever the order in which devices report.
extension StoreConformance {
    private func receipt(_ send: Send) -> IngestItem.Content {
        .pushInteraction(.init(kind: .received, dispatch: .zero, pushNumber: send.id.rawValue))
    }

    private func opened(_ send: Send) -> IngestItem.Content {
        .pushInteraction(.init(kind: .opened, dispatch: .zero, pushNumber: send.id.rawValue))
    }

    private func opens(of send: Send) async throws -> [Int] {
        let counts = try #require(try await store.counts(of: [send.id])[send.id])
        return [counts.opened, counts.influenced]
    }

    /// Expects the same after everything has been counted again.
    private func expect(
        _ expected: [Int],
        of send: Send,
        in fixture: Fixture,
        _ comment: Comment
    ) async throws {
        #expect(try await opens(of: send) == expected, comment)
        try await store.recountOpens(in: fixture.workspace)
        #expect(try await opens(of: send) == expected, "recounted: \(comment)")
    }

    package func countsOpensByPage() async throws {
        let fixture = try await fixture()
        let ada = UserReference.external("ada")
        let phone = try await register("ada", token: "01", in: fixture)
        let tablet = try await register("ada", token: "02", in: fixture)
        let watch = try await register("ada", token: "03", in: fixture)
        let (send, _) = try await deliveredSend(to: .everyone, in: fixture)
        func opened(page: Int?) -> IngestItem.Content {
            .pushInteraction(
                .init(kind: .opened, dispatch: .zero, pushNumber: send.id.rawValue, page: page)
            )
        }
        #expect(try await store.storyOpens(of: send.id) == [:])
        // Of several opens of a device the first counts, in whatever order they come.
        try await batch([(ada, opened(page: 2))], from: phone, after: 20, in: fixture)
        try await batch([(ada, opened(page: 3))], from: phone, after: 10, in: fixture)
        try await batch([(ada, opened(page: 1))], from: phone, after: 30, in: fixture)
        try await batch([(ada, opened(page: 3))], from: tablet, after: 40, in: fixture)
        // A tap on the notification itself is of no page.
        try await batch([(ada, opened(page: nil))], from: watch, after: 50, in: fixture)
        #expect(try await store.storyOpens(of: send.id) == [3: 2])
        #expect(try await opens(of: send) == [3, 0])
        let profile = try #require(try await store.profile(ada, in: fixture.workspace))
        let kinds = try await store.contacts(of: profile.id, before: nil, limit: 20).map(\.kind)
        for page in [nil, 1, 2, 3] { #expect(kinds.contains(.opened(page: page))) }
        let sends = try await store.exportSends(in: fixture.workspace, after: 0, limit: 10)
        #expect(sends.last?.send.storyOpens == [0, 0, 2])
    }

    package func listsWhatBecameOfASend() async throws {
        let fixture = try await fixture()
        func did(_ content: [IngestItem.Content], _ user: String, _ phone: UUID) async throws {
            for content in content {
                try await batch([(.external(user), content)], from: phone, after: 10, in: fixture)
            }
        }
        var phones: [String: UUID] = [:]
        for user in ["ada", "ben", "cas", "dan", "eve"] {
            phones[user] = try await register(user, token: user, in: fixture)
        }
        let (send, rows) = try await deliveredSend(to: .everyone, in: fixture)
        let dismissed = IngestItem.Content.pushInteraction(
            .init(kind: .dismissed, dispatch: .zero, pushNumber: send.id.rawValue)
        )
        for (user, content) in [
            ("ada", [receipt(send), opened(send)]), ("ben", [receipt(send), .sessionStarted]),
            ("cas", [receipt(send), dismissed]), ("dan", [receipt(send)]),
            // Began a session first and opened the push directly then.
            ("eve", [receipt(send), .sessionStarted, opened(send)]),
        ] {
            try await did(content, user, try #require(phones[user]))
        }
        let names = Dictionary(uniqueKeysWithValues: rows.map { ($0.device.id, $0.profile) })
        for (filter, expected) in [
            (.all, ["ada", "ben", "cas", "dan", "eve"]),
            (.received, ["ada", "ben", "cas", "dan", "eve"]), (.opened, ["ada", "ben", "eve"]),
            (.openedDirectly, ["ada", "eve"]), (.influenced, ["ben"]), (.dismissed, ["cas"]),
            (.state(.accepted), ["ada", "ben", "cas", "dan", "eve"]), (.state(.queued), []),
            (.reason("Unregistered"), []),
        ] as [(DispatchFilter, [String])] {
            let all = try await store.dispatchList(
                of: send.id,
                matching: filter,
                after: nil,
                limit: 10
            ).map(\.device)
            #expect(all.compactMap { names[$0]?.externalID }.sorted() == expected, "\(filter)")
            // A page at a time they are the same.
            var paged: [DeviceID] = []
            while let row = try await store.dispatchList(
                of: send.id,
                matching: filter,
                after: paged.last,
                limit: 1
            ).first {
                paged.append(row.device)
            }
            #expect(paged == all, "\(filter)")
        }
    }

    package func countsInfluencedOpensInAnyOrder() async throws {
        let fixture = try await fixture()
        let ada = UserReference.external("ada")
        for isSessionFirst in [false, true] {
            let phone = try await register("ada", token: "a\(isSessionFirst)", in: fixture)
            let (send, _) = try await deliveredSend(to: .everyone, in: fixture)
            let start: TimeInterval = isSessionFirst ? 100_000 : 0
            let batches: [(IngestItem.Content, TimeInterval)] = [
                (receipt(send), start + 10), (.sessionStarted, start + 14),
            ]
            for (content, time) in isSessionFirst ? batches.reversed() : batches {
                try await batch([(ada, content)], from: phone, after: time, in: fixture)
            }
            try await expect([0, 1], of: send, in: fixture, "session first: \(isSessionFirst)")
        }
    }

    package func countsInfluencedOpensOfAnyDevice() async throws {
        let fixture = try await fixture()
        let ada = UserReference.external("ada")
        let phone = try await register("ada", token: "01", in: fixture)
        let tablet = try await register("ada", token: "02", in: fixture)
        let (send, rows) = try await deliveredSend(to: .everyone, in: fixture)
        #expect(rows.count == 2)
        try await batch([(ada, receipt(send))], from: phone, in: fixture)
        try await batch([(ada, receipt(send))], from: tablet, after: 1, in: fixture)
        try await batch([(ada, .sessionStarted)], from: tablet, after: 1801, in: fixture)
        // One person has opened once; the window of the second receipt includes its last moment.
        try await expect([0, 1], of: send, in: fixture, "two devices")
        // Somebody else's session on the phone is nobody's open.
        let (next, _) = try await deliveredSend(to: .everyone, in: fixture)
        try await batch([(ada, receipt(next))], from: phone, after: 4000, in: fixture)
        let ben = UserReference.external("ben")
        try await batch([(ben, .sessionStarted)], from: phone, after: 4010, in: fixture)
        try await expect([0, 0], of: next, in: fixture, "another person")
        // Nor is it one of who has tapped the push, on whatever device.
        try await batch([(ada, opened(send))], from: tablet, after: 5000, in: fixture)
        try await expect([1, 0], of: send, in: fixture, "direct")
    }

    package func countsInfluencedOpensWithoutReceipts() async throws {
        let fixture = try await fixture()
        let ada = UserReference.external("ada")
        let phone = try await register("ada", token: "01", in: fixture)
        for isUnreported in [true, false] {
            let send = try await plannedSend(to: .everyone, in: fixture)
            let row = try #require(try await claim(1).first)
            var result = DispatchUpdate(
                send: send.id,
                device: row.device.id,
                change: .accepted(providerID: "a")
            )
            result.isUnreported = isUnreported
            try await store.record([result], now: now)
            try await batch([(ada, .sessionStarted)], from: phone, after: 1800, in: fixture)
            try await expect(
                [0, isUnreported ? 1 : 0],
                of: send,
                in: fixture,
                "unreported: \(isUnreported)"
            )
        }
    }

    /// A push that comes at the moment of a session has come before it.
    package func countsASessionAtTheMomentOfAPush() async throws {
        let fixture = try await fixture()
        let ada = UserReference.external("ada")
        let phone = try await register("ada", token: "01", in: fixture)
        for (index, items) in [[0, 1], [1, 0]].enumerated() {
            let (send, _) = try await deliveredSend(to: .everyone, in: fixture)
            let day = Double(index) * 86_400
            for item in items {
                let content = item == 0 ? receipt(send) : .sessionStarted
                try await batch([(ada, content)], from: phone, after: day, in: fixture)
            }
            try await expect([0, 1], of: send, in: fixture, "\(items)")
        }
    }

    package func countsLateSessionsAmongTheOthers() async throws {
        let fixture = try await fixture()
        let ada = UserReference.external("ada")
        let phone = try await register("ada", token: "01", in: fixture)
        let (send, _) = try await deliveredSend(to: .everyone, in: fixture)
        let day: TimeInterval = 86_400
        // Sessions two days apart: a push may have come a day before.
        for time in [-4 * day, -2 * day] {
            try await batch([(ada, .sessionStarted)], from: phone, after: time, in: fixture)
        }
        try await batch([(ada, receipt(send))], from: phone, after: 0, in: fixture)
        try await batch([(ada, .sessionStarted)], from: phone, after: day, in: fixture)
        try await expect([0, 1], of: send, in: fixture, "a day later")
        // What comes late shows that the user is there more often than that.
        for hour in 1...40 {
            try await batch(
                [(ada, .sessionStarted)],
                from: phone,
                after: -2 * day + TimeInterval(hour) * 3600,
                in: fixture
            )
        }
        try await expect([0, 0], of: send, in: fixture, "many sessions")
    }
}
