import Model
import Ports
import Segments
import Synchronization
import Testing

@testable import Audience

@Suite("The columns of all workspaces")
struct ReplicaTests {
    /// Deltas one after another; each fails as often as it is told to before it is given.
    private final class Deltas: UserChangeLog {
        struct Unreadable: Error {}

        private let deltas: [AudienceDelta]
        private let failures: Mutex<[Int64: Int]>

        init(_ deltas: [AudienceDelta], failingBefore failures: [Int64: Int]) {
            self.deltas = deltas
            self.failures = Mutex(failures)
        }

        func audienceDelta(
            after position: ChangeCursor,
            detailing detailed: [WorkspaceID: Set<Activity>]
        ) async throws -> AudienceDelta? {
            let fails = failures.withLock { failures in
                guard let left = failures[position.change], left > 0 else { return false }
                failures[position.change] = left - 1
                return true
            }
            guard !fails else { throw Unreadable() }
            return deltas.first { $0.position > position }
        }

        func audienceView(readers: Int) async throws -> any UserRowSnapshot { throw Unreadable() }

        func forgetAudienceChanges(before position: ChangeCursor) async throws {}
    }

    private let workspace = WorkspaceID(1)

    private func delta(_ number: Int64, isComplete: Bool) -> AudienceDelta {
        let event = AudienceEvent(profile: 1, activity: .event("view"), time: 1_782_777_600)
        return AudienceDelta(
            position: ChangeCursor(change: number),
            isComplete: isComplete,
            changes: [
                workspace: AudienceChange(
                    sequence: 0,
                    profiles: [AudienceProfile(rowID: 1, devices: [])],
                    events: [event]
                )
            ]
        )
    }

    private func count(_ replica: UserIndex, _ text: String) async throws -> Int {
        let rule = try SegmentParser.parse(text).rule
        let columns = try #require(replica.columns(of: workspace))
        return try await columns.select(rule, at: EvaluationTime(now: 1_782_777_700)).count()
            .users
    }

    @Test("count each event once, also when reading fails between two portions")
    func failure() async throws {
        let rows = Deltas(
            [delta(1, isComplete: false), delta(2, isComplete: false), delta(3, isComplete: true)],
            failingBefore: [1: 2, 2: 1]
        )
        let replica = UserIndex(position: ChangeCursor(), policy: ColumnPolicy())
        for _ in 1...3 {
            await #expect(throws: Deltas.Unreadable.self) { try await replica.advance(from: rows) }
        }
        try await replica.advance(from: rows)
        #expect(replica.position.change == 3)
        #expect(try await count(replica, "event view count = 3") == 1)
    }

    @Test("count each event once, also when several catch up at the same time")
    func together() async throws {
        let rows = Deltas(
            (1...50).map { delta($0, isComplete: $0 == 50) },
            failingBefore: [:]
        )
        let replica = UserIndex(position: ChangeCursor(), policy: ColumnPolicy())
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 1...8 { group.addTask { try await replica.advance(from: rows) } }
            try await group.waitForAll()
        }
        #expect(try await count(replica, "event view count = 50") == 1)
    }
}
