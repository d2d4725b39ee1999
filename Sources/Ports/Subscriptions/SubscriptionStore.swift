import Foundation
import Model

/// Subscription groups, and users who have unsubscribed from e-mail.
package protocol SubscriptionStore: Sendable {
    /// - Throws: `StoreError` with code `exists` if the name is taken.
    func createSubscriptionGroup(
        _ group: SubscriptionGroup,
        noting audit: AuditRecord?,
        now: Date
    ) async throws
    /// In alphabetical order.
    func subscriptionGroups(in workspace: WorkspaceID) async throws -> [SubscriptionGroup]
    /// E-mail addresses of unsubscribed users, with the time, in chronological order.
    func emailUnsubscribes(
        in workspace: WorkspaceID,
        matching query: UnsubscribeQuery
    ) async throws -> [EmailUnsubscribe]
}
