import Foundation
import Model
import NoroshiWire
import Ports
import Testing

extension StoreConformance {
    private func item(_ content: IngestItem.Content) -> IngestItem {
        IngestItem(recordID: nil, user: .external("ada"), time: now, content: content)
    }

    package func refusesBlockedNames() async throws {
        let workspace = try await fixture().workspace
        let other = try await fixture().workspace
        let names = [BlockedName(.event, "noise"), BlockedName(.attribute, "secret")]
        for name in names {
            try await store.setBlocked(name, to: true, in: workspace, now: now)
            // Twice is as good as once.
            try await store.setBlocked(name, to: true, in: workspace, now: now)
        }
        #expect(try await store.blockedNames(in: workspace) == Set(names))
        let items = [
            item(.event(name: "noise", properties: [:])),
            item(.event(name: "secret", properties: [:])),
            item(.attributes(AttributeChanges(["secret": "x", "noise": "y"]))),
        ]
        let outcomes = try await ingest(items, in: workspace)
        #expect(
            outcomes == [
                .rejected(FieldProblem(.request("name"), names[0].refusal)), .stored(except: []),
                .stored(
                    except: [FieldProblem(.request("secret"), names[1].refusal)]
                ),
            ]
        )
        let ada = try #require(try await store.profile(.external("ada"), in: workspace))
        #expect(ada.custom == ["noise": "y"])
        // Another workspace takes them.
        #expect(
            try await ingest(items, in: other) == Array(repeating: .stored(except: []), count: 3)
        )
        for name in names { try await store.setBlocked(name, to: false, in: workspace, now: now) }
        #expect(try await store.blockedNames(in: workspace).isEmpty)
        #expect(
            try await ingest(items, in: workspace)
                == Array(repeating: .stored(except: []), count: 3)
        )
    }

    package func listsEventsAndAttributes() async throws {
        let workspace = try await fixture().workspace
        let later = now.addingTimeInterval(60)
        var last = item(.event(name: "Opened menu", properties: [:]))
        last.time = later
        _ = try await ingest(
            [
                item(.event(name: "Opened menu", properties: [:])), last,
                item(.event(name: "bought", properties: [:])), item(.sessionStarted),
                item(.attributes(AttributeChanges(["points": 3, "tags": ["a"]]))),
                IngestItem(
                    recordID: nil,
                    user: .external("ben"),
                    time: now,
                    content: .attributes(AttributeChanges(["points": "many"]))
                ),
            ],
            in: workspace
        )
        try await store.setBlocked(BlockedName(.event, "never"), to: true, in: workspace, now: now)
        try await store.setBlocked(
            BlockedName(.attribute, "points"),
            to: true,
            in: workspace,
            now: now
        )
        let all = try await store.eventSummaries(
            in: workspace,
            matching: "",
            limit: 10,
            offset: 0
        )
        #expect(all.total == 3)
        #expect(
            all.events == [
                EventSummary(name: "Opened menu", lastAt: later, isBlocked: false),
                EventSummary(name: "bought", lastAt: now, isBlocked: false),
                EventSummary(name: "never", lastAt: nil, isBlocked: true),
            ]
        )
        let found = try await store.eventSummaries(
            in: workspace,
            matching: "MENU",
            limit: 1,
            offset: 0
        )
        #expect(found.events.map(\.name) == ["Opened menu"])
        let counts = try await store.eventCounts(
            of: ["Opened menu", "bought", "never"],
            in: workspace,
            between: [now.addingTimeInterval(-60), now, later, later.addingTimeInterval(1)]
        )
        #expect(counts == ["Opened menu": [0, 1, 1], "bought": [0, 1, 0], "never": [0, 0, 0]])
        let attributes = try await store.attributeSummaries(in: workspace, limit: 10)
        #expect(
            attributes == [
                AttributeSummary(
                    name: "points",
                    profiles: 2,
                    sample: 2,
                    types: ["number": 1, "text": 1],
                    isBlocked: true
                ),
                AttributeSummary(
                    name: "tags",
                    profiles: 1,
                    sample: 2,
                    types: ["list": 1],
                    isBlocked: false
                ),
            ]
        )
    }
}
