import Foundation
import Model

/// Where people are and were in journeys.
package protocol JourneyReportStore: Sendable {
    func figures(of journey: JourneyID) async throws -> JourneyFigures
    /// Journeys that nobody has entered are missing.
    func totals(of journeys: [JourneyID]) async throws -> [JourneyID: JourneyTotals]
    /// Entries behind a figure of a step, the newest first, and their number.
    func people(
        at step: JourneyStepID,
        of journey: JourneyID,
        in group: JourneyStepGroup,
        limit: Int,
        offset: Int
    ) async throws -> (entries: [JourneyEntry], total: Int)
    /// All entries of a user, the newest first.
    func entries(of profile: ProfileID, in journey: JourneyID?) async throws -> [JourneyEntry]
    /// The steps that an entry has left, in this order.
    func passages(of entry: JourneyEntryID) async throws -> [JourneyPassage]
    /// Entries inside a journey, in the order of their numbers.
    func entriesInside(
        _ journey: JourneyID,
        after cursor: JourneyEntryID?,
        limit: Int
    ) async throws -> [JourneyEntry]
    /// Entries into a journey between each boundary and the next, and conversions in it.
    ///
    /// - Parameter boundaries: In ascending order; the result has one element less.
    func journeySeries(
        of journey: JourneyID,
        between boundaries: [Date]
    ) async throws -> [JourneyPeriod]
}

/// What happened in a journey in one period.
package struct JourneyPeriod: Sendable, Hashable {
    package var start: Date
    package var entries: Int
    package var conversions: Int

    package init(start: Date, entries: Int, conversions: Int) {
        self.start = start
        self.entries = entries
        self.conversions = conversions
    }
}
