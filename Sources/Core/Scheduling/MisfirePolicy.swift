import Foundation

/// Handles occurrences that were missed while the server was down: only the latest one is launched,
/// and only if it is not too late.
package struct MisfirePolicy: Sendable {
    /// Maximum lateness of an occurrence, in seconds.
    package var maxLateness: TimeInterval

    package init(maxLateness: TimeInterval = 86_400) {
        self.maxLateness = maxLateness
    }

    package struct Plan: Sendable, Hashable {
        package var launch: Timetable.Occurrence?
        package var skipped: [Skip]
        /// The occurrence after `now`.
        package var next: Timetable.Occurrence?
    }

    package struct Skip: Sendable, Hashable {
        package var occurrence: Timetable.Occurrence
        package var reason: Reason
    }

    package enum Reason: String, Sendable, Hashable {
        /// A later occurrence was due as well.
        case superseded = "Superseded"
        case tooLate = "TooLate"
        /// It was due before the server was restored from a backup, and may have been launched then.
        case restored = "Restored"
    }

    /// The plan at `now`, where `due` is the first occurrence that is not handled yet.
    package func plan(
        from due: Timetable.Occurrence,
        in timetable: Timetable,
        now: Date
    ) -> Plan {
        var latest = due
        var skipped: [Skip] = []
        var next = timetable.next(after: due)
        while let following = next, following.launchAt <= now {
            skipped.append(Skip(occurrence: latest, reason: .superseded))
            latest = following
            next = timetable.next(after: following)
        }
        guard now.timeIntervalSince(latest.endsAt) <= maxLateness else {
            skipped.append(Skip(occurrence: latest, reason: .tooLate))
            return Plan(launch: nil, skipped: skipped, next: next)
        }
        return Plan(launch: latest, skipped: skipped, next: next)
    }
}
