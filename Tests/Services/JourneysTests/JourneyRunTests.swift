import Foundation
import Journeys
import Model
import NoroshiWire
import Testing

@Suite("People in a journey") struct JourneyRunTests {
    private static func welcome(_ change: (inout JourneyDefinition) -> Void = { _ in })
        -> JourneyDefinition
    {
        var steps = Steps()
        steps.push("hello", next: "pause")
        steps.add("pause", .wait(.duration(Steps.day)), next: "again")
        steps.push("again")
        var definition = JourneyDefinition(
            name: "Welcome",
            entry: .event(EventMatch(.custom(name: "signup"))),
            steps: steps.steps
        )
        change(&definition)
        return definition
    }

    @Test("an event lets a person in, who gets each message at its time")
    func entersByEvent() async throws {
        try await JourneyFixture.run { world in
            try await world.user("aki")
            let journey = try await world.start(Self.welcome())
            try await world.event("signup", by: "aki", ["plan": "gold"])
            let first = try await world.settle()
            #expect(first.map(\.text) == ["hello"])
            #expect(first.first?.properties.event["plan"] == "gold")
            #expect(try await world.settle().isEmpty)
            world.advance(Steps.day)
            #expect(try await world.texts() == ["aki: again"])
            let figures = try await world.figures(journey)
            #expect(figures.entered == 1)
            #expect(figures.inside == 0)
            #expect(figures.ended == [.completed: 1])
            #expect(figures.steps.values.allSatisfy { $0.passed == 1 && $0.waiting == 0 })
        }
    }

    @Test("events from before the start, and of more than a day ago, let nobody in")
    func earlierEvents() async throws {
        try await JourneyFixture.run { world in
            try await world.user("aki")
            try await world.event("signup", by: "aki")
            try await world.start(Self.welcome())
            try await world.event("signup", by: "aki", at: world.now.addingTimeInterval(-60))
            #expect(try await world.settle().isEmpty)
            world.advance(3 * Steps.day)
            try await world.event("signup", by: "aki", at: world.now.addingTimeInterval(-90_000))
            #expect(try await world.settle().isEmpty)
            try await world.event("signup", by: "aki", at: world.now.addingTimeInterval(-80_000))
            #expect(try await world.texts() == ["aki: hello"])
        }
    }

    @Test("nobody is in one journey twice, and comes again only where its rule allows it")
    func reentry() async throws {
        try await JourneyFixture.run { world in
            try await world.user("aki")
            try await world.start(Self.welcome { $0.reentry = .after(2 * Steps.hour) })
            try await world.event("signup", by: "aki")
            #expect(try await world.texts() == ["aki: hello"])
            world.advance(3 * Steps.hour)
            try await world.event("signup", by: "aki")
            #expect(try await world.settle().isEmpty)
            world.advance(Steps.day)
            #expect(try await world.texts() == ["aki: again"])
            try await world.event("signup", by: "aki")
            #expect(try await world.texts() == ["aki: hello"])
        }
    }

    @Test("a wait for an event ends with it, and otherwise at its limit")
    func waitsForEvent() async throws {
        try await JourneyFixture.run { world in
            var steps = Steps()
            let late = steps.id("come back")
            let bought = EventMatch(.custom(name: "bought"))
            steps.add("wait", .wait(.event(bought, limit: Steps.day, late: late)), next: "thanks")
            steps.push("thanks")
            steps.push("come back")
            let journey = try await world.start(
                JourneyDefinition(
                    name: "Cart",
                    entry: .event(EventMatch(.custom(name: "cart"))),
                    steps: steps.steps
                )
            )
            for name in ["aki", "ben", "cho"] {
                try await world.user(name)
                try await world.event("cart", by: name)
            }
            #expect(try await world.settle().isEmpty)
            world.advance(Steps.hour)
            try await world.event("bought", by: "aki")
            // An event of before the arrival is not the awaited one.
            try await world.event("bought", by: "ben", at: world.now.addingTimeInterval(-7_200))
            #expect(try await world.texts() == ["aki: thanks"])
            world.advance(Steps.day)
            // It happened in time, though it arrives after the limit.
            try await world.event("bought", by: "cho", at: world.now.addingTimeInterval(-7_200))
            #expect(try await world.texts() == ["ben: come back", "cho: thanks"])
            let wait = try #require(journey.draft.steps.first?.id)
            let figures = try await world.figures(journey).steps[wait]
            #expect(figures?.entered == 3)
            #expect(figures?.passed == 2)
            #expect(figures?.late == 1)
        }
    }

