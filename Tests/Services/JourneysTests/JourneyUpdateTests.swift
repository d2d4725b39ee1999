import Foundation
import Journeys
import Model
import NoroshiWire
import Ports
import Testing

@Suite("What steps change, and whom they converted")
struct JourneyUpdateTests {
    private static func list(
        _ name: String,
        _ users: [ProfileID],
        _ world: JourneyFixture
    ) async throws -> UserListID {
        try await world.store.saveUserList(
            named: name,
            profiles: users,
            author: "mio",
            in: world.workspace,
            noting: nil,
            now: world.now
        ).id
    }

    @Test("a step puts its person on lists and takes them off others, and nobody else")
    func lists() async throws {
        try await JourneyFixture.run { world in
            let aki = try await world.user("aki")
            let ben = try await world.user("ben")
            let joined = try await Self.list("joined", [], world)
            let left = try await Self.list("left", [aki, ben], world)
            let other = try await Self.list("other", [aki, ben], world)
            _ = try await Self.list("nobody", [], world)
            var steps = Steps()
            steps.add(
                "lists",
                .update(JourneyUpdate(addToLists: [joined], removeFromLists: [left]))
            )
            try await world.start(
                JourneyDefinition(
                    name: "Lists",
                    entry: .event(EventMatch(.custom(name: "signup"))),
                    steps: steps.steps
                )
            )
            try await world.event("signup", by: "aki")
            try await world.settle()
            #expect(try await Set(world.store.userLists(of: aki)) == [joined, other])
            #expect(try await Set(world.store.userLists(of: ben)) == [left, other])
        }
    }

    @Test("converted at a step is who did it after coming there, not before")
    func converted() async throws {
        try await JourneyFixture.run { world in
            var steps = Steps()
            steps.push("hello", next: "pause")
            steps.add("pause", .wait(.duration(Steps.day)), next: "again")
            steps.push("again")
            var definition = JourneyDefinition(
                name: "Welcome",
                entry: .event(EventMatch(.custom(name: "signup"))),
                steps: steps.steps
            )
            definition.goal = ConversionEvent(event: EventMatch(.custom(name: "bought")))
            let journey = try await world.start(definition)
            var users: [String: ProfileID] = [:]
            for name in ["early", "exact", "late", "never"] {
                users[name] = try await world.user(name)
                try await world.event("signup", by: name)
            }
            try await world.settle()
            world.advance(Steps.hour)
            try await world.event("bought", by: "early")
            try await world.settle()
            world.advance(23 * Steps.hour)
            #expect(try await world.settle().count == 4)
            // In the very moment in which the step was reached.
            try await world.event("bought", by: "exact")
            world.advance(Steps.hour)
            try await world.event("bought", by: "late")
            try await world.settle()
            for (step, names) in [
                ("hello", ["early", "exact", "late"]), ("again", ["exact", "late"]),
            ] {
                let people = try await world.service.people(
                    at: steps.id(step),
                    of: journey,
                    in: .converted,
                    page: ListPage(size: 10)
                )
                #expect(people.total == names.count, "\(step)")
                #expect(Set(people.entries.map(\.profile)) == Set(names.compactMap { users[$0] }))
            }
        }
    }
}
