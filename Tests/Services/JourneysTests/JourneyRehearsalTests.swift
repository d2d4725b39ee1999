import Foundation
import Journeys
import Model
import NoroshiWire
import Ports
import Scheduling
import Testing

@Suite("Test runs of a journey") struct JourneyRehearsalTests {
    private static let signup = EventMatch(.custom(name: "signup"))

    /// A message at once, one on the next morning, and one for those who have not bought by then.
    private static func definition() -> JourneyDefinition {
        var steps = Steps()
        steps.push("hello", next: "night")
        let morning = TimeOfDay(9, 0).map { JourneyWait.clock(JourneyClockTime(time: $0)) }
        steps.add("night", .wait(morning ?? .quietHours), next: "morning")
        steps.push("morning", next: "bought")
        let late = steps.id("hint")
        steps.add(
            "bought",
            .wait(
                .event(EventMatch(.purchase(product: nil)), limit: 2 * Steps.day, late: late)
            ),
            next: "chance"
        )
        let (left, right) = (steps.id("left"), steps.id("right"))
        steps.add(
            "chance",
            .split([
                JourneyShare(name: "A", next: left), JourneyShare(name: "B", next: right),
            ])
        )
        steps.push("left")
        steps.push("right")
        steps.push("hint")
        return JourneyDefinition(name: "Days", entry: .event(signup), steps: steps.steps)
    }

    private struct Walked: Hashable {
        var step: JourneyStepID
        var at: Date
        var outcome: JourneyPassage.Outcome
        var path: Int?
    }

    @Test(
        "what is told beforehand is what happens, step by step and to the minute",
        arguments: [false, true]
    )
    func agreement(buys: Bool) async throws {
        try await JourneyFixture.run { world in
            let journey = try await world.start(Self.definition())
            let user = try await world.user("aki", zone: "Asia/Tokyo")
            let start = world.now
            let purchase = JourneyEvent(
                name: "$purchase",
                properties: [:],
                time: start.addingTimeInterval(30 * Steps.hour)
            )
            let told = try #require(
                try await world.service.rehearse(
                    Self.definition(of: journey),
                    with: JourneyRehearsal.Request(
                        journey: journey.apiID,
                        profile: user,
                        start: start,
                        events: buys ? [purchase] : [],
                        end: start.addingTimeInterval(30 * Steps.day)
                    ),
                    in: world.workspace
                )
            )
            #expect(try await world.figures(journey) == JourneyFigures())
            #expect(told.entry.end == .completed)
            try await world.event("signup", by: "aki")
            for hour in 0..<(7 * 24) {
                if buys, hour == 30 { try await world.event("$purchase", by: "aki") }
                try await world.settle()
                world.advance(Steps.hour)
            }
            let entry = try #require(try await world.store.entries(of: user, in: journey.id).first)
            let walked = try await world.store.passages(of: entry.id).map {
                Walked(step: $0.step, at: $0.leftAt, outcome: $0.outcome, path: $0.path)
            }
            let foretold = told.moments.flatMap(\.passages).map {
                Walked(step: $0.step, at: $0.leftAt, outcome: $0.outcome, path: $0.path)
            }
            #expect(walked == foretold)
            #expect(walked.count == (buys ? 6 : 5))
        }
    }

    private static func definition(of journey: Journey) -> JourneyDefinition { journey.draft }

    @Test("a circle of waits comes to an end where the clock stops")
    func circle() async throws {
        try await JourneyFixture.run { world in
            var steps = Steps()
            steps.add("first", .wait(.duration(60)), next: "second")
            steps.add("second", .wait(.duration(60)), next: "first")
            let definition = JourneyDefinition(
                name: "Round",
                entry: .event(Self.signup),
                steps: steps.steps
            )
            let user = try await world.user("aki")
            let told = try await world.service.rehearse(
                definition,
                with: JourneyRehearsal.Request(
                    profile: user,
                    start: world.now,
                    end: world.now.addingTimeInterval(366 * Steps.day)
                ),
                in: world.workspace
            )
            #expect(told?.moments.count == 400)
            #expect(told?.entry.end == nil)
            let none = try await world.service.rehearse(
                JourneyDefinition(name: "Empty", entry: .api),
                with: JourneyRehearsal.Request(profile: user, start: world.now, end: world.now),
                in: world.workspace
            )
            #expect(none == nil)
        }
    }

    @Test("the figures of a list are those of each journey")
    func totals() async throws {
        try await JourneyFixture.run { world in
            let journey = try await world.start(Self.definition())
            let other = try await world.start(Self.definition())
            for name in ["aki", "ben", "cho"] {
                try await world.user(name)
                try await world.event("signup", by: name)
            }
            try await world.settle()
            try await world.service.take(.stop, with: world.read(other), by: world.actor)
            let totals = try await world.service.totals(of: [journey, other])
            for one in [journey, other] {
                let figures = try await world.figures(one)
                #expect(
                    totals[one.id]
                        == JourneyTotals(
                            entered: figures.entered,
                            inside: figures.inside,
                            converted: figures.converted
                        )
                )
            }
            #expect(totals[other.id]?.inside == 0)
            #expect(totals[journey.id]?.inside == 3)
        }
    }
}
