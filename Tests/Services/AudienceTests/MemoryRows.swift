import Audience
import Ports
import Segments

/// Rows in memory: what a store would keep, and the naive answer to every question.
struct MemoryRows: UserRowReader {
    var profiles: [Int64: AudienceProfile] = [:]
    var events: [AudienceEvent] = []
    var lists: [String: [Int64]] = [:]
    var sequence: Int64 = 0

    /// What the database does with a commit.
    mutating func apply(_ change: AudienceChange) {
        for profile in change.profiles { profiles[profile.rowID] = profile }
        for (from, into) in change.merged {
            for index in events.indices where events[index].profile == from {
                events[index].profile = into
            }
            profiles[from] = nil
        }
        for id in change.removed {
            profiles[id] = nil
            events.removeAll { $0.profile == id }
        }
        events.append(contentsOf: change.events)
        sequence = change.sequence
    }

    func profileCount() async throws -> Int { profiles.count }

    func eventCount() async throws -> Int { events.count }

    func scanProfiles(_ receive: ([AudienceProfile]) throws -> Void) async throws {
        let ordered = profiles.values.sorted { $0.rowID < $1.rowID }
        for start in stride(from: 0, to: ordered.count, by: 7) {
            try receive(Array(ordered[start..<min(start + 7, ordered.count)]))
        }
    }

    func scanEvents(
        _ query: AudienceEventQuery,
        _ receive: ([AudienceEvent]) throws -> Void
    ) async throws {
        // Subject and times narrow what a store reads; more than asked for must do no harm.
        try receive(events)
    }

    func scanOccurrences(_ receive: (ActivityBatch) throws -> Void) async throws {
        for event in events where event.activity != .purchase {
            var occurrences = ActivityBatch(activity: event.activity)
            for _ in 0..<event.quantity {
                occurrences.append(profile: event.profile, time: event.time)
            }
            try receive(occurrences)
        }
    }

    func scanLists(_ receive: (String, [Int64]) throws -> Void) async throws {
        for (id, profiles) in lists { try receive(id, profiles) }
    }

    /// The users in a segment according to the naive evaluator.
    func users(
        in rule: SegmentRule,
        at time: EvaluationTime,
        directory: InMemorySegmentResolver
    ) throws -> Set<Int64> {
        var evaluator = SegmentEvaluator(at: time, directory: directory)
        let eventsOfUser = Dictionary(grouping: events, by: \.profile)
        var found: Set<Int64> = []
        for (id, profile) in profiles
        where try evaluator.contains(profile, events: eventsOfUser[id] ?? [], in: rule) {
            found.insert(id)
        }
        return found
    }
}
