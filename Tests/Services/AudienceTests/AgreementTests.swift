import Audience
import Ports
import Segments
import Testing

@Suite("Columns and rows agree")
struct AgreementTests {
    private let directory = { (inner: SegmentRule, list: Set<Int64>) in
        InMemorySegmentResolver(
            segments: ["inner": inner],
            lists: ["uploaded": list],
            controlGroup: Set(list.filter { $0 % 2 == 0 })
        )
    }

    private func check(
        _ columns: ColumnSnapshot,
        _ rows: MemoryRows,
        _ random: inout RandomAudience,
        rules: Int,
        seed: UInt64
    ) async throws {
        var inner = random
        let list = Set(rows.profiles.keys.filter { $0 % 3 == 0 })
        let catalog = directory(.condition(inner.condition()).withoutReferences, list)
        for _ in 0..<rules {
            let rule = random.rule()
            let expected = try rows.users(in: rule, at: random.evaluation, directory: catalog)
            let selection = try await columns.select(
                rule,
                at: random.evaluation,
                directory: catalog,
                source: rows
            )
            let text = SegmentWriter.text(rule)
            let found = try await selection.profiles()
            #expect(Set(found) == expected, "seed \(seed): \(text)")
            #expect(found.count == expected.count, "seed \(seed): \(text)")

            let count = try await selection.count()
            let devices = expected.reduce(0) { $0 + (rows.profiles[$1]?.devices.count ?? 0) }
            #expect(count == SelectionCount(users: expected.count, devices: devices))
        }
    }

    @Test("for random users, events and rules", arguments: 1...12 as ClosedRange<UInt64>)
    func afterBuilding(seed: UInt64) async throws {
        var random = RandomAudience(seed: seed)
        var rows = MemoryRows()
        for id in 1...(40 + Int64(random.below(200))) {
            rows.profiles[id * 3] = random.profile(id * 3)
        }
        let ids = rows.profiles.keys.sorted()
        for _ in 0..<600 { rows.events.append(random.event(ids)) }
        let columns = try await AudienceBuilder.build(from: rows)
        #expect(columns.count == rows.profiles.count)
        try await check(columns, rows, &random, rules: 120, seed: seed)
    }

    @Test("after random commits, one by one", arguments: 101...108 as ClosedRange<UInt64>)
    func afterCommits(seed: UInt64) async throws {
        var random = RandomAudience(seed: seed)
        var rows = MemoryRows()
        let store = WorkspaceUserIndex()
        var largest: Int64 = 0
        for sequence in 1...40 as ClosedRange<Int64> {
            var change = AudienceChange(sequence: sequence)
            var known = rows.profiles.keys.sorted()
            for _ in 0..<random.below(12) {
                largest += 1 + Int64(random.below(3))
                // Some ids come late, as a database with several writers may issue them.
                let id = random.chance(10) ? largest - 1 : largest
                change.profiles.append(random.profile(id))
            }
            for _ in 0..<random.below(6) where !known.isEmpty {
                change.profiles.append(random.profile(random.pick(known)))
            }
            if known.count > 10, random.chance(30) {
                let from = known.remove(at: random.below(known.count))
                change.merged = [(from, random.pick(known))]
                change.profiles.removeAll { $0.rowID == from }
            }
            if known.count > 10, random.chance(30) {
                let gone = known.remove(at: random.below(known.count))
                if !change.merged.contains(where: { $0.into == gone }) {
                    change.removed = [gone]
                    change.profiles.removeAll { $0.rowID == gone }
                }
            }
            let alive =
                known.filter { !change.removed.contains($0) } + change.profiles.map(\.rowID)
            for _ in 0..<random.below(80) where !alive.isEmpty {
                change.events.append(random.event(alive))
            }
            rows.apply(change)
            store.apply(change)
            if sequence % 8 == 0 {
                try await check(store.snapshot(), rows, &random, rules: 40, seed: seed)
            }
        }
    }

    @Test("and where they do not, verification names the users")
    func verification() async throws {
        var random = RandomAudience(seed: 5)
        var rows = MemoryRows()
        for id in 1...80 as ClosedRange<Int64> { rows.profiles[id] = random.profile(id) }
        for _ in 0..<400 { rows.events.append(random.event(Array(1...80))) }
        var columns = try await AudienceBuilder.build(from: rows)
        for _ in 0..<60 {
            let rule = random.rule()
            let found = try await columns.verify(rule, at: random.evaluation, source: rows)
            #expect(found.isEmpty, "\(SegmentWriter.text(rule))")
        }
        columns.remove(3)
        rows.profiles[4] = nil
        let found = try await columns.verify(.all([]), at: random.evaluation, source: rows)
        #expect(found.onlyInRows == [3])
        #expect(found.onlyInColumns == [4])
    }

    @Test("on attributes left to rows because there are too many")
    func overflowingCatalog() async throws {
        var random = RandomAudience(seed: 77)
        var rows = MemoryRows()
        for id in 1...60 as ClosedRange<Int64> { rows.profiles[id] = random.profile(id) }
        let columns = try await AudienceBuilder.build(
            from: rows,
            policy: ColumnPolicy(maxAttributes: 3)
        )
        try await check(columns, rows, &random, rules: 150, seed: 77)
    }
}

extension SegmentRule {
    /// The same filter, or everyone when it refers to another segment, which could be itself.
    fileprivate var withoutReferences: SegmentRule {
        if case .condition(.segment) = self { .all([]) } else { self }
    }
}
