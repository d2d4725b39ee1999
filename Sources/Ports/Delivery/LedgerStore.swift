import Foundation
import Model

/// The ledger row by row, to look into and to compare with what providers say.
package protocol LedgerStore: Sendable {
    /// Rows of a send in the order of their devices, after `device`.
    func ledger(of send: SendID, after device: DeviceID?, limit: Int) async throws -> [LedgerRow]
    /// The rows of a send that belong to a user or to one of the user's devices.
    func ledger(of send: SendID, profile: ProfileID) async throws -> [LedgerRow]
    /// Whether a user is in an audience that names users or everyone; `nil` for a segment, which
    /// only the audience's own service evaluates.
    func isMember(_ profile: ProfileID, of audience: Audience) async throws -> Bool?
    /// The user's history with a campaign's send: variant, control group; `nil` without one.
    func entry(of profile: ProfileID, in send: SendID) async throws -> CampaignEntry?
}
