import Foundation
import Model

/// The dispatches, for inspection and for comparison with providers' reports.
package protocol LedgerStore: Sendable {
    /// Dispatches of a send after `device`, in ascending order of their devices.
    func ledger(of send: SendID, after device: DeviceID?, limit: Int) async throws -> [LedgerRow]
    /// The dispatches of a send that belong to a user or to one of the user's devices.
    func ledger(of send: SendID, profile: ProfileID) async throws -> [LedgerRow]
    /// Whether the workspace no longer keeps who got a send. Its figures are final then.
    func isRemoved(_ send: SendID) async throws -> Bool
    /// Whether a user is in an audience that names users or everyone; `nil` for a segment, which
    /// only the audience service evaluates.
    func isMember(_ profile: ProfileID, of audience: Audience) async throws -> Bool?
    /// What is left to do, of all workspaces; its cost does not depend on the number of dispatches.
    func openWork() async throws -> OpenWork
    /// The user's exposure to a campaign's send: the variant, or the control group; `nil` if there
    /// is none.
    func entry(of profile: ProfileID, in send: SendID) async throws -> CampaignParticipation?
    /// When a user would have got a send as a member of the workspace's control group; `nil` if it
    /// was not withheld.
    func withheld(_ send: SendID, from profile: ProfileID) async throws -> Date?
}
