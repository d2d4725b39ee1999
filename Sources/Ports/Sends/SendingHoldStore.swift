import Foundation
import Model

/// The hold of a server that was restored from a backup. While it lasts, no due send, dispatch,
/// campaign or trigger is handed out.
package protocol SendingHoldStore: Sendable {
    /// The current hold, or the last one; `nil` if there never was one.
    func sendingHold() async throws -> SendingHold?
    /// Begins a hold, in place of the last one.
    func holdSending(since: Date) async throws
    /// Ends the hold.
    ///
    /// - Returns: `false` if nothing is held.
    func releaseSending(
        skippingMissed: Bool,
        noting audit: [WorkspaceID: AuditRecord],
        now: Date
    ) async throws -> Bool
    /// Sends that were made before `date` and have begun, or should have, by then, and are not over;
    /// the oldest first.
    func sendsBegun(by date: Date) async throws -> [Send]
}
