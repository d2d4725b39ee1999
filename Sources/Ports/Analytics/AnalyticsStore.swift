import Foundation
import Model

/// Counts over time. Daily counts are updated as events arrive; they are a cache of the rows and
/// can be deleted at any time.
package protocol AnalyticsStore: Sendable {
    /// Brings the daily counts up to date with the stored rows.
    func refreshDailyCounts(in workspace: WorkspaceID, days: LocalDays) async throws
    /// Recomputes the influenced opens of a workspace and its sums of receipts and opens from the
    /// rows.
    func recountOpens(in workspace: WorkspaceID) async throws
    /// Deletes the daily counts; the next update recomputes them from the rows.
    func deleteDailyCounts(in workspace: WorkspaceID) async throws
    /// The daily counts between each boundary and the next. The boundaries are starts of days in
    /// the time zone of the last update.
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
    /// Number of users for each day with a session on it or on the `window - 1` days before. `days`
    /// are the starts of the days and the end of the last one.
    func activeUsers(
        in workspace: WorkspaceID,
        days: [Date],
        window: Int,
        calendar: LocalDays
    ) async throws -> [Int]
    /// Number of users created between each boundary and the next.
    func newUsers(in workspace: WorkspaceID, between boundaries: [Date]) async throws -> [Int]
    /// Counts of some apps or users between each boundary and the next, from the rows.
    ///
    /// - Throws: `SeriesGapError` if the rows do not record their app.
    func counts(
        of series: CountSeries,
        in workspace: WorkspaceID,
        between boundaries: [Date],
        filter: SeriesFilter
    ) async throws -> [Double]
    /// Active users of some apps, or of some users.
    ///
    /// - Throws: `SeriesGapError` if the rows do not record their app.
    func activeUsers(
        in workspace: WorkspaceID,
        days: [Date],
        window: Int,
        calendar: LocalDays,
        filter: SeriesFilter
    ) async throws -> [Int]
    /// Number of users created between each boundary and the next; if the filter names apps, the
    /// users whose first session in them was then.
    ///
    /// - Throws: `SeriesGapError` if the rows do not record their app.
    func newUsers(
        in workspace: WorkspaceID,
        between boundaries: [Date],
        filter: SeriesFilter
    ) async throws -> [Int]
    /// The app with this SDK key or bundle identifier.
    func app(named name: String, in workspace: WorkspaceID) async throws -> AppID?
    /// The time since which uninstalls are recorded; `nil` if they always were.
    func uninstallsSince() async throws -> Date?
    /// Purchased products in alphabetical order, from the daily counts.
    func products(in workspace: WorkspaceID, limit: Int, offset: Int) async throws -> [String]
    /// The currencies of the purchases of a product, or of all products for `nil`, from the daily
    /// counts.
    func currencies(of product: String?, in workspace: WorkspaceID) async throws -> [String]
}
