import Foundation
import Model

/// Counts over time. Those of whole days are kept as they come in; they are a cache of the rows
/// and can be forgotten at any time.
package protocol AnalyticsStore: Sendable {
    /// Brings the daily counts up to the rows that are stored now.
    func updateDailyCounts(in workspace: WorkspaceID, days: LocalDays) async throws
    /// Makes the influenced opens of a workspace and its sums of receipts and opens from the rows.
    func recountOpens(in workspace: WorkspaceID) async throws
    /// Forgets the daily counts; the next update makes them from the rows.
    func forgetDailyCounts(in workspace: WorkspaceID) async throws
    /// The daily counts between each boundary and the next. The boundaries are beginnings of days
    /// in the time zone of the last update.
    func dailyCounts(
        of series: CountSeries,
        in workspace: WorkspaceID,
        between boundaries: [Date]
    ) async throws -> [Double]
    /// The same between any boundaries, counted from the rows.
    func counts(
        of series: CountSeries,
        in workspace: WorkspaceID,
        between boundaries: [Date]
    ) async throws -> [Double]
    /// For each day, how many users began a session on it or on the `window - 1` days before.
    /// `days` are beginnings of days and the end of the last.
    func activeUsers(
        in workspace: WorkspaceID,
        days: [Date],
        window: Int,
        calendar: LocalDays
    ) async throws -> [Int]
    /// Users made between each boundary and the next.
    func newUsers(in workspace: WorkspaceID, between boundaries: [Date]) async throws -> [Int]
    /// Counts of some apps or users between each boundary and the next, from the rows.
    ///
    /// - Throws: `SeriesGap` when the rows do not say of which app they are.
    func counts(
        of series: CountSeries,
        in workspace: WorkspaceID,
        between boundaries: [Date],
        filter: SeriesFilter
    ) async throws -> [Double]
    /// Active users of some apps, or of some users.
    ///
    /// - Throws: `SeriesGap` when the rows do not say of which app they are.
    func activeUsers(
        in workspace: WorkspaceID,
        days: [Date],
        window: Int,
        calendar: LocalDays,
        filter: SeriesFilter
    ) async throws -> [Int]
    /// Users made, or of apps those whose first session there was, between each boundary and the
    /// next.
    ///
    /// - Throws: `SeriesGap` when the rows do not say of which app they are.
    func newUsers(
        in workspace: WorkspaceID,
        between boundaries: [Date],
        filter: SeriesFilter
    ) async throws -> [Int]
    /// The app with this SDK key or bundle identifier.
    func app(named name: String, in workspace: WorkspaceID) async throws -> AppID?
    /// Since when uninstalls are noted, where that was not always so.
    func uninstallsSince() async throws -> Date?
    /// Products that were bought, in the order of the alphabet; from the daily counts.
    func products(in workspace: WorkspaceID, limit: Int, offset: Int) async throws -> [String]
    /// The currencies in which a product, or anything, was bought; from the daily counts.
    func currencies(of product: String?, in workspace: WorkspaceID) async throws -> [String]
}
