import Foundation
import Model

/// Figures for people to read, counted from the raw rows.
package protocol ReportStore: Sendable {
    /// The counts between each boundary and the next: one entry fewer than `boundaries`.
    func figures(
        in workspace: WorkspaceID,
        between boundaries: [Date]
    ) async throws -> [PeriodFigures]
    /// How many users and devices an audience would reach now.
    func reach(
        of audience: Audience,
        in workspace: WorkspaceID
    ) async throws -> (users: Int, devices: Int)
    func sends(
        in workspace: WorkspaceID,
        matching query: SendQuery
    ) async throws -> (sends: [Send], total: Int)
    /// From when on figures of periods may be others than at `mark`: the earliest time of what has
    /// been stored since, by whatever process; `nil` when nothing has. Without a mark, and after a
    /// merge or a deletion, all of them may be.
    func changes(
        since mark: FigureMark?,
        in workspace: WorkspaceID
    ) async throws -> (earliest: Date?, mark: FigureMark)
    /// The rows of a send's ledger that changed last.
    func dispatches(of send: SendID, limit: Int) async throws -> [DispatchReport]
    /// When devices reported opens of a send, direct ones and influenced ones, oldest first.
    func openTimes(of send: SendID) async throws -> (direct: [Date], influenced: [Date])
    /// The names of the app's own events, in the order of the alphabet.
    func eventNames(
        in workspace: WorkspaceID,
        limit: Int,
        offset: Int
    ) async throws -> [String]
    /// The names of custom attributes that profiles have, the most frequent first, from a sample
    /// of the most recently updated ones.
    func customAttributeNames(in workspace: WorkspaceID, limit: Int) async throws -> [String]
}

/// How far the rows had come that figures were counted from.
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
