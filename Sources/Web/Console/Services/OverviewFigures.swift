import Foundation

/// What the first page shows.
package struct OverviewFigures: Sendable, Hashable {
    package var users: Int
    /// Devices with a push token.
    package var reachableDevices: Int
    /// One entry for each day, oldest first, without gaps.
    package var days: [DayFigures]
    /// The same number of days right before; empty when there is nothing to compare with.
    package var previousDays: [DayFigures]
    package var running: [PushSummary]
    package var scheduled: [PushSummary]
    /// The latest pushes that are done.
    package var recent: [PushSummary]

    package init(
        users: Int,
        reachableDevices: Int,
        days: [DayFigures],
        previousDays: [DayFigures] = [],
        running: [PushSummary] = [],
        scheduled: [PushSummary] = [],
        recent: [PushSummary] = []
    ) {
        self.users = users
        self.reachableDevices = reachableDevices
        self.days = days
        self.previousDays = previousDays
        self.running = running
        self.scheduled = scheduled
        self.recent = recent
    }
}

/// The counts of one day.
package struct DayFigures: Sendable, Hashable {
    /// The day's first moment in the workspace's time zone.
    package var day: Date
    package var sessions: Int
    package var newUsers: Int
    package var delivered: Int
    package var opened: Int

    package init(day: Date, sessions: Int, newUsers: Int, delivered: Int, opened: Int) {
        self.day = day
        self.sessions = sessions
        self.newUsers = newUsers
        self.delivered = delivered
        self.opened = opened
    }
}
