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
    /// How many users took each share of a split by their first passage in these versions, and how
    /// many of them reached the goal in that entry afterwards.
    func splitCounts(
        of journey: JourneyID,
        at step: JourneyStepID,
        in versions: [Int]
    ) async throws -> [Int: JourneySplitCount]
    /// Entries inside a journey, in the order of their numbers.
    func entriesInside(
        _ journey: JourneyID,
        after cursor: JourneyEntryID?,
        limit: Int
    ) async throws -> [JourneyEntry]
    /// The campaigns under which the pushes of the steps are counted; steps that have sent nothing
    /// are missing.
    func messages(of journey: JourneyID) async throws -> [JourneyStepID: CampaignID]
    /// Entries into a journey between each boundary and the next, and conversions and ends in it.
    ///
    /// - Parameter boundaries: In ascending order; the result has one element less.
    func journeySeries(
        of journey: JourneyID,
        between boundaries: [Date]
    ) async throws -> [JourneyPeriod]
}
