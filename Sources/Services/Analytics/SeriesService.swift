import Foundation
import Model
import Ports

/// Figures over time in the days of a workspace's time zone.
package struct SeriesService: Sendable {
    package enum Unit: String, Sendable, CaseIterable {
        case day, hour
    }

    /// One row: when its day or hour begins, as text, and its figure.
    package struct Row: Sendable, Hashable {
        package var time: String
        package var value: Double
    }

    /// The days whose figure of monthly users counts a session.
    package static let monthLength = 30

    private let store: any AnalyticsStore & AccountStore

    package init(store: any AnalyticsStore & AccountStore) {
        self.store = store
    }

    /// The days of a workspace.
    package func days(of workspace: WorkspaceID) async throws -> LocalDays {
        let summary = try await store.workspaces().first { $0.id == workspace }
        let zone = summary.flatMap { TimeZone(identifier: $0.timeZone) }
        return LocalDays(zone ?? .gmt)
    }

    /// The last `length` days or hours up to the one that has `end`, oldest first.
    package func rows(
        of series: CountSeries,
        in workspace: WorkspaceID,
        _ unit: Unit,
        length: Int,
        endingAt end: Date
    ) async throws -> [Row] {
        let days = try await days(of: workspace)
        switch unit {
        case .hour:
            let hours = days.hours(length, endingAt: end)
            let counts = try await store.counts(of: series, in: workspace, between: hours)
            return zip(hours, counts).map { Row(time: Timestamp.format($0), value: $1) }
        case .day:
            try await store.updateDailyCounts(in: workspace, days: days)
            let starts = days.days(length, endingAt: end)
            let counts = try await store.dailyCounts(of: series, in: workspace, between: starts)
            return zip(starts, counts).map { Row(time: days.name(of: $0), value: $1) }
        }
    }

    /// How many users began a session on each day, or within the `window` days that end with it.
    package func activeUsers(
        in workspace: WorkspaceID,
        window: Int,
        length: Int,
        endingAt end: Date
    ) async throws -> [Row] {
        let days = try await days(of: workspace)
        try await store.updateDailyCounts(in: workspace, days: days)
        let starts = days.days(length, endingAt: end)
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
        endingAt end: Date
    ) async throws -> [Row] {
        let days = try await days(of: workspace)
        let starts = days.days(length, endingAt: end)
        let counts = try await store.newUsers(in: workspace, between: starts)
        return zip(starts, counts).map { Row(time: days.name(of: $0), value: Double($1)) }
    }

    package func products(
        in workspace: WorkspaceID,
        limit: Int,
        offset: Int
    ) async throws -> [String] {
        try await store.updateDailyCounts(in: workspace, days: try await days(of: workspace))
        return try await store.products(in: workspace, limit: limit, offset: offset)
    }

    package func currencies(
        of product: String?,
        in workspace: WorkspaceID
    ) async throws -> [String] {
        try await store.updateDailyCounts(in: workspace, days: try await days(of: workspace))
        return try await store.currencies(of: product, in: workspace)
    }

    /// Makes the daily counts of a workspace again from the rows.
    package func rebuild(_ workspace: WorkspaceID) async throws {
        try await store.forgetDailyCounts(in: workspace)
        try await store.updateDailyCounts(in: workspace, days: try await days(of: workspace))
    }
}
