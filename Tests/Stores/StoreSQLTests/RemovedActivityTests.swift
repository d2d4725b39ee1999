import Foundation
import Model
import Relational
import StoreTesting
import Testing

@testable import StoreSQL

@Suite("Sums of removed events")
struct RemovedActivityTests {
    private static func key(_ user: Int64, _ name: Int64) -> RemovableEvents.User {
        RemovableEvents.User(name: name, profile: user)
    }

    private static func sum(_ count: Int64, _ first: Int64, _ last: Int64) -> RemovedSum {
        var sum = RemovedSum(at: first)
        (sum.count, sum.last) = (count, last)
        return sum
    }

    private static func unpacked(_ data: Data, ofRange range: Int64) -> RemovedActivity.Sums {
        var sums: RemovedActivity.Sums = [:]
        PackedActivity.forEach(in: data, ofRange: range) { sums[$0] = $1 }
        return sums
    }

    /// As many as a step has of some users, in their order.
    private static func random(
        _ random: inout SeededGenerator,
        _ users: ClosedRange<Int64>
    ) -> RemovedActivity.Sums {
        var sums: RemovedActivity.Sums = [:]
        for _ in 0..<Int.random(in: 1...80, using: &random) {
            let time = Int64.random(in: 1_790_000_000_000...1_790_000_900_000, using: &random)
            let key = key(.random(in: users, using: &random), .random(in: 1...20, using: &random))
            sums.add(time, for: key)
        }
        return sums
    }

    @Test("are read as they were packed, in about eight bytes each")
    func roundTrip() {
        var generator = SeededGenerator(1)
        for range in [0, 1, -1, Int64.min >> 9, Int64.max >> 9] {
            let users = (range << 9)...(range << 9 | 511)
            let sums = Self.random(&generator, users)
            let ordered = sums.sorted {
                ($0.key.profile, $0.key.name) < ($1.key.profile, $1.key.name)
            }
            let data = PackedActivity(ordered).data
            #expect(Self.unpacked(data, ofRange: range) == sums)
            #expect(PackedActivity.forEach(in: data, ofRange: range) { _, _ in })
            #expect(data.count <= 9 * sums.count + 8)
        }
        let times = Timestamp.milliseconds
        let extremes = [
            (key: Self.key(0, .min), value: Self.sum(1 << 40, times.lowerBound, times.upperBound)),
            (key: Self.key(511, .max), value: Self.sum(1, times.upperBound, times.upperBound)),
        ]
        let read = Self.unpacked(PackedActivity(extremes).data, ofRange: 0)
        #expect(read == Dictionary(uniqueKeysWithValues: extremes))
    }

    @Test(
        "that are damaged are some sums of the same users, and nothing worse",
        arguments: 1...20 as ClosedRange<UInt64>
    )
    func damaged(seed: UInt64) {
        var random = SeededGenerator(seed)
        let data = Data((0..<500).map { _ in .random(in: 0...255, using: &random) })
        for range in [0, Int64.max >> 9, Int64.min >> 9] {
            let found = Self.unpacked(data, ofRange: range)
            #expect(found.keys.allSatisfy { PackedActivity.range(of: $0.profile) == range })
        }
        for impossible in [
            Self.sum(.max, 0, 1), Self.sum(0, 0, 1), Self.sum(1, .min, .max), Self.sum(1, 0, .max),
        ] {
            let data = PackedActivity([(key: Self.key(1, 1), value: impossible)]).data
            #expect(Self.unpacked(data, ofRange: 0).isEmpty)
            #expect(!PackedActivity.forEach(in: data, ofRange: 0) { _, _ in })
        }
    }

