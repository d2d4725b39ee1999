import Model
import NoroshiWire
import Reports
import Segments
import Testing

@testable import Audience

@Suite("The limits of tables of properties")
struct PropertyTableLimitTests {
    @Test("what takes too much memory gets no table, and its rows are read")
    func tooLarge() async throws {
        var policy = ColumnPolicy()
        policy.maxTableMemory = 500
        try await PropertyTableWorld.with(policy: policy) { world in
            try await world.track(0..<10, "view") { ["sku": .integer($0), "kind": .string("tea")] }
            for _ in 1...2 {
                #expect(try await world.check("view", by: "sku") == 10)
                #expect(!world.hasTables(["sku"], of: "view"))
            }
            try await world.check("view", by: "kind")
            #expect(world.hasTables(["kind"], of: "view"))
            // What is too large leaves the table of another property in place.
            #expect(try await world.check("view", by: "sku") == 10)
            #expect(world.hasTables(["kind"], of: "view"))
            // One that grows beyond the limit is given up, and nothing is lost.
            try await world.track(0..<10, "view") { ["kind": .string("kind \($0)")] }
            #expect(try await world.check("view", by: "kind") == 20)
            #expect(!world.hasTables(["kind"], of: "view"))
            #expect(try await world.tables().isEmpty)
        }
    }

    @Test("a few long values take as much as many short ones")
    func longValues() async throws {
        var policy = ColumnPolicy()
        policy.maxTableMemory = 2_000
        try await PropertyTableWorld.with(policy: policy) { world in
            try await world.track(0..<4, "view") {
                ["note": .string(String(repeating: "\($0)", count: 600)), "kind": .integer($0)]
            }
            #expect(try await world.check("view", by: "note") == 4)
            #expect(!world.hasTables(["note"], of: "view"))
            try await world.check("view", by: "kind")
            #expect(world.hasTables(["kind"], of: "view"))
        }
    }

    @Test("two properties that do not fit together have a table one after the other")
    func either() async throws {
        var policy = ColumnPolicy()
        policy.maxTableMemory = 600
        try await PropertyTableWorld.with(policy: policy) { world in
            try await world.track(0..<10, "view") {
                ["size": .integer($0 % 5), "color": .integer($0 % 6)]
            }
            for (name, other) in [("size", "color"), ("color", "size"), ("size", "color")] {
                #expect(try await world.check("view", by: name) == 10)
                #expect(world.hasTables([name], of: "view"))
                #expect(!world.hasTables([other], of: "view"))
            }
        }
    }

    @Test("an activity with too many occurrences gets no table")
    func tooMany() async throws {
        var policy = ColumnPolicy()
        policy.maxTableOccurrences = 9
        try await PropertyTableWorld.with(policy: policy) { world in
            try await world.track(0..<10, "view") { _ in ["kind": .string("tea")] }
            #expect(try await world.check("view", by: "kind") == 10)
            #expect(!world.hasTables(["kind"], of: "view"))
        }
    }

    @Test("a table has at most so many properties, those asked for last")
    func properties() async throws {
        var policy = ColumnPolicy()
        policy.maxTableProperties = 2
        try await PropertyTableWorld.with(policy: policy) { world in
            try await world.track(0..<10, "view") {
                ["a": .integer($0), "b": .integer($0), "c": .integer($0)]
            }
            for name in ["a", "b", "c"] { try await world.check("view", by: name) }
            #expect(world.hasTables(["c"], of: "view"))
            #expect(!world.hasTables(["a", "b", "c"], of: "view"))
            var question = PropertyTableWorld.series("view", by: "a")
            let tests = ["b", "c"].map {
                ActivityCondition.Property(path: RandomReports.path($0), test: .exists)
            }
            question.figure = .activity(ReportActivity(.event("view"), properties: tests))
            let answer = try await world.reports.series(question, in: world.workspace)
            #expect(answer.line.whole.total == 10)
            #expect(try await answer == world.rows().series(question))
            #expect(world.hasTables(["c"], of: "view"))
        }
    }

    @Test("what never happened needs no table, until it happens")
    func never() async throws {
        try await PropertyTableWorld.with { world in
            try await world.track(0..<1, "view") { _ in [:] }
            for number in 0..<20 {
                #expect(try await world.check("never \(number)", by: "kind") == 0)
            }
            #expect(world.hasTables(["kind"], of: "never 7"))
            #expect(try await world.tables().isEmpty)
            try await world.track(0..<3, "never 7") { _ in ["kind": .string("now")] }
            #expect(try await world.check("never 7", by: "kind") == 3)
            #expect(try await world.tables() == [.event("never 7")])
        }
    }

    @Test("the table that was not used for the longest time makes room for others")
    func room() async throws {
        var policy = ColumnPolicy()
        policy.maxMemoryOfTables = 500
        try await PropertyTableWorld.with(policy: policy) { world in
            for name in ["view", "buy", "share"] {
                try await world.track(0..<10, name) { _ in ["kind": .string("tea")] }
            }
            try await world.check("view", by: "kind")
            try await world.check("buy", by: "kind")
            try await world.check("view", by: "kind")
            #expect(try await world.tables() == [.event("view"), .event("buy")])
            try await world.check("share", by: "kind")
            #expect(try await world.tables() == [.event("view"), .event("share")])
            // One that grows takes the room of others too.
            try await world.track(0..<8, "share") { _ in ["kind": .string("tea")] }
            #expect(try await world.check("share", by: "kind") == 18)
            #expect(try await world.tables() == [.event("share")])
        }
    }
}
