import ContentFiles
import Foundation
import Model
import NoroshiWire
import Ports
import StoreSQL
import Testing

@Suite("Files of journeys")
struct JourneyFileTests {
    private static let cart = """
        {
          "name": "Abandoned cart",
          "entry": {"type": "event", "event": {"kind": {"custom": {"name": "cart_filled"}}}},
          "steps": [
            {"name": "An hour", "type": "wait", "duration": 3600},
            {
              "name": "Reminder",
              "type": "push",
              "variants": [{"name": "A", "message": {"common": {"message": {"body": "Hi"}}}}]
            },
            {
              "name": "Bought?",
              "type": "wait_for_event",
              "event": {"kind": {"purchase": {}}},
              "limit": 7200,
              "late": "Again",
              "next": "end"
            },
            {"name": "Again", "type": "branch", "paths": [
              {"name": "Brazil", "segment": {"segments": ["Brazil"]}, "next": "Reminder"}
            ]}
          ]
        }
        """

    private func brazil(_ site: ContentFileTests.Site) async throws {
        let filter = "{\"attribute\":\"country\",\"test\":\"equal\",\"value\":\"BR\"}"
        try await site.bringIn(
            "{\"kind\":\"segment\",\"id\":\"\(UUID())\",\"name\":\"Brazil\",\"filter\":\(filter)}"
        )
    }

    private func bringIn(
        _ text: String,
        to site: ContentFileTests.Site
    ) async throws -> (id: UUID, outcome: ContentFileOutcome) {
        try await site.service.bringIn(
            journey: Array(text.utf8),
            makeID: { UUID() },
            by: .commandLine(account: "ada", site.workspace)
        )
    }

    @Test("a journey written by hand names steps and segments, and comes out as it is read")
    func byHand() async throws {
        try await ContentFileTests.withSites { sites in
            let site = sites[0]
            try await brazil(site)
            let (id, outcome) = try await bringIn(Self.cart, to: site)
            #expect(outcome.added == 1)
            let journey = try #require(
                try await site.store.journey(apiID: id, in: site.workspace)
            )
            let steps = journey.draft.steps
            #expect(steps.map(\.name) == ["An hour", "Reminder", "Bought?", "Again"])
            #expect(steps[0].next == steps[1].id && steps[2].next == nil)
            #expect(steps[2].targets == [nil, steps[3].id])
            #expect(steps[3].targets == [steps[1].id, nil])
            let text = try #require(
                try await site.service.text(ofJourney: id, in: site.workspace)
            )
            #expect(text.contains("\"segments\": [\"Brazil\"]"))
            #expect(text.contains("\"late\": \"Again\""))
            let again = try await bringIn(text, to: site)
            #expect(again.id == id && again.outcome.unchanged == 1)
            #expect(
                try await site.service.text(ofJourney: id, in: site.workspace) == text
            )
        }
    }

    @Test("every random journey's own file is read as it was written", arguments: 41...52)
    func roundTrip(seed: Int) async throws {
        try await ContentFileTests.withSites { sites in
            let site = sites[0]
            var content = RandomContent(
                seed: UInt64(seed),
                site.store,
                site.workspace,
                now: ContentFileTests.now
            )
            try await content.write()
            let query = JourneyQuery(states: Set(JourneyState.allCases), limit: 100)
            let all = try await site.store.journeys(in: site.workspace, matching: query).journeys
            #expect(!all.isEmpty)
            for journey in all {
                let text = try #require(
                    try await site.service.text(ofJourney: journey.apiID, in: site.workspace)
                )
                let outcome = try await bringIn(text, to: site).outcome
                #expect(outcome.unchanged == 1, "\(text)")
                // Read into another journey, it is the same definition.
                let copy = text.replacing(
                    journey.apiID.uuidString.lowercased(),
                    with: UUID().uuidString.lowercased()
                )
                let made = try await bringIn(copy, to: site)
                let stored = try await site.store.journey(apiID: made.id, in: site.workspace)
                #expect(stored?.draft == journey.draft, "\(text)")
            }
        }
    }

    @Test(
        "what is wrong is named with its line and field, and nothing is stored",
        arguments: [
            ("\"duration\": 3600", "\"duration\": \"x\"", "5 steps.0.duration"),
            ("\"duration\": 3600", "\"duratoin\": 3600", "5 steps.0.duratoin"),
            (
                "\"body\": \"Hi\"", "\"boddy\": \"Hi\"",
                "9 steps.1.variants.0.message.common.message.boddy"
            ),
            ("\"late\": \"Again\"", "\"late\": \"Agian\"", "16 steps.2.late"),
            ("[\"Brazil\"]", "[\"Brasil\"]", "20 steps.3.paths.0.segment.segments.0"),
            ("\"next\": \"Reminder\"", "\"next\": 7", "20 steps.3.paths.0.next"),
            ("\"type\": \"event\"", "\"type\": \"evnt\"", "3 entry.type"),
            ("\"Abandoned cart\"", "\"\"", "2 name"),
        ]
    )
    func refused(_ old: String, _ new: String, _ place: String) async throws {
        try await ContentFileTests.withSites { sites in
            let site = sites[0]
            try await brazil(site)
            let before = try await site.export()
            do {
                _ = try await bringIn(Self.cart.replacing(old, with: new), to: site)
                Issue.record("\(place) was stored")
            } catch let error as ValidationError {
                let places = error.problems.map { problem -> String in
                    guard case .line(let number, let field) = problem.path else { return "" }
                    return "\(number) \(field)"
                }
                #expect(places == [place])
            }
            #expect(try await site.export() == before)
        }
    }

    @Test(
        "the pushes of journeys are no campaigns of the file, and a running journey's draft may come in"
    )
    func running() async throws {
        try await ContentFileTests.withSites { sites in
            let site = sites[0]
            try await brazil(site)
            let (id, _) = try await bringIn(Self.cart, to: site)
            let journey = try #require(
                try await site.store.journey(apiID: id, in: site.workspace)
            )
            _ = try await site.store.publishJourney(
                JourneyPublication(
                    journey: journey.id,
                    draftedAt: journey.updatedAt,
                    migration: .keep,
                    publisher: "Ada"
                ),
                noting: nil,
                now: ContentFileTests.now
            )
            let file = try await site.export()
            #expect(!file.contains("\"kind\":\"campaign\""))
            let changed = file.replacing("\"Abandoned cart\"", with: "\"Left cart\"")
            #expect(try await site.bringIn(changed).changed == 1)
            let now = try #require(try await site.store.journey(journey.id))
            #expect(now.state == .active && now.draft.name == "Left cart")
            #expect(now.hasUnpublishedChanges)
            let version = try await site.store.journeyVersion(1, of: journey.id)
            #expect(version?.definition.name == "Abandoned cart")
            let archived = changed.replacing(
                "{\"entry\":{\"event\"",
                with: "{\"archived\":true,\"entry\":{\"event\""
            )
            #expect(try await site.refusal(archived).contains { $0.hasSuffix(" archived") })
        }
    }
}
