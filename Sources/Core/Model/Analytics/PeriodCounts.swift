import Foundation

/// The counts of one period.
package struct PeriodCounts: Sendable, Hashable {
    package var start: Date
    package var sessions: Int
    package var newUsers: Int
    package var delivered: Int
    /// Direct and influenced opens, by the time of the open.
    package var opened: Int

    package init(start: Date, sessions: Int, newUsers: Int, delivered: Int, opened: Int) {
        self.start = start
        self.sessions = sessions
        self.newUsers = newUsers
        self.delivered = delivered
        self.opened = opened
    }
}
