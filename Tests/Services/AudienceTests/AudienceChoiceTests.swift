import Audience
import Foundation
import Model
import NoroshiWire
import Ports
import Segments
import StoreSQL
import Testing

@Suite("The audience that is chosen in a form")
struct AudienceChoiceTests {
    private static let now = Date(timeIntervalSince1970: 1_782_777_600)

    private struct World {
        var fixture: ServiceTests.Fixture
        var choices: AudienceChoiceService

        var workspace: WorkspaceID { fixture.workspace }

        func users(_ names: [String]) async throws -> [ProfileID] {
            var ids: [ProfileID] = []
            for name in names {
                try await fixture.track(name, ["plan": .string("gold")])
                let found = try await fixture.store.profile(.external(name), in: workspace)
                ids.append(try #require(found).id)
            }
            return ids
        }

        func segment(_ name: String, in workspace: WorkspaceID) async throws -> SegmentID {
            try await SegmentService(store: fixture.store, now: { now }).create(
                SegmentService.Draft(name: name, definition: .text("plan = \"gold\"")),
                by: .commandLine(account: "Mio", workspace)
            ).id
        }
    }

    private func withWorld(_ body: (World) async throws -> Void) async throws {
        try await ServiceTests.withFixture { fixture in
            try await body(
                World(
                    fixture: fixture,
                    choices: AudienceChoiceService(store: fixture.store, now: { Self.now })
                )
            )
        }
    }

    @Test("comes back as it was chosen")
    func roundTrip() async throws {
        try await withWorld { world in
            _ = try await world.users(["ada"])
            let segment = try await world.segment("Gold", in: world.workspace)
            let choices: [AudienceChoice] = [
                .everyone, .user(externalID: "ada"),
                .segment(id: segment.rawValue, name: "Gold"),
                .filter("plan = \"gold\""),
            ]
            for choice in choices {
                let audience = try await world.choices.audience(choice, in: world.workspace)
                #expect(try await world.choices.choice(of: audience) == choice)
            }
        }
    }

    @Test("of what is shown to whoever matches is a condition for one user, whatever the id")
    func userAsCondition() async throws {
        try await withWorld { world in
            let name = #"a "b" \c"#
            try await world.fixture.service.rebuild()
            _ = try await world.users(["ada", name])
            let query = try await world.choices.query(
                .user(externalID: name),
                in: world.workspace
            )
            #expect(
                try await world.fixture.service.count(in: world.workspace, matching: query).users
                    == 1
            )
            let everyone = try await world.choices.query(.everyone, in: world.workspace)
            #expect(try await world.choices.choice(of: everyone) == .everyone)
        }
    }

    @Test("is refused where there is no such user or segment, also where another workspace has it")
    func unknown() async throws {
        try await withWorld { world in
            let (other, _) = try await ServiceTests.workspace(world.fixture.store, "coffee")
            let segment = try await world.segment("Gold", in: other)
            await #expect(throws: ValidationError(.audience(.user), .noUser)) {
                try await world.choices.audience(.user(externalID: "ada"), in: world.workspace)
            }
            await #expect(throws: ValidationError(.audience(.segment), .noSegment)) {
                try await world.choices.audience(
                    .segment(id: segment.rawValue, name: "Gold"),
                    in: world.workspace
                )
            }
        }
    }

    @Test("names the line and the column of a condition that cannot be read")
    func unreadable() async throws {
        try await withWorld { world in
            let problem = await #expect(throws: ValidationError.self) {
                try await world.choices.audience(
                    .filter("plan = \"gold\"\nand ="),
                    in: world.workspace
                )
            }
            #expect(problem?.problems.first?.message.hasPrefix("line 2, column 5: ") == true)
        }
    }

    @Test("names three of several users, and says that there are more")
    func severalUsers() async throws {
        try await withWorld { world in
            let users = try await world.users(["ada", "bo", "cy", "di"])
            #expect(
                try await world.choices.choice(of: .profiles(users))
                    == .user(externalID: "ada, bo, cy, …")
            )
        }
    }

    @Test("names up to three users by themselves; one who is gone is among the others")
    func fewUsers() async throws {
        try await withWorld { world in
            let users = try await world.users(["ada", "bo", "cy"])
            #expect(
                try await world.choices.choice(of: .profiles(users))
                    == .user(externalID: "ada, bo, cy")
            )
            #expect(
                try await world.choices.choice(of: .profiles([users[0], ProfileID(999)]))
                    == .user(externalID: "ada, …")
            )
        }
    }

    @Test("of a segment and a condition, or of several segments, is a condition that holds all")
    func several() async throws {
        try await withWorld { world in
            let gold = try await world.segment("Gold", in: world.workspace)
            let other = try await world.segment("Other", in: world.workspace)
            let rule = try SegmentParser.parse("age > 1").rule
            let filter = String(decoding: try SegmentJSON.encode(rule), as: UTF8.self)
            let first = "in segment \"\(gold.rawValue)\""
            let second = "in segment \"\(other.rawValue)\""
            for (query, text) in [
                (SegmentQuery(segments: [gold], filter: filter), "\(first) and age > 1"),
                (SegmentQuery(segments: [gold, other]), "\(first) and \(second)"),
                (SegmentQuery(filter: filter), "age > 1"),
            ] {
                #expect(try await world.choices.choice(of: query) == .filter(text))
            }
        }
    }

    @Test("offers users by the beginning of their ids, as many as are asked for")
    func offered() async throws {
        try await withWorld { world in
            _ = try await world.users(["ada", "adele", "bo"])
            func offered(_ text: String, _ limit: Int) async throws -> Int {
                try await world.choices.users(matching: text, limit: limit, in: world.workspace)
                    .count
            }
            #expect(try await offered("ad", 5) == 2)
            #expect(try await offered("ad", 1) == 1)
            #expect(try await offered("", 5) == 3)
            #expect(try await offered("zoe", 5) == 0)
            let users = try await world.choices.users(matching: "", limit: 5, in: world.workspace)
            for id in users.compactMap(\.externalID) {
                let first = try await world.choices.users(
                    matching: id,
                    limit: 1,
                    in: world.workspace
                )
                #expect(first.map(\.externalID) == [id])
            }
        }
    }
}