    @Test("a wait for a profile ends with the change after which the person matches")
    func waitsForProfile() async throws {
        try await JourneyFixture.run { world in
            let gold = ListedSegments.query("gold")
            var steps = Steps()
            steps.add("wait", .wait(.match(gold, limit: Steps.day, late: nil)), next: "gold!")
            steps.push("gold!")
            try await world.start(
                JourneyDefinition(
                    name: "Gold",
                    entry: .event(EventMatch(.custom(name: "signup"))),
                    steps: steps.steps
                )
            )
            let aki = try await world.user("aki")
            try await world.event("signup", by: "aki")
            try await world.settle()
            try await world.set(["tier": "silver"], of: "aki")
            #expect(try await world.settle().isEmpty)
            world.audience.set("gold", [aki])
            // Only a change of the profile is looked at.
            #expect(try await world.settle().isEmpty)
            try await world.set(["tier": "gold"], of: "aki")
            #expect(try await world.texts() == ["aki: gold!"])
        }
    }

    @Test("a person leaves by an exit rule or at the goal, and conversions are counted")
    func leaves() async throws {
        try await JourneyFixture.run { world in
            let journey = try await world.start(
                Self.welcome {
                    $0.exits = [.event(EventMatch(.custom(name: "deleted")))]
                    $0.goal = ConversionEvent(event: EventMatch(.custom(name: "bought")))
                    $0.endsAtGoal = true
                }
            )
            for name in ["aki", "ben", "cho"] {
                try await world.user(name)
                try await world.event("signup", by: name)
            }
            #expect(try await world.settle().count == 3)
            try await world.event("deleted", by: "aki")
            try await world.event("bought", by: "ben")
            world.advance(Steps.day)
            #expect(try await world.texts() == ["cho: again"])
            let figures = try await world.figures(journey)
            #expect(figures.ended == [.exitRule: 1, .goal: 1, .completed: 1])
            #expect(figures.converted == 1)
            // Also after the end, within the window.
            try await world.event("bought", by: "cho")
            try await world.settle()
            #expect(try await world.figures(journey).converted == 2)
        }
    }

    @Test("a pause stops everything, and what was done meanwhile counts when it is resumed")
    func pauses() async throws {
        try await JourneyFixture.run { world in
            let journey = try await world.start(Self.welcome())
            try await world.user("aki")
            try await world.event("signup", by: "aki")
            try await world.settle()
            try await world.service.take(.pause, with: journey, by: world.actor)
            world.advance(2 * Steps.day)
            try await world.user("ben")
            try await world.event("signup", by: "ben")
            #expect(try await world.settle().isEmpty)
            world.advance(60)
            try await world.service.take(.resume, with: journey, by: world.actor)
            #expect(try await world.texts() == ["aki: again"])
        }
    }

    @Test("a journey that drains lets nobody in and is over when the last one has left")
    func drains() async throws {
        try await JourneyFixture.run { world in
            let journey = try await world.start(Self.welcome())
            try await world.user("aki")
            try await world.event("signup", by: "aki")
            try await world.settle()
            try await world.service.take(.drain, with: journey, by: world.actor)
            try await world.user("ben")
            try await world.event("signup", by: "ben")
            #expect(try await world.settle().isEmpty)
            #expect(try await world.read(journey).state == .draining)
            world.advance(Steps.day)
            #expect(try await world.texts() == ["aki: again"])
            #expect(try await world.read(journey).state == .stopped)
        }
    }

    @Test("all members of a segment enter once; of another one who comes into it later")
    func segments() async throws {
        try await JourneyFixture.run { world in
            let users = try await [world.user("aki"), world.user("ben"), world.user("cho")]
            let dan = try await world.user("dan")
            world.audience.set("vip", users)
            let vip = ListedSegments.query("vip")
            try await world.start(Self.welcome { $0.entry = .members(vip, at: nil) })
            try await world.start(
                Self.welcome {
                    $0.entry = .entering(vip)
                    $0.steps = Array($0.withNewIdentities { UUID() }.steps)
                }
            )
            #expect(try await world.texts() == ["aki: hello", "ben: hello", "cho: hello"])
            world.audience.set("vip", users.dropFirst() + [dan])
            world.advance(60)
            #expect(try await world.texts() == ["dan: hello"])
        }
    }

