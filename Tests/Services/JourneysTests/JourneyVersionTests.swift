import Foundation
import Journeys
import Model
import NoroshiWire
import Ports
import Reasons
import Testing

@Suite("Versions of a journey") struct JourneyVersionTests {
    private static let signup = EventMatch(.custom(name: "signup"))

    /// Two waits with a message between them, and their identities.
    private static func waits() -> (definition: JourneyDefinition, steps: Steps) {
        var steps = Steps()
        steps.add("first", .wait(.duration(3 * Steps.day)), next: "one")
        steps.push("one", next: "second")
        steps.add("second", .wait(.duration(3 * Steps.day)), next: "two")
        steps.push("two")
        let definition = JourneyDefinition(
            name: "Waits",
            entry: .event(signup),
            steps: steps.steps
        )
        return (definition, steps)
    }

    @Test("each person goes on with the version that they entered, unless they are moved")
    func keeps() async throws {
        try await JourneyFixture.run { world in
            var (definition, _) = Self.waits()
            let journey = try await world.start(definition)
            try await world.user("aki")
            try await world.user("ben")
            try await world.event("signup", by: "aki")
            try await world.settle()
            definition.steps[0].kind = .wait(.duration(Steps.day))
            try await world.publish(definition, of: journey)
            try await world.event("signup", by: "ben")
            try await world.settle()
            world.advance(Steps.day)
            #expect(try await world.texts() == ["ben: one"])
            world.advance(2 * Steps.day)
            #expect(try await world.texts() == ["aki: one"])
        }
    }

    @Test("a preview says what happens, and it does: some go on at once, some wait, some leave")
    func moves() async throws {
        try await JourneyFixture.run { world in
            var (definition, steps) = Self.waits()
            let journey = try await world.start(definition)
            for name in ["aki", "ben", "cho"] { try await world.user(name) }
            try await world.event("signup", by: "aki")
            try await world.settle()
            world.advance(3 * Steps.day)
            try await world.event("signup", by: "ben")
            #expect(try await world.texts() == ["aki: one"])
            world.advance(Steps.day + Steps.hour)
            try await world.event("signup", by: "cho")
            try await world.settle()
            let (first, second) = (steps.id("first"), steps.id("second"))
            definition.steps[0].kind = .wait(.duration(Steps.day))
            definition.steps[1].next = nil
            definition.steps.removeSubrange(2...)
            try await world.service.update(
                world.read(journey),
                to: definition,
                by: world.actor
            )
            let preview = try await world.service.preview(
                of: .move(removed: [:]),
                of: world.read(journey)
            )
            #expect(
                preview == [
                    JourneyMigrationPreview(step: first, waiting: 2, staying: 1, goingOn: 1),
                    JourneyMigrationPreview(step: second, waiting: 1, leaving: 1),
                ]
            )
            try await world.publish(definition, of: journey, .move(removed: [:]))
            #expect(try await world.texts() == ["ben: one"])
            let figures = try await world.figures(journey)
            #expect(figures.inside == 1)
            #expect(figures.ended == [.removedStep: 1, .completed: 1])
        }
    }

    @Test("whoever waits at a removed step goes on where the version says")
    func goesOn() async throws {
        try await JourneyFixture.run { world in
            var (definition, steps) = Self.waits()
            let journey = try await world.start(definition)
            try await world.user("aki")
            try await world.event("signup", by: "aki")
            try await world.settle()
            let (first, second, two) = (steps.id("first"), steps.id("second"), steps.id("two"))
            definition.steps.removeFirst()
            try await world.publish(definition, of: journey, .move(removed: [first: two]))
            #expect(try await world.texts() == ["aki: two"])
            #expect(try await world.figures(journey).steps[second] == nil)
        }
    }

    @Test("what cannot be gone through is not published, and each fault is named at its step")
    func validation() async throws {
        try await JourneyFixture.run { world in
            var steps = Steps()
            steps.add("jump", .jump, next: "back")
            steps.add("back", .jump, next: "jump")
            steps.add("alone", .wait(.duration(1)), next: "nowhere")
            let draft = try await world.service.create(
                JourneyDefinition(name: "Odd", entry: .event(Self.signup), steps: steps.steps),
                by: world.actor
            )
            let problems = try await world.service.problems(
                of: draft.draft,
                in: world.workspace
            )
            #expect(
                Set(problems.map(\.field)) == [
                    "steps.0.next", "steps.1.next", "steps.2.id", "steps.2.next",
                    "steps.2.duration",
                ]
            )
            await #expect(throws: ValidationError.self) {
                try await world.service.publish(draft, by: world.actor)
            }
        }
    }

    @Test("who is merged into somebody inside leaves, and otherwise goes on as the other")
    func merges() async throws {
        try await JourneyFixture.run { world in
            let (definition, _) = Self.waits()
            let journey = try await world.start(definition)
            for name in ["aki", "ben", "cho"] { try await world.user(name) }
            for name in ["aki", "ben"] { try await world.event("signup", by: name) }
            try await world.settle()
            for (source, target) in [("aki", "ben"), ("ben", "cho")] {
                _ = try await world.store.apply(
                    [.merge(.external(source), into: .external(target))],
                    in: world.workspace,
                    now: world.now
                )
            }
            let figures = try await world.figures(journey)
            #expect(figures.ended == [.merged: 1])
            #expect(figures.inside == 1)
            world.advance(3 * Steps.day)
            #expect(try await world.settle().map(\.user).allSatisfy { $0 == "cho" })
            #expect(try await world.figures(journey).steps.values.map(\.waiting).max() == 1)
        }
    }

    @Test("somebody is told where a person is, since when, and what comes next")
    func explains() async throws {
        try await JourneyFixture.run { world in
            var (definition, steps) = Self.waits()
            definition.steps.removeSubrange(2...)
            definition.steps[1].next = nil
            let journey = try await world.start(definition)
            try await world.user("aki")
            try await world.event("signup", by: "aki")
            let entered = world.now
            try await world.settle()
            let profile = try await world.profile("aki")
            let found = try await world.service.explanations(of: profile, in: journey)
            #expect(found.first?.step?.id == steps.id("first"))
            #expect(
                found.first?.next
                    == .time(entered.addingTimeInterval(3 * Steps.day), to: steps.id("one"))
            )
            world.advance(3 * Steps.day)
            try await world.settle()
            let after = try await world.service.explanations(of: profile, in: journey)
            #expect(after.first?.next == .over(.completed, at: world.now))
            #expect(after.first?.passages.map(\.outcome) == [.passed, .passed])
            #expect(after.first?.passages.last?.send != nil)
        }
    }
}
