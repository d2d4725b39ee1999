import Audience
import Foundation
import Segments
import SyntheticAudience
import Testing

/// The figures of `Tests/Support/Audience/audience-expected.json`, made by other programs.
private struct Expected: Decodable {
    struct Size: Decodable {
        let counts: [String: Int]
        let sha256: [String: String]
    }

    let sizes: [String: Size]

    static func size(_ name: String) throws -> Size {
        let file = URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Support/Audience/audience-expected.json")
        let expected = try JSONDecoder().decode(Expected.self, from: Data(contentsOf: file))
        return try #require(expected.sizes[name])
    }
}

@Suite("The synthetic audience")
struct ExpectedCountsTests {
    private let audience = SyntheticAudience(users: 10_000, events: 100_000)

    @Test("is the same, byte for byte, as generate_audience.py makes it")
    func sameBytes() throws {
        let expected = try Expected.size("10000 users, 100000 events").sha256
        var users = SHA256()
        users.update(SyntheticCSV.userHeader)
        for number in 0..<audience.users {
            users.update(SyntheticCSV.line(audience.user(number)))
        }
        #expect(users.finish() == expected["users.csv"])

        var events = SHA256()
        events.update(SyntheticCSV.eventHeader)
        audience.forEachEvent(in: 0..<audience.events) { events.update(SyntheticCSV.line($0)) }
        #expect(events.finish() == expected["events.csv"])
    }

    /// The other sizes take long without optimisation: `NOROSHI_LARGE_TESTS=1` adds one, and
    /// `./noroshi bench segments --expected` checks them all.
    private static let sizes =
        ProcessInfo.processInfo.environment["NOROSHI_LARGE_TESTS"] == "1"
        ? [10_000, 100_000] : [10_000]

    @Test("has the expected counts in all six segments", arguments: sizes)
    func counts(users: Int) async throws {
        let audience = SyntheticAudience(users: users, events: users * 10)
        let expected = try Expected.size("\(users) users, \(users * 10) events").counts
        var rows = MemoryRows()
        for number in 0..<audience.users {
            rows.profiles[Int64(number) + 1] = audience.profile(number)
        }
        audience.forEachEvent(in: 0..<audience.events) {
            rows.events.append(audience.occurrence($0))
        }
        let columns = try await AudienceBuilder.build(from: rows)
        var counts: [String: Int] = [:]
        for (name, text) in SyntheticAudience.segments {
            let rule = try SegmentParser.parse(text).rule
            #expect(
                SegmentValidator.problems(in: rule, directory: InMemorySegmentResolver()).isEmpty
            )
            let count = try await columns.select(rule, at: EvaluationTime(now: audience.now))
                .count()
            if name == "f" {
                counts["f_users"] = count.users
                counts["f_tokens"] = count.devices
            } else {
                counts[name] = count.users
            }
        }
        #expect(counts == expected)
    }
}
