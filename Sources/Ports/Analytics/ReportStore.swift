import Foundation
import Model

/// Counts for reports, from the raw rows.
package protocol ReportStore: Sendable {
    /// The counts between each boundary and the next: one entry fewer than `boundaries`.
    func figures(
        in workspace: WorkspaceID,
        between boundaries: [Date]
    ) async throws -> [PeriodCounts]
    /// Number of users and devices that an audience would reach now.
    func reach(
        of audience: Audience,
        in workspace: WorkspaceID
    ) async throws -> (users: Int, devices: Int)
    func sends(
        in workspace: WorkspaceID,
        matching query: SendQuery
    ) async throws -> (sends: [Send], total: Int)
    /// The earliest time at which counts of a period may have changed since `mark`, whichever
    /// process wrote the rows; `nil` if nothing was stored since. Without a mark, and after a merge
    /// or a deletion, all counts may have changed.
    func changes(
        since mark: FigureMark?,
        in workspace: WorkspaceID
    ) async throws -> (earliest: Date?, mark: FigureMark)
    /// The most recently changed dispatches of a send.
    func dispatches(of send: SendID, limit: Int) async throws -> [DispatchReport]
    /// Number of devices on which a send was first opened on a page of its story, by the page, from 1.
    func storyOpens(of send: SendID) async throws -> [Int: Int]
    /// The names of the app's own events, in alphabetical order.
    func eventNames(
        in workspace: WorkspaceID,
        limit: Int,
        offset: Int
    ) async throws -> [String]
    /// The names of custom attributes, the most frequent first, from a sample of the most recently
    /// updated profiles.
    func customAttributeNames(in workspace: WorkspaceID, limit: Int) async throws -> [String]
}

/// The position in the rows up to which counts were made.
package struct FigureMark: Sendable, Hashable {
    package var event: Int64
    package var interaction: Int64
    package var profile: Int64
    package var change: Int64

    package init(event: Int64, interaction: Int64, profile: Int64, change: Int64) {
        self.event = event
        self.interaction = interaction
        self.profile = profile
        self.change = change
    }
}
