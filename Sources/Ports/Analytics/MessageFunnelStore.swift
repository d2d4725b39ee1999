import Foundation
import Model

/// How far messages have come, counted from the rows.
package protocol MessageFunnelStore: Sendable {
    /// Different users who are still known.
    func reach(of source: LedgerSource) async throws -> MessageReach
    /// When the first message of a source was accepted; `nil` if none was.
    func firstAcceptance(of source: LedgerSource) async throws -> Date?
    /// How soon accepted messages were opened, directly or influenced.
    ///
    /// - Parameter unit: The length of a step, in seconds.
    func openDelays(of source: LedgerSource, unit: Int64) async throws -> OpenDelays
    /// Different users of an in-app message who are still known.
    func inAppReach(
        of message: UUID,
        goal: ConversionEvent?,
        in workspace: WorkspaceID
    ) async throws -> InAppReach
}

/// Rows of the ledger that are looked at together.
package enum LedgerSource: Sendable, Hashable {
    case send(SendID)
    /// All launches.
    case campaign(CampaignID)
}