    @Test("a request and another journey let people in, with what they bring along")
    func requests() async throws {
        try await JourneyFixture.run { world in
            let aki = try await world.user("aki")
            let second = try await world.start(Self.welcome { $0.entry = .journey })
            var steps = Steps()
            steps.add("on", .enterJourney(second.apiID))
            let first = try await world.start(
                JourneyDefinition(name: "First", entry: .api, steps: steps.steps)
            )
            try await world.service.enter(
                [aki: MessageProperties(trigger: ["code": "42"])],
                into: first,
                by: world.actor
            )
            let sent = try await world.settle()
            #expect(sent.map(\.text) == ["hello"])
            #expect(sent.first?.properties.trigger["code"] == "42")
        }
    }

    @Test("what a step has changed decides at the branch after it")
    func updates() async throws {
        try await JourneyFixture.run { world in
            var steps = Steps()
            let yes = steps.id("yes")
            steps.add("set", .update(JourneyUpdate(attributes: ["tier": "gold"])), next: "branch")
            steps.add(
                "branch",
                .branch([
                    JourneyPath(
                        name: "big",
                        condition: .properties([PropertyCondition("total", .greaterThan, 100)]),
                        next: yes
                    )
                ]),
                next: "no"
            )
            steps.push("yes")
            steps.push("no")
            try await world.start(
                JourneyDefinition(
                    name: "Branch",
                    entry: .event(EventMatch(.custom(name: "order"))),
                    steps: steps.steps
                )
            )
            try await world.user("aki")
            try await world.user("ben")
            try await world.event("order", by: "aki", ["total": 120])
            try await world.event("order", by: "ben", ["total": 80])
            #expect(try await world.texts() == ["aki: yes", "ben: no"])
            #expect(try await world.profile("aki").custom["tier"] == "gold")
        }
    }

    @Test("a split sends about its shares each way, and one person always the same way")
    func splits() async throws {
        try await JourneyFixture.run { world in
            var steps = Steps()
            let (left, right) = (steps.id("left"), steps.id("right"))
            steps.add(
                "split",
                .split([
                    JourneyShare(name: "left", weight: 3, next: left),
                    JourneyShare(name: "right", weight: 1, isControl: true, next: right),
                ])
            )
            steps.push("left")
            steps.push("right")
            let users = try await (0..<80).asyncMap { try await world.user("user-\($0)") }
            world.audience.set("all", users)
            let journey = try await world.start(
                JourneyDefinition(
                    name: "Split",
                    entry: .members(ListedSegments.query("all"), at: nil),
                    steps: steps.steps
                )
            )
            #expect(try await world.settle().count == 80)
            let split = try #require(journey.draft.steps.first?.id)
            let paths = try await world.figures(journey).steps[split]?.paths ?? [:]
            #expect((45...75).contains(paths[0] ?? 0))
            #expect(paths.values.reduce(0, +) == 80)
        }
    }

    @Test("a time on the clock is each person's own")
    func clocks() async throws {
        try await JourneyFixture.run(at: "2026-03-02T00:00:00Z") { world in
            let nine = try #require(TimeOfDay(9, 0))
            var steps = Steps()
            steps.add("nine", .wait(.clock(JourneyClockTime(time: nine))), next: "morning")
            steps.push("morning")
            try await world.start(
                JourneyDefinition(
                    name: "Clock",
                    entry: .event(EventMatch(.custom(name: "signup"))),
                    steps: steps.steps
                )
            )
            try await world.user("lisbon", zone: "Europe/Lisbon")
            try await world.user("tokyo", zone: "Asia/Tokyo")
            for name in ["lisbon", "tokyo"] { try await world.event("signup", by: name) }
            #expect(try await world.settle().isEmpty)
            world.advance(9 * Steps.hour)
            #expect(try await world.texts() == ["lisbon: morning"])
            world.advance(15 * Steps.hour)
            #expect(try await world.texts() == ["tokyo: morning"])
        }
    }
}

extension Sequence {
    fileprivate func asyncMap<Value>(
        _ transform: (Element) async throws -> Value
    ) async rethrows -> [Value] {
        var values: [Value] = []
        for element in self { values.append(try await transform(element)) }
        return values
    }
}
