import Foundation
import Model

/// The launch times of a schedule's occurrences.
package struct Timetable: Sendable {
    package struct Occurrence: Sendable, Hashable {
        package var day: CalendarDay
        package var time: TimeOfDay
        /// The start of its send: its time, or when the first users on earth reach the local time.
        package var launchAt: Date
        /// When the last users on earth reach the local time.
        package var endsAt: Date

        /// Unique in its campaign and stable.
        package var key: String { "\(day)T\(time)" }
    }

    private let schedule: CampaignSchedule
    /// `nil` for each user's own zone.
    private let zone: TimeZone?

    /// `zone` is the zone that the schedule names.
    package init(_ schedule: CampaignSchedule, zone: TimeZone?) {
        self.schedule = schedule
        self.zone = zone
    }

    /// The first occurrence that some user has not reached at `date`.
    package func first(notOverAt date: Date) -> Occurrence? {
        first { $0.endsAt >= date }
    }

    package func next(after occurrence: Occurrence) -> Occurrence? {
        RecurrenceDays(from: schedule.start, schedule.recurrence)
            .first { $0 > occurrence.day }.map { self.occurrence(on: $0) }
    }

    /// The first occurrence launched at or after `date`.
    package func first(launchedFrom date: Date) -> Occurrence? {
        first { $0.launchAt >= date }
    }

    package var isEmpty: Bool { first { _ in true } == nil }

    private func first(where matches: (Occurrence) -> Bool) -> Occurrence? {
        for day in RecurrenceDays(from: schedule.start, schedule.recurrence) {
            let occurrence = occurrence(on: day)
            if matches(occurrence) { return occurrence }
        }
        return nil
    }

    private func occurrence(on day: CalendarDay) -> Occurrence {
        if let zone {
            let time = WallClock.instant(day, schedule.time, in: zone)
            return Occurrence(day: day, time: schedule.time, launchAt: time, endsAt: time)
        }
        // Kiribati is 14 hours ahead of UTC, Baker Island 12 behind.
        return Occurrence(
            day: day,
            time: schedule.time,
            launchAt: WallClock.instant(day, schedule.time, hoursAhead: 14),
            endsAt: WallClock.instant(day, schedule.time, hoursAhead: -12)
        )
    }
}
