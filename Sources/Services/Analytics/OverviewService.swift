import Foundation
import Model
import Ports

/// The counts of the last days and of the days before them.
package struct Overview: Sendable, Hashable {
    package var users: Int
    /// Devices that a push can reach.
    package var reachableDevices: Int
    /// One entry per day, oldest first, without gaps.
    package var days: [PeriodCounts]
    /// The same number of days immediately before.
    package var previousDays: [PeriodCounts]
    /// What purchases brought in; `nil` where there are several currencies and none of them is the
    /// workspace's.
    package var revenue: Revenue?

    package struct Revenue: Sendable, Hashable {
        package var currency: String
        package var amount: Double
        package var previous: Double
        /// Of each day, oldest first.
        package var days: [Double]
    }
}

/// Counts the activity in a workspace over the last days.
package struct OverviewService: Sendable {
    private let store: any ReportStore & ProfileStore
    private let series: SeriesService
    private let figures: ReportCache
    private let now: @Sendable () -> Date

    package init(
        store: any ReportStore & ProfileStore & AnalyticsStore & WorkspaceStore,
        figures: ReportCache,
        now: @escaping @Sendable () -> Date
    ) {
        self.store = store
        series = SeriesService(store: store)
        self.figures = figures
        self.now = now
    }

    /// The `days` days up to the one of a moment, in a time zone.
    ///
    /// - Parameter end: Not after now; `nil` means today.
    package func overview(
        of workspace: WorkspaceID,
        days: Int,
        endingAt end: Date? = nil,
        in zone: TimeZone
    ) async throws -> Overview {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        let end = end ?? now()
        let today = calendar.startOfDay(for: end)
        // The start of every day and of tomorrow: a day may have 23 or 25 hours.
        let boundaries = (0...(2 * days)).compactMap {
            calendar.date(byAdding: .day, value: $0 - 2 * days + 1, to: today)
        }
        // Past days are counted again when data arrives for one of them, today often.
        let period = "\(today) \(days)"
        let changes = try await store.changes(
            since: figures.known(.past(workspace), "mark \(period)"),
            in: workspace
        )
        if let earliest = changes.earliest, earliest < today {
            figures.forget(.past(workspace), period)
        }
        figures.keep(changes.mark, of: .past(workspace), "mark \(period)", since: .now)
        let past = try await figures.value(of: .past(workspace), period) {
            try await store.figures(in: workspace, between: Array(boundaries.dropLast()))
        }
        let present = try await figures.value(of: .workspace(workspace), "\(today)") {
            try await store.figures(in: workspace, between: Array(boundaries.suffix(2)))
        }
        let counts = try await figures.value(of: .workspace(workspace), "users") {
            try await store.userCounts(in: workspace)
        }
        return Overview(
            users: counts.users,
            reachableDevices: counts.reachableDevices,
            days: Array((past + present).suffix(days)),
            previousDays: Array((past + present).prefix(days)),
            revenue: try await figures.value(of: .workspace(workspace), "revenue \(period)") {
                try await revenue(of: workspace, days: days, endingAt: end)
            }
        )
    }

    /// By the days of the workspace.
    private func revenue(
        of workspace: WorkspaceID,
        days: Int,
        endingAt end: Date
    ) async throws -> Overview.Revenue? {
        let used = try await series.currencies(of: nil, in: workspace)
        guard let currency = try await series.usualCurrency(among: used, in: workspace) else {
            return nil
        }
        let amounts = try await series.rows(
            of: .revenue(product: nil, currency: currency),
            in: workspace,
            .day,
            length: 2 * days,
            endingAt: end
        ).map(\.value)
        return Overview.Revenue(
            currency: currency,
            amount: amounts.suffix(days).reduce(0, +),
            previous: amounts.prefix(days).reduce(0, +),
            days: amounts.suffix(days)
        )
    }
}