    @Test(
        "are all there at any time, each once, whatever is packed and whatever is in the table",
        arguments: 1...6 as ClosedRange<UInt64>
    )
    func history(seed: UInt64) async throws {
        let path = FileManager.default.temporaryDirectory
            .appending(path: "noroshi-\(UUID().uuidString).sqlite").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let store = try SQLStore.testing(at: path, on: .chosen)
        try await store.write { database in
            var random = SeededGenerator(seed)
            let activity = RemovedActivity(database)
            var told: RemovedActivity.Sums = [:]
            for step in 0..<120 {
                switch Int.random(in: 0..<6, using: &random) {
                case 0:
                    try activity.fold(range: .random(in: 0...6, using: &random))
                case 1:
                    let user = ProfileID(.random(in: 0...3_000, using: &random))
                    let packed = try activity.packed(of: user)
                    let before = try Self.stored(database)
                    try activity.fold(of: user)
                    #expect(try activity.packed(of: user).isEmpty)
                    #expect(
                        try Self.stored(database) == before.merging(packed) { $0.adding($1) },
                        "seed \(seed), step \(step)"
                    )
                default:
                    let sums = Self.random(&random, 0...3_000)
                    try activity.add(sums)
                    told.merge(sums) { $0.adding($1) }
                }
                var found = try Self.stored(database)
                var range = Int64.min
                while let next = try activity.packed(after: range) {
                    found.merge(next.sums) { $0.adding($1) }
                    range = next.range
                }
                #expect(found == told, "seed \(seed), step \(step)")
            }
            for range in 0...6 as ClosedRange<Int64> { try activity.fold(range: range) }
            #expect(try activity.packed(after: .min)?.range == nil)
            #expect(try Self.stored(database) == told, "seed \(seed)")
        }
    }

    @Test("of a range are added to the table when there are many, a few ranges at a time")
    func full() async throws {
        let path = FileManager.default.temporaryDirectory
            .appending(path: "noroshi-\(UUID().uuidString).sqlite").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let store = try SQLStore.testing(at: path, on: .chosen)
        // Of each of three ranges as many at a time.
        let sums = (0..<3 * 512 as Range<Int64>).flatMap { user in
            (1...20 as ClosedRange<Int64>).map { (Self.key(user, $0), Self.sum(1, user, user)) }
        }
        let steps = 12
        let counts = try await store.write { database in
            let activity = RemovedActivity(database)
            return try (0..<steps).map { _ in
                try activity.add(sums)
                return try Self.stored(database).count
            }
        }
        // A range has 10,240 sums, so that all three have many after the tenth.
        #expect(counts == Array(repeating: 0, count: 9) + [10_240, 20_480, 30_720])
        let found = try await store.write { database in
            var found = try Self.stored(database)
            var range = Int64.min
            while let next = try RemovedActivity(database).packed(after: range) {
                found.merge(next.sums) { $0.adding($1) }
                range = next.range
            }
            return found
        }
        #expect(found.count == sums.count)
        #expect(found.allSatisfy { $0.value.count == steps })
    }

    @Test("that cannot all be read are named, and set aside when what can be read is kept")
    func examined() async throws {
        let path = FileManager.default.temporaryDirectory
            .appending(path: "noroshi-\(UUID().uuidString).sqlite").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let store = try SQLStore.testing(at: path, on: .chosen)
        var random = SeededGenerator(7)
        let (whole, cut) = (Self.random(&random, 0...511), Self.random(&random, 512...1_023))
        try await store.write { database in
            try RemovedActivity(database).add(whole)
            try RemovedActivity(database).add(cut)
        }
        let doctor = DatabaseDoctor(store)
        #expect(try await doctor.examine().isHealthy)
        try await store.write { database in
            let data = try Data.fetchOne(
                database,
                sql: "SELECT sums FROM recently_removed_activity WHERE users = 1"
            )
            let bytes = try #require(data)
            try database.execute(
                sql: "UPDATE recently_removed_activity SET sums = ? WHERE users = 1",
                arguments: [Data(bytes.dropLast())]
            )
        }
        #expect(try await doctor.examine().faults.map(\.remedy) == [.packedAgain])
        let mended = try await doctor.mend(now: Date(timeIntervalSince1970: 1_790_000_000))
        #expect(mended.faults.first?.reason.contains("512 to 1023") == true)
        #expect(try await doctor.examine().isHealthy)
        try await store.write { database in
            #expect(try RemovedActivity(database).packed(after: .min)?.sums == whole)
            let rest = try RemovedActivity(database).packed(after: 0)?.sums ?? [:]
            // The last one was cut.
            #expect(rest.count == cut.count - 1 && rest.allSatisfy { cut[$0.key] == $0.value })
            let aside = try Int.fetchOne(
                database,
                sql: """
                    SELECT count(*) FROM set_aside_rows
                    WHERE table_name = 'recently_removed_activity' AND row_id = 1
                    """
            )
            #expect(aside == 1)
        }
    }

    private static func stored(_ database: Database) throws -> RemovedActivity.Sums {
        let rows = try Row.fetchAll(
            database,
            sql: "SELECT profile_id, name_id, count, first, last FROM removed_activity"
        )
        return Dictionary(
            uniqueKeysWithValues: rows.map { (key($0[0], $0[1]), sum($0[2], $0[3], $0[4])) }
        )
    }
}
