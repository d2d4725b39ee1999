import Audience
import Model
import Ports
import Reasons
import Segments
import Testing

@Suite("The audience of a running server")
struct StoreTests {
    private let now: Int64 = 1_782_777_600

    private func profile(_ id: Int64, _ country: String, devices: Int = 0) -> AudienceProfile {
        var profile = AudienceProfile(
            rowID: id,
            devices: (0..<devices).map { _ in
                AudienceDevice(platform: "ios", app: "shop", hasToken: true, isPushEnabled: true)
            }
        )
        profile.country = country
        return profile
    }

    private func count(_ columns: ColumnSnapshot, _ text: String) async throws -> Int {
        let rule = try SegmentParser.parse(text).rule
        return try await columns.select(rule, at: EvaluationTime(now: now)).count().users
    }

    @Test("shows a commit to the next evaluation and hides it from a running one")
    func snapshots() async throws {
        let store = WorkspaceUserIndex()
        store.apply(AudienceChange(sequence: 1, profiles: [profile(1, "DE")]))
        let before = store.snapshot()
        let event = AudienceEvent(profile: 1, activity: .event("view"), time: now)
        store.apply(
            AudienceChange(
                sequence: 2,
                profiles: [profile(1, "FR"), profile(2, "FR")],
                events: [event]
            )
        )
        #expect(try await count(before, "country = \"DE\"") == 1)
        #expect(try await count(before, "event view done") == 0)
        #expect(try await count(store.snapshot(), "country = \"FR\"") == 2)
        #expect(try await count(store.snapshot(), "event view done") == 1)
    }

    @Test("leaves out a commit it already shows")
    func sequence() async throws {
        let store = WorkspaceUserIndex()
        let event = AudienceEvent(profile: 1, activity: .event("view"), time: now)
        let change = AudienceChange(sequence: 1, profiles: [profile(1, "DE")], events: [event])
        store.apply(change)
        store.apply(change)
        #expect(try await count(store.snapshot(), "event view count = 1") == 1)
    }

    @Test("is ready after a rebuild, with progress, and keeps commits that came meanwhile")
    func rebuild() async throws {
        var rows = MemoryRows()
        rows.apply(
            AudienceChange(
                sequence: 5,
                profiles: [profile(1, "DE"), profile(2, "DE")],
                events: [AudienceEvent(profile: 1, activity: .event("view"), time: now)]
            )
        )
        rows.lists = ["summer": [2]]
        let store = WorkspaceUserIndex()
        #expect(!store.isReady)
        var steps: [AudienceProgress.Step] = []
        try await store.rebuild(from: rows) { progress in
            if steps.last != progress.step { steps.append(progress.step) }
            if progress.step == .activities, progress.done == 0 {
                // Commit 5 is in the view already, commit 6 is not.
                for sequence in [5, 6] as [Int64] {
                    store.apply(
                        AudienceChange(
                            sequence: sequence,
                            profiles: [profile(3, "DE")],
                            events: [
                                AudienceEvent(profile: 1, activity: .event("view"), time: now)
                            ]
                        )
                    )
                }
                store.setList("late", profiles: [1, 2])
            }
        }
        #expect(steps == [.profiles, .activities, .lists, .ready])
        #expect(store.isReady)
        #expect(try await count(store.snapshot(), "country = \"DE\"") == 3)
        #expect(try await count(store.snapshot(), "event view count = 2") == 1)
        #expect(try await count(store.snapshot(), "in list \"summer\"") == 1)
        #expect(try await count(store.snapshot(), "in list \"late\"") == 2)
    }

