import Experiments
import Foundation
import Journeys
import Model
import NoroshiWire
import Testing

@Suite("Random splits as experiments") struct JourneySplitTests {
    private static let goal = ConversionEvent(
        event: EventMatch(.custom(name: "bought")),
        window: Steps.day
    )

    private static func definition(_ weights: (Int, Int) = (1, 1)) -> JourneyDefinition {
        var steps = Steps()
        steps.add(
            "split",
            .split([
                JourneyShare(name: "offer", weight: weights.0, next: steps.id("wait")),
                JourneyShare(name: "nobody", weight: 0, next: nil),
                JourneyShare(
                    name: "control",
                    weight: weights.1,
                    isControl: true,
                    next: steps.id("wait")
                ),
            ])
        )
        steps.add("wait", .wait(.duration(Steps.hour)))
        var definition = JourneyDefinition(
            name: "Split",
            entry: .event(EventMatch(.custom(name: "signup"))),
            steps: steps.steps
        )
        definition.goal = goal
        definition.reentry = .after(0)
        return definition
    }

    @Test("each user counts once, for the share drawn first, and converted after it")
    func counted() async throws {
        try await JourneyFixture.run { world in
            let journey = try await world.start(Self.definition())
            let step = try #require(journey.draft.steps.first?.id)
            let empty = try #require(try await world.service.split(at: step, of: journey))
            #expect(empty.groups.map(\.users) == [0, 0] && empty.split == nil)
            #expect(empty.experiment.verdict == .nothingToCompare)
            let names = (0..<30).map { "user\($0)" }
            for name in names {
                try await world.user(name)
                try await world.event("signup", by: name)
            }
            while try await world.runner({ $0.chunk = 100 }).step() {}
            // Every third buys, before the wait is over.
            world.advance(60)
            for name in names.enumerated().filter({ $0.offset % 3 == 0 }).map(\.element) {
                try await world.event("bought", by: name)
            }
            while try await world.runner({ $0.chunk = 100 }).step() {}
            world.advance(2 * Steps.hour)
            while try await world.runner({ $0.chunk = 100 }).step() {}
            // Who comes again may be drawn for another share, and is not counted for it.
            for name in names.prefix(10) { try await world.event("signup", by: name) }
            while try await world.runner({ $0.chunk = 100 }).step() {}

            // Counted from what each person is told.
            var users: [Int: Int] = [:]
            var converted: [Int: Int] = [:]
            for name in names {
                let profile = try await world.profile(name)
                let entries = try await world.service.explanations(of: profile, in: journey)
                let first = try #require(entries.last)
                let passage = try #require(first.passages.first { $0.step == step })
                let path = try #require(passage.path)
                users[path, default: 0] += 1
                if first.entry.convertedAt != nil { converted[path, default: 0] += 1 }
            }
            let split = try #require(try await world.service.split(at: step, of: journey))
            #expect(split.groups.map(\.index) == [2, 0])
            #expect(split.groups.map(\.identity) == [.control, .variant(0)])
            for group in split.groups {
                #expect(group.users == users[group.index])
                #expect(group.converted == converted[group.index, default: 0])
            }
            #expect(split.groups.map(\.users).reduce(0, +) == 30)
            #expect(split.groups.map(\.converted).reduce(0, +) == 10)
            #expect(split.split?.isAlarm == false)
            #expect(split.experiment.arms.map(\.group) == [.control, .variant(0)])
        }
    }

    @Test("shares that were changed begin anew, and a step of another kind is no split")
    func changed() async throws {
        try await JourneyFixture.run { world in
            let first = Self.definition()
            let journey = try await world.start(first)
            let step = try #require(journey.draft.steps.first?.id)
            for name in ["aki", "ben"] {
                try await world.user(name)
                try await world.event("signup", by: name)
            }
            try await world.settle()
            func users(_ journey: Journey) async throws -> Int? {
                try await world.service.split(at: step, of: journey)?
                    .groups.map(\.users).reduce(0, +)
            }
            #expect(try await users(journey) == 2)
            // Another name changes nothing in who is drawn.
            var renamed = first
            renamed.name = "Renamed"
            let second = try await world.publish(renamed, of: journey)
            #expect(try await users(second) == 2)
            var other = renamed
            if case .split(var shares) = other.steps[0].kind {
                shares[0].weight = 3
                other.steps[0].kind = .split(shares)
            }
            let third = try await world.publish(other, of: second)
            #expect(try await users(third) == 0)
            let wait = try #require(third.draft.steps.last?.id)
            #expect(try await world.service.split(at: wait, of: third) == nil)
        }
    }
}
