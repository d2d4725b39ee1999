import Foundation
import Model

/// Subscription groups, and who does not want e-mail.
package protocol SubscriptionStore: Sendable {
    /// - Throws: `StoreError` with code `exists` when the name is taken.
    func createSubscriptionGroup(
        _ group: SubscriptionGroup,
        noting audit: AuditRecord?,
        now: Date
    ) async throws
    /// In the order of their names.
    func subscriptionGroups(in workspace: WorkspaceID) async throws -> [SubscriptionGroup]
    /// E-mail addresses whose users have unsubscribed, with the time, by time.
    func emailUnsubscribes(
        in workspace: WorkspaceID,
        matching query: UnsubscribeQuery
    ) async throws -> [EmailUnsubscribe]
}
