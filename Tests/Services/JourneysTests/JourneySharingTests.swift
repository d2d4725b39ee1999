import Foundation
import Journeys
import Model
import NoroshiWire
import Ports
import Testing

@Suite("Journeys that several look at") struct JourneySharingTests {
    private static func waiting() -> JourneyDefinition {
        var steps = Steps()
        steps.push("hello", next: "wait")
        steps.add("wait", .wait(.duration(Steps.hour)), next: "again")
        steps.push("again")
        return JourneyDefinition(
            name: "Welcome",
            entry: .event(EventMatch(.custom(name: "signup"))),
            steps: steps.steps
        )
    }

    @Test(
        "two servers share the work: what one holds the other leaves, and takes over when it is gone"
    )
    func twoServers() async throws {
        try await JourneyFixture.run { world in
            let journey = try await world.start(Self.waiting())
            for name in ["aki", "ben", "cho", "dai"] {
                try await world.user(name)
                try await world.event("signup", by: name)
            }
            let first = world.runner { $0.owner = "one" }
            let second = world.runner { $0.owner = "two" }
            var sent: [JourneyFixture.Sent] = []
            for _ in 0..<10 {
                async let left = first.step()
                async let right = second.step()
                _ = try await (left, right)
                sent += try await world.deliver()
            }
            #expect(sent.map(\.user).sorted() == ["aki", "ben", "cho", "dai"])
            #expect(try await world.figures(journey).entered == 4)
            // The one that held it is gone; when its lease is over the other goes on.
            world.advance(Steps.hour)
            for _ in 0..<5 {
                _ = try await second.step()
                sent += try await world.deliver()
            }
            #expect(
                sent.filter { $0.text == "again" }.map(\.user).sorted()
                    == ["aki", "ben", "cho", "dai"]
            )
            #expect(try await world.figures(journey).ended == [.completed: 4])
        }
    }

    @Test("of two who publish the same draft at once one succeeds, and the other is told")
    func publishedTwice() async throws {
        try await JourneyFixture.run { world in
            let draft = try await world.service.create(Self.waiting(), by: world.actor)
            let service = world.service
            let actor = world.actor
            let versions = await withTaskGroup(of: Int?.self) { group in
                for _ in 0..<4 {
                    group.addTask { try? await service.publish(draft, by: actor).version }
                }
                return await group.reduce(into: [Int?]()) { $0.append($1) }
            }
            #expect(versions.compactMap(\.self) == [1])
            await #expect(throws: RefusalError.self) {
                _ = try await world.service.publish(draft, by: world.actor)
            }
            #expect(try await world.service.versions(of: draft).map(\.number) == [1])
        }
    }

    @Test(
        "who travels while they wait for a time of the clock goes on when it has come where they are"
    )
    func travels() async throws {
        // 09:00 in Tokyo is 00:00 UTC, and 12:00 UTC in São Paulo.
        try await JourneyFixture.run(at: "2026-03-02T00:30:00Z") { world in
            var steps = Steps()
            let nine = try #require(TimeOfDay("09:00"))
            steps.add("wait", .wait(.clock(JourneyClockTime(time: nine))), next: "morning")
            steps.push("morning")
            let journey = try await world.start(
                JourneyDefinition(
                    name: "Morning",
                    entry: .event(EventMatch(.custom(name: "signup"))),
                    steps: steps.steps
                )
            )
            let aki = try await world.user("aki", zone: "Asia/Tokyo")
            try await world.event("signup", by: "aki")
            try await world.settle()
            func due() async throws -> Date? {
                try await world.store.entries(of: aki, in: journey.id).first?.position?.dueAt
            }
            let tokyo = try #require(Timestamp.parse("2026-03-03T00:00:00Z"))
            #expect(try await due() == tokyo)
            try await world.set(["time_zone": "America/Sao_Paulo"], of: "aki")
            #expect(try await world.settle().isEmpty)
            // Nobody who waits is looked at before their time. Then the clock of the person counts.
            world.advance(tokyo.timeIntervalSince(world.now))
            let first = try await world.texts()
            let saoPaulo = try #require(Timestamp.parse("2026-03-02T12:00:00Z"))
            // In São Paulo nine o'clock after the arrival had passed before.
            #expect(saoPaulo < world.now)
            #expect(first == ["aki: morning"])
        }
    }

    @Test("who travels west is not sent on before their own clock shows the time")
    func travelsWest() async throws {
        try await JourneyFixture.run(at: "2026-03-02T13:00:00Z") { world in
            var steps = Steps()
            let nine = try #require(TimeOfDay("09:00"))
            steps.add("wait", .wait(.clock(JourneyClockTime(time: nine))), next: "morning")
            steps.push("morning")
            try await world.start(
                JourneyDefinition(
                    name: "Morning",
                    entry: .event(EventMatch(.custom(name: "signup"))),
                    steps: steps.steps
                )
            )
            try await world.user("aki", zone: "Asia/Tokyo")
            try await world.event("signup", by: "aki")
            try await world.settle()
            try await world.set(["time_zone": "America/Sao_Paulo"], of: "aki")
            // Nine o'clock in Tokyo: in São Paulo it is nine in the evening.
            world.advance(11 * Steps.hour)
            #expect(try await world.settle().isEmpty)
            world.advance(12 * Steps.hour)
            #expect(try await world.texts() == ["aki: morning"])
        }
    }
}