    @Test("streams every selected user once, and goes on after any batch")
    func streaming() async throws {
        var columns = ColumnSnapshot()
        var expected: [Int64] = []
        for id in 1...140_000 as ClosedRange<Int64> where id % 3 != 0 {
            columns.upsert(profile(id, id % 5 == 0 ? "DE" : "FR", devices: Int(id % 4)))
            if id % 5 == 0 { expected.append(id) }
        }
        let rule = try SegmentParser.parse("country = \"DE\"").rule
        let selection = try await columns.select(rule, at: EvaluationTime(now: now))
        var found: [Int64] = []
        var batches = 0
        while true {
            // A new stream each time, as after a restart.
            var stream = selection.stream(after: found.last, batchSize: 997)
            guard let batch = stream.next() else { break }
            batches += 1
            #expect(batch.count <= 997)
            found += batch
            if let last = found.last, batches % 5 == 0 { columns.remove(last) }
        }
        #expect(found == expected)
        #expect(selection.stream(batchSize: 5_000).reduce(0) { $0 + $1.count } == found.count)
        let rest = try await columns.select(rule, at: EvaluationTime(now: now)).stream(
            after: found.last
        )
        #expect(rest.reduce(0) { $0 + $1.count } == 0)
    }

    @Test("counts users by platform and by reach")
    func reach() async throws {
        var columns = ColumnSnapshot()
        columns.upsert(profile(1, "DE", devices: 2))
        var mixed = profile(2, "DE", devices: 1)
        mixed.devices.append(AudienceDevice(platform: "web", app: "shop"))
        columns.upsert(mixed)
        columns.upsert(profile(3, "DE"))
        let reach = try await columns.select(.all([]), at: EvaluationTime(now: now)).reach()
        #expect(reach.users == 3 && reach.devices == 4)
        #expect(reach.usersByPlatform == ["ios": 2, "web": 1])
        #expect(reach.reachableUsers == 2 && reach.reachableDevices == 3)
    }

    @Test("says when a filter needs rows and none are given")
    func needsRows() async throws {
        let columns = ColumnSnapshot()
        let rule = try SegmentParser.parse("email = \"a@example.com\"").rule
        let text = Reason.Argument.text("email = \"a@example.com\"")
        await #expect(throws: AudienceError(.needsRows, .needsRows, ["text": text])) {
            _ = try await columns.select(rule, at: EvaluationTime(now: now))
        }
    }

    @Test("refuses segments that name others so often that nobody could count the filters")
    func tower() async throws {
        var directory = InMemorySegmentResolver()
        directory.segments["0"] = .all([])
        for level in 1...16 {
            let below = SegmentRule.condition(.segment("\(level - 1)"))
            directory.segments["\(level)"] = .any(Array(repeating: below, count: 100))
        }
        let problem = await #expect(throws: AudienceError.self) {
            _ = try await ColumnSnapshot().select(
                .condition(.segment("16")),
                at: EvaluationTime(now: now),
                directory: directory
            )
        }
        #expect(problem?.code == .invalidFilter)
    }

    @Test("refuses a pattern that needs new states for every value, instead of working on")
    func costlyPattern() async throws {
        var random = RandomAudience(seed: 9)
        var columns = ColumnSnapshot()
        for id in 1...3_000 as ClosedRange<Int64> {
            var user = AudienceProfile(rowID: id)
            user.custom["note"] = .string(
                String((0..<255).map { _ in random.chance(50) ? "a" : "b" })
            )
            columns.upsert(user)
        }
        let pattern = "a.{250}c"
        let problem = await #expect(throws: AudienceError.self) {
            _ = try await count(columns, "note matches '\(pattern)'")
        }
        #expect(problem?.code == .invalidFilter)
        #expect(problem?.description.contains(PatternError.tooCostly.message) == true)
    }

    /// A matcher that goes back would need 2^40 steps for each value and never end.
    @Test("evaluates a hostile pattern on many values and ends", .timeLimit(.minutes(20)))
    func hostilePattern() async throws {
        var columns = ColumnSnapshot()
        for id in 1...1_000 as ClosedRange<Int64> {
            var user = AudienceProfile(rowID: id)
            user.custom["note"] = .string("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\(id)b")
            columns.upsert(user)
        }
        #expect(try await count(columns, "note matches '^((a+)+)+$'") == 0)
    }
}
