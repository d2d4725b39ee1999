import Foundation
import HTTPTypes
import Model
import Ports
import SampleWorkspace
import Testing
import WebPages

@testable import Console
@testable import Journeys

@Suite("What a journey's page says of a random split")
struct JourneySplitPageTests {
    private static let step = JourneyStepID(UUID())

    private static let shares = [
        JourneyShare(name: "Discount", next: nil), JourneyShare(name: "", next: nil),
        JourneyShare(name: "Nothing", isControl: true, next: nil),
    ]

    private func part(
        _ counts: [Int: (users: Int, converted: Int)],
        name: String = "Which offer?",
        shares: [JourneyShare] = Self.shares,
        language: Language = .english
    ) throws -> JourneySplitPart? {
        let words = try Localizations(console: .embedded)[language]
        let found = counts.mapValues {
            JourneySplitCount(users: $0.users, converted: $0.converted)
        }
        return JourneySplitPart(
            JourneySplit(shares, found, smallestLift: 0.1),
            at: JourneyStep(id: Self.step, name: name, kind: .split(shares)),
            words: words
        )
    }

    @Test("who wins is a sentence with the lift and its interval, in every language")
    func winner() throws {
        let counts = [0: (users: 4_000, converted: 900), 2: (users: 4_000, converted: 400)]
        var shares = Self.shares
        shares.remove(at: 1)
        let found = [0: counts[0], 1: counts[2]].compactMapValues(\.self)
        let beginnings: [(Language, String)] = [
            (.english, "Discount converts better than Nothing: +125% ("),
            (.japanese, "DiscountはNothingよりコンバージョン率が高いです：+125%（"),
            (.portuguese, "Discount converte melhor do que Nothing: +125% ("),
        ]
        for (language, beginning) in beginnings {
            let part = try #require(try part(found, shares: shares, language: language))
            #expect(part.answer.hasPrefix(beginning), "\(part.answer)")
            #expect(part.alarm == nil)
            #expect(part.measure.groups.map(\.name) == ["Nothing", "Discount"])
            #expect(part.measure.groups.first?.rate == "10%")
            #expect(part.measure.groups.allSatisfy { !$0.interval.isEmpty })
        }
    }

    @Test("a share without a name is called by its place, a step by what it is")
    func names() throws {
        let part = try #require(try part([0: (10, 1), 1: (12, 2), 2: (9, 1)], name: ""))
        #expect(part.name == "Random split")
        #expect(part.measure.groups.map(\.name) == ["Nothing", "Discount", "Share 2"])
        #expect(part.answer == "It is not known yet which is better.")
    }

    @Test("shares that are not as drawn are an alarm that names them")
    func alarm() throws {
        let part = try #require(try part([0: (900, 90), 1: (400, 40), 2: (900, 90)]))
        #expect(part.alarm?.contains("Share 2 has 18.2%") == true, "\(part.alarm ?? "")")
    }

    @Test("where nobody has come, or all go one way, there is nothing to show")
    func nothing() throws {
        #expect(try part([:]) == nil)
        let one = [JourneyShare(name: "All", next: nil)]
        #expect(try part([0: (10, 1)], shares: one) == nil)
    }

    @Test("the page has the result of a published journey with a goal", arguments: [true, false])
    func page(hasGoal: Bool) async throws {
        try await ConsoleBrowser.open { browser, store in
            let workspace = try #require(try await store.workspaces().first).id
            let journey = try await Self.walked(hasGoal: hasGoal, store, workspace)
            try await browser.logIn()
            let page = try await browser.get(ConsolePath.journey("\(journey)").path)
            #expect(page.status == .ok)
            #expect(page.text.contains("Result: Which offer?") == hasGoal)
            #expect(page.text.contains("It is not known yet which is better.") == hasGoal)
        }
    }

    /// A journey whose people took each share in turn.
    private static func walked(
        hasGoal: Bool,
        _ store: any Store,
        _ workspace: WorkspaceID
    ) async throws -> JourneyID {
        let now = Date(timeIntervalSince1970: 1_790_000_000)
        var definition = JourneyDefinition(
            name: "Offers",
            entry: .event(EventMatch(.custom(name: "menu_viewed"))),
            steps: [JourneyStep(id: step, name: "Which offer?", kind: .split(shares))]
        )
        if hasGoal {
            definition.goal = ConversionEvent(
                event: EventMatch(.custom(name: "table_reserved")),
                window: 86_400
            )
        }
        let created = try await store.createJourney(
            definition,
            apiID: UUID(),
            in: workspace,
            from: .direct,
            noting: { _ in nil },
            now: now
        )
        let publication = JourneyPublication(
            journey: created.id,
            draftedAt: created.updatedAt,
            migration: .keep,
            publisher: "Ada"
        )
        _ = try #require(try await store.publishJourney(publication, noting: nil, now: now))
        let known = try await store.profiles(
            externalIDs: ["yuki", "ana", "taro"],
            in: workspace
        )
        let moves = known.values.sorted().enumerated().map { index, user in
            var entry = JourneyEntry(
                id: JourneyEntryID(0),
                journey: created.id,
                profile: user,
                number: 0,
                version: 1,
                enteredAt: now
            )
            entry.end = .completed
            entry.endedAt = now
            let passage = JourneyPassage(
                step: step,
                number: 0,
                version: 1,
                arrivedAt: now,
                leftAt: now,
                outcome: .passed,
                path: index % shares.count
            )
            return JourneyMove(before: nil, after: entry, passages: [passage])
        }
        _ = try #require(try await store.commit(JourneyCommit(moves: moves), now: now))
        return created.id
    }
}
