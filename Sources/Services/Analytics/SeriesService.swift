import Foundation
import Model
import Ports

/// Counts over time, in days of a workspace's time zone.
package struct SeriesService: Sendable {
    package enum Unit: String, Sendable, CaseIterable {
        case day, hour
    }

    /// One row: the start of its day or hour as text, and the count.
    package struct Row: Sendable, Hashable {
        package var time: String
        package var value: Double
    }

    /// Number of days in whose monthly active users a session counts.
    package static let monthLength = ActiveUserWindow.month

    /// The filter of a request on a series.
    package struct Narrowing: Sendable, Hashable {
        /// Events from any of these apps; all events if empty.
        package var apps: Set<AppID>
        /// Users who are in all of these segments now; `nil` means all users.
        package var query: SegmentQuery?

        package init(apps: Set<AppID> = [], query: SegmentQuery? = nil) {
            self.apps = apps
            self.query = query
        }

        var isEmpty: Bool { apps.isEmpty && query == nil }
    }

    /// Number of users of a segment that are listed at a time.
    private static let memberPage = 50_000

    private let store: any AnalyticsStore & WorkspaceStore
    private let audience: (any AudienceSource)?

    /// - Parameter audience: Evaluates segments; without it no series can be filtered by one.
    package init(
        store: any AnalyticsStore & WorkspaceStore,
        audience: (any AudienceSource)? = nil
    ) {
        self.store = store
        self.audience = audience
    }

    private func filter(
        _ narrowing: Narrowing,
        in workspace: WorkspaceID
    ) async throws -> SeriesFilter {
        var filter = SeriesFilter(apps: narrowing.apps)
        guard let query = narrowing.query, let audience else { return filter }
        var users: [ProfileID] = []
        var cursor: ProfileID?
        while true {
            let page = try await audience.profiles(
                in: workspace,
                matching: query,
                after: cursor,
                limit: Self.memberPage
            )
            users += page
            guard page.count == Self.memberPage, let last = page.last else { break }
            cursor = last
        }
        filter.users = users
        return filter
    }

    /// The app with this SDK key or bundle identifier.
    package func app(named name: String, in workspace: WorkspaceID) async throws -> AppID? {
        try await store.app(named: name, in: workspace)
    }

    /// The days of a workspace.
    package func days(of workspace: WorkspaceID) async throws -> LocalDays {
        LocalDays(try await store.timeZone(of: workspace))
    }

    /// The currency of a sum of purchases in these currencies if the request names none: the only
    /// one, or otherwise the workspace's if it is among them.
    package func usualCurrency(
        among used: [String],
        in workspace: WorkspaceID
    ) async throws -> String? {
        let own = try await store.workspace(workspace)?.settings.currency
        switch used.count {
        case 0: return own ?? WorkspaceSettings.firstCurrency
        case 1: return used.first
        default: return own.flatMap { used.contains($0) ? $0 : nil }
        }
    }

    /// The last `length` days or hours, ending with the one that contains `end`, oldest first.
    package func rows(
        of series: CountSeries,
        in workspace: WorkspaceID,
        _ unit: Unit,
        length: Int,
        endingAt end: Date,
        narrowedTo narrowing: Narrowing = Narrowing()
    ) async throws -> [Row] {
        let days = try await days(of: workspace)
        if !narrowing.isEmpty {
            let isByHour = unit == .hour
            let starts =
                isByHour ? days.hours(length, endingAt: end) : days.days(length, endingAt: end)
            let counts = try await store.counts(
                of: series,
                in: workspace,
                between: starts,
                filter: try await filter(narrowing, in: workspace)
            )
            return zip(starts, counts).map {
                Row(time: isByHour ? Timestamp.format($0) : days.name(of: $0), value: $1)
            }
        }
        switch unit {
        case .hour:
            let hours = days.hours(length, endingAt: end)
            let counts = try await store.counts(of: series, in: workspace, between: hours)
            return zip(hours, counts).map { Row(time: Timestamp.format($0), value: $1) }
        case .day:
            try await store.refreshDailyCounts(in: workspace, days: days)
            let starts = days.days(length, endingAt: end)
            let counts = try await store.dailyCounts(of: series, in: workspace, between: starts)
            return zip(starts, counts).map { Row(time: days.name(of: $0), value: $1) }
        }
    }

    /// Number of users with a session on each day, or within the `window` days that end with it.
    package func activeUsers(
        in workspace: WorkspaceID,
        window: Int,
        length: Int,
        endingAt end: Date,
        narrowedTo narrowing: Narrowing = Narrowing()
    ) async throws -> [Row] {
        let days = try await days(of: workspace)
        let starts = days.days(length, endingAt: end)
        if !narrowing.isEmpty {
            let counts = try await store.activeUsers(
                in: workspace,
                days: starts,
                window: window,
                calendar: days,
                filter: try await filter(narrowing, in: workspace)
            )
            return zip(starts, counts).map { Row(time: days.name(of: $0), value: Double($1)) }
        }
        try await store.refreshDailyCounts(in: workspace, days: days)
        let counts = try await store.activeUsers(
            in: workspace,
            days: starts,
            window: window,
            calendar: days
        )
        return zip(starts, counts).map { Row(time: days.name(of: $0), value: Double($1)) }
    }

    package func newUsers(
        in workspace: WorkspaceID,
        length: Int,
        endingAt end: Date,
        narrowedTo narrowing: Narrowing = Narrowing()
    ) async throws -> [Row] {
        let days = try await days(of: workspace)
        let starts = days.days(length, endingAt: end)
        let counts =
            narrowing.isEmpty
            ? try await store.newUsers(in: workspace, between: starts)
            : try await store.newUsers(
                in: workspace,
                between: starts,
                filter: try await filter(narrowing, in: workspace)
            )
        return zip(starts, counts).map { Row(time: days.name(of: $0), value: Double($1)) }
    }

    /// Number of devices per day whose uninstall the push providers reported.
    ///
    /// - Throws: `SeriesGapError` if uninstalls were not recorded yet on one of the days.
    package func uninstalls(
        in workspace: WorkspaceID,
        length: Int,
        endingAt end: Date,
        narrowedTo narrowing: Narrowing = Narrowing()
    ) async throws -> [Row] {
        let days = try await days(of: workspace)
        if let since = try await store.uninstallsSince(),
            let start = days.days(length, endingAt: end).first, start < since
        {
            throw SeriesGapError(since: since)
        }
        return try await rows(
            of: .uninstalls,
            in: workspace,
            .day,
            length: length,
            endingAt: end,
            narrowedTo: narrowing
        )
    }

    package func products(
        in workspace: WorkspaceID,
        limit: Int,
        offset: Int
    ) async throws -> [String] {
        try await store.refreshDailyCounts(in: workspace, days: try await days(of: workspace))
        return try await store.products(in: workspace, limit: limit, offset: offset)
    }

    package func currencies(
        of product: String?,
        in workspace: WorkspaceID
    ) async throws -> [String] {
        try await store.refreshDailyCounts(in: workspace, days: try await days(of: workspace))
        return try await store.currencies(of: product, in: workspace)
    }

    /// Recomputes the daily counts and the opens of a workspace from the rows.
    package func rebuild(_ workspace: WorkspaceID) async throws {
        try await store.recountOpens(in: workspace)
        try await store.deleteDailyCounts(in: workspace)
        try await store.refreshDailyCounts(in: workspace, days: try await days(of: workspace))
    }
}
