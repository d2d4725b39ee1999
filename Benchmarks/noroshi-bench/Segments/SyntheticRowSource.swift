import Audience
import Ports
import Segments
import SyntheticAudience

/// Generates the synthetic audience's rows like a database: profiles in ascending order of their
/// ids, events in batches.
struct SyntheticRowSource: UserRowReader {
    let audience: SyntheticAudience
    let workers: Int

    let sequence: Int64 = 1

    private static let batch = 16_384

    func profileCount() async throws -> Int { audience.users }

    func eventCount() async throws -> Int { audience.events }

    func scanProfiles(_ receive: ([AudienceProfile]) throws -> Void) async throws {
        try await inBatches(audience.users, make: { $0.map(audience.profile) }, receive)
    }

    func scanEvents(
        _ query: AudienceEventQuery,
        _ receive: ([AudienceEvent]) throws -> Void
    ) async throws {
        // The purchases of this audience are custom events.
        guard case .event(let name)? = query.subject else { return }
        let wanted = SyntheticAudience.eventNames.firstIndex(of: name)
        let make: @Sendable (Range<Int>) -> [AudienceEvent] = { range in
            var made: [AudienceEvent] = []
            audience.forEachEvent(in: range) { event in
                guard event.name == wanted, event.time >= query.from ?? .min,
                    event.time < query.until ?? .max
                else { return }
                made.append(audience.occurrence(event))
            }
            return made
        }
        try await inBatches(audience.events, make: make, receive)
    }

    func scanOccurrences(_ receive: (ActivityBatch) throws -> Void) async throws {
        let names = SyntheticAudience.eventNames
        let make: @Sendable (Range<Int>) -> [ActivityBatch] = { range in
            var made = names.map { ActivityBatch(activity: .event($0)) }
            audience.forEachEvent(in: range) { event in
                made[event.name].append(profile: Int64(event.user) + 1, time: event.time)
            }
            return made
        }
        try await inBatches(audience.events, make: make) { batch in
            for occurrences in batch where !occurrences.times.isEmpty { try receive(occurrences) }
        }
    }

    func scanLists(_ receive: (String, [Int64]) throws -> Void) async throws {}

    /// Generates the next batch on another worker while the current one is processed.
    private func inBatches<Row: Sendable>(
        _ count: Int,
        make: @escaping @Sendable (Range<Int>) -> [Row],
        _ receive: ([Row]) throws -> Void
    ) async throws {
        let ranges = stride(from: 0, to: count, by: Self.batch).map {
            $0..<min($0 + Self.batch, count)
        }
        try await withThrowingTaskGroup(of: (Int, [Row]).self) { group in
            var started = 0
            var finished: [Int: [Row]] = [:]
            func start() {
                guard started < ranges.count else { return }
                let number = started
                group.addTask { (number, make(ranges[number])) }
                started += 1
            }
            for _ in 0..<workers { start() }
            for number in ranges.indices {
                while finished[number] == nil, let (made, rows) = try await group.next() {
                    finished[made] = rows
                    start()
                }
                if let rows = finished.removeValue(forKey: number) { try receive(rows) }
            }
        }
    }
}
