import Audience
import Foundation
import Model
import Ports
import Reasons
import Segments
import StoreSQL
import Testing

@Suite("Saving segments and lists")
struct SegmentServiceTests {
    private static let now = Date(timeIntervalSince1970: 1_790_000_000)

    private struct World {
        var fixture: ServiceTests.Fixture
        var other: WorkspaceID

        var segments: SegmentService { SegmentService(store: fixture.store, now: { now }) }
        var lists: UserListService { UserListService(store: fixture.store, now: { now }) }

        func actor(_ workspace: WorkspaceID? = nil) -> Actor {
            .commandLine(account: "mio", workspace ?? fixture.workspace)
        }

        func segment(
            _ name: String,
            _ text: String = "age > 1",
            description: String? = nil,
            in workspace: WorkspaceID? = nil
        ) async throws -> StoredSegment {
            try await segments.create(
                SegmentService.Draft(
                    name: name,
                    description: description,
                    definition: .text(text)
                ),
                by: actor(workspace)
            )
        }
    }

    private func withWorld(_ body: (World) async throws -> Void) async throws {
        try await ServiceTests.withFixture { fixture in
            let (other, _) = try await ServiceTests.workspace(fixture.store, "coffee")
            try await body(World(fixture: fixture, other: other))
        }
    }

    @Test("a name has 1 to 250 characters, however many bytes, and no blanks around it")
    func names() async throws {
        try await withWorld { world in
            let longest = String(repeating: "茶", count: 250)
            try await world.fixture.track("ada", [:])
            let file = Array("ada".utf8)
            #expect(try await world.segment(" \(longest)\n").content.name == longest)
            let list = try await world.lists.upload(file, as: " \(longest)\n", by: world.actor())
            #expect(list.list.name == longest)
            for name in [longest + "茶", "", " \n\t"] {
                await #expect(
                    throws: ValidationError(.segment(.name), .listName, ["count": "250"])
                ) {
                    try await world.segment(name)
                }
                await #expect(
                    throws: ValidationError(.userList(.name), .listName, ["count": "250"])
                ) {
                    try await world.lists.upload(file, as: name, by: world.actor())
                }
                await #expect(
                    throws: ValidationError(.userList(.name), .listName, ["count": "250"])
                ) {
                    try await world.lists.rename(list.list.id, to: name, by: world.actor())
                }
            }
        }
    }

    @Test("a name is taken in its own workspace, and free in another")
    func taken() async throws {
        try await withWorld { world in
            _ = try await world.segment("Gold")
            await #expect(
                throws: ValidationError(.segment(.name), .segmentNameTaken, ["name": "Gold"])
            ) {
                try await world.segment("Gold")
            }
            _ = try await world.segment("Gold", in: world.other)
            try await world.fixture.track("ada", [:])
            let file = Array("ada".utf8)
            _ = try await world.lists.upload(file, as: "Summer", by: world.actor())
            let winter = try await world.lists.upload(file, as: "Winter", by: world.actor())
            await #expect(throws: ValidationError(.userList(.name), .listTaken, ["name": "Summer"]))
            {
                try await world.lists.rename(winter.list.id, to: "Summer", by: world.actor())
            }
        }
    }

    @Test("a segment is there in its workspace until it is archived")
    func archived() async throws {
        try await withWorld { world in
            let segment = try await world.segment("Gold")
            let workspace = world.fixture.workspace
            #expect(try await world.segments.segment(segment.id, in: workspace) == segment)
            #expect(try await world.segments.segment(segment.id, in: world.other) == nil)
            let draft = SegmentService.Draft(name: "Mine", definition: .text("age > 2"))
            #expect(
                try await !world.segments.update(
                    segment.id,
                    to: draft,
                    by: world.actor(world.other)
                )
            )
            #expect(
                try await !world.segments.archive(segment.id, by: world.actor(world.other))
            )
            #expect(try await world.segments.segments(in: workspace) == [segment])
            #expect(try await world.segments.archive(segment.id, by: world.actor()))
            #expect(try await world.segments.segment(segment.id, in: workspace) == nil)
            #expect(try await world.segments.segments(in: workspace).isEmpty)
            #expect(
                try await !world.segments.update(segment.id, to: draft, by: world.actor())
            )
        }
    }

    @Test("a description that is not said stays; one that is said takes its place")
    func description() async throws {
        try await withWorld { world in
            let segment = try await world.segment("Gold", description: "dear")
            func described(_ text: String?) async throws -> String? {
                let draft = SegmentService.Draft(
                    name: "Gold",
                    description: text,
                    definition: .text("age > 2")
                )
                _ = try await world.segments.update(segment.id, to: draft, by: world.actor())
                return try await world.segments.segment(
                    segment.id,
                    in: world.fixture.workspace
                )?.content.description
            }
            #expect(try await described(nil) == "dear")
            #expect(try await described("dearer") == "dearer")
            #expect(try await described("") == "")
            #expect(try await world.segment("Silver").content.description == "")
        }
    }

    @Test(
        "what a segment refers to cannot go, however deep the reference stands",
        arguments: [
            "in $", "not in $", "age > 1 and in $", "age > 1 or (age > 2 and not in $)",
        ]
    )
    func used(text: String) async throws {
        try await withWorld { world in
            try await world.fixture.track("ada", [:])
            _ = try await world.segment("Alone", "age > 3")
            let gold = try await world.segment("Gold")
            let list = try await world.lists.upload(
                Array("ada".utf8),
                as: "Summer",
                by: world.actor()
            ).list
            // One that nothing refers to.
            let free = try await world.lists.upload(
                Array("ada".utf8),
                as: "Winter",
                by: world.actor()
            ).list
            _ = try await world.segment(
                "S",
                text.replacing("in $", with: #"in segment "Gold""#)
            )
            await #expect(throws: RefusalError(.segmentUsed, ["name": "S"])) {
                try await world.segments.archive(gold.id, by: world.actor())
            }
            _ = try await world.segment("L", text.replacing("in $", with: #"in list "Summer""#))
            await #expect(throws: RefusalError(.listUsed, ["name": "L"])) {
                try await world.lists.delete(list.id, by: world.actor())
            }
            #expect(try await world.lists.delete(free.id, by: world.actor()))
            #expect(
                try await !world.lists.delete(list.id, by: world.actor(world.other))
            )
        }
    }

    @Test("an uploaded list has those who are known, and says who is not, in the file's order")
    func upload() async throws {
        try await withWorld { world in
            try await world.fixture.track("ada", [:])
            try await world.fixture.track("bo", [:])
            let file = Array("id\nnobody\nbo\nghost\nada\n".utf8)
            let upload = try await world.lists.upload(file, as: "Summer", by: world.actor())
            #expect(upload.list.users == 2)
            #expect(upload.unknown == ["nobody", "ghost"])
            // The list of a name gets the users of the last file.
            let again = try await world.lists.upload(
                Array("bo".utf8),
                as: "Summer",
                by: world.actor()
            )
            #expect(again.list.id == upload.list.id && again.list.users == 1)
            #expect(try await world.lists.lists(in: world.fixture.workspace).map(\.users) == [1])
            await #expect(throws: ValidationError(.userList(.file), .noIDs)) {
                try await world.lists.upload(Array("id\n,x\n".utf8), as: "a", by: world.actor())
            }
            await #expect(throws: ValidationError(.userList(.file), .noText)) {
                try await world.lists.upload([0xFF, 0x41], as: "a", by: world.actor())
            }
        }
    }
}
