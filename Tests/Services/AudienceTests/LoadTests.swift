import Audience
import Foundation
import Model
import NoroshiWire
import Ports
import Segments
import Testing

@Suite("Loading all profiles at once")
struct LoadTests {
    /// Values as they arrive, and as the segment language has to see them.
    private static let values: [(name: String, sent: JSONValue, seen: AttributeValue)] = [
        ("text", "green", .string("green")),
        (
            "escaped", "a \"quoted\" \\ line\nand\ttab 🍵",
            .string("a \"quoted\" \\ line\nand\ttab 🍵")
        ),
        ("quoted \"key\"", "x", .string("x")),
        ("empty", "", .string("")),
        ("composed", "caf\u{E9}", .string("caf\u{E9}")),
        ("decomposed", "cafe\u{301}", .string("cafe\u{301}")),
        (
            "long", .string(String(repeating: "茶", count: 200)),
            .string(String(repeating: "茶", count: 200))
        ),
        ("whole", 42, .number(42)),
        ("negative", -7, .number(-7)),
        ("cents", 323.45, .number(323.45)),
        ("tenth", -0.1, .number(-0.1)),
        ("tiny", 1.5e-9, .number(1.5e-9)),
        ("huge", 1.25e300, .number(1.25e300)),
        ("many digits", 0.12345678901234567, .number(0.12345678901234567)),
        ("past 2^53", 9_007_199_254_740_993, .integer(9_007_199_254_740_993)),
        ("yes", true, .bool(true)),
        ("no", false, .bool(false)),
        ("day", "2026-07-04", .time(1_783_123_200)),
        ("moment", "2026-07-04T09:00:00+09:00", .time(1_783_123_200)),
        ("nearly a day", "2026-13-04", .string("2026-13-04")),
        ("list", ["tea", "coffee"], .array([.string("tea"), .string("coffee")])),
        ("no list", [], .array([])),
        ("mixed list", ["tea", 1], .array([.string("tea"), .number(1)])),
        (
            "object", ["kind": "oolong", "grams": 2.5],
            .object(["kind": .string("oolong"), "grams": .number(2.5)])
        ),
    ]

    @Test("values of every kind arrive as they were sent, however they are read")
    func values() async throws {
        try await ServiceTests.withFixture { fixture in
            // Two users with everything, one with nothing between them, then each value alone.
            let all = Dictionary(uniqueKeysWithValues: Self.values.map { ($0.name, $0.sent) })
            try await fixture.track("ada", all)
            try await fixture.track("ben", [:])
            try await fixture.track("cas", all)
            for value in Self.values {
                try await fixture.track(value.name, [value.name: value.sent])
            }
            let rows = try await fixture.store.audienceView().rows(of: fixture.workspace)

            var profiles: [AudienceProfile] = []
            try await rows.scanProfiles { profiles += $0 }
            let ada = try #require(profiles.first { $0.externalID == "ada" })
            for value in Self.values { #expect(ada.custom[value.name] == value.seen) }

            let columns = try await AudienceBuilder.build(from: rows)
            #expect(columns.count == profiles.count)
            #expect(try await columns.differences(from: rows).isEmpty)
            for (filter, users) in [
                ("custom.escaped contains \"🍵\"", 3), ("custom.cents > 323.44", 3),
                ("custom.object.grams = 2.5", 3), ("custom.day exists", 3),
            ] {
                let rule = try SegmentParser.parse(filter).rule
                #expect(
                    try await columns.select(rule, at: EvaluationTime(now: 0)).count().users
                        == users
                )
            }
        }
    }

    @Test("of many devices the first ones are kept, as when they come one by one")
    func devices() async throws {
        var rows = MemoryRows()
        for (id, count) in [(1, 2), (2, 300), (3, 0), (4, 1)] as [(Int64, Int)] {
            let devices = (0..<count).map { number in
                AudienceDevice(
                    platform: number % 3 == 0 ? "ios" : "android",
                    app: "shop",
                    appVersion: "1.\(number % 7)",
                    hasToken: number % 5 != 4,
                    isPushEnabled: number % 2 == 0
                )
            }
            rows.profiles[id] = AudienceProfile(rowID: id, devices: devices)
        }
        let loaded = try await AudienceBuilder.build(from: rows)
        var single = ColumnSnapshot()
        for (_, profile) in rows.profiles.sorted(by: { $0.key < $1.key }) { single.upsert(profile) }
        for columns in [loaded, single] {
            #expect(try await columns.differences(from: rows).isEmpty)
        }
        let everyone = try SegmentParser.parse("device has (push_enabled)").rule
        let expected = try await single.select(everyone, at: EvaluationTime(now: 0)).count()
        #expect(try await loaded.select(everyone, at: EvaluationTime(now: 0)).count() == expected)
        #expect(expected.devices > 100)
    }

    @Test("more users than a chunk holds go on in the next one")
    func chunks() async throws {
        var rows = MemoryRows()
        for id in 1...70_000 as ClosedRange<Int64> {
            var profile = AudienceProfile(rowID: id * 2)
            if id % 3 == 0 { profile.country = id % 2 == 0 ? "JP" : "BR" }
            profile.custom = ["number": .number(Double(id) / 4)]
            rows.profiles[profile.rowID] = profile
        }
        let source = WholeBatches(rows: rows)
        let columns = try await AudienceBuilder.build(from: source)
        #expect(columns.count == 70_000)
        #expect(try await columns.differences(from: source).isEmpty)
        let rule = try SegmentParser.parse("country = \"JP\" and custom.number > 17000").rule
        #expect(try await columns.select(rule, at: EvaluationTime(now: 0)).count().users == 333)
    }
}

/// Hands over profiles in pieces that end within a chunk.
private struct WholeBatches: UserRowReader {
    let rows: MemoryRows

    var sequence: Int64 { rows.sequence }

    func profileCount() async throws -> Int { try await rows.profileCount() }

    func eventCount() async throws -> Int { 0 }

    func scanProfiles(_ receive: ([AudienceProfile]) throws -> Void) async throws {
        let ordered = rows.profiles.values.sorted { $0.rowID < $1.rowID }
        for start in stride(from: 0, to: ordered.count, by: 50_000) {
            try receive(Array(ordered[start..<min(start + 50_000, ordered.count)]))
        }
    }

    func scanEvents(
        _ query: AudienceEventQuery,
        _ receive: ([AudienceEvent]) throws -> Void
    ) async throws {}

    func scanOccurrences(_ receive: (ActivityBatch) throws -> Void) async throws {}

    func scanLists(_ receive: (String, [Int64]) throws -> Void) async throws {}
}
