import Foundation
import Model

/// Subscription groups, and who does not want e-mail.
package protocol SubscriptionStore: Sendable {
    /// - Throws: `StoreError` with code `exists` when the name is taken.
    func createSubscriptionGroup(_ group: SubscriptionGroup, now: Date) async throws
    /// In the order of their names.
    func subscriptionGroups(in workspace: WorkspaceID) async throws -> [SubscriptionGroup]
    /// E-mail addresses whose users have unsubscribed, with the time, by time.
    func emailUnsubscribes(
        in workspace: WorkspaceID,
        matching query: UnsubscribeQuery
    ) async throws -> [EmailUnsubscribe]
}

package struct EmailUnsubscribe: Sendable, Hashable {
    package var email: String
    package var time: Date

    package init(email: String, time: Date) {
        self.email = email
        self.time = time
    }
}

package struct UnsubscribeQuery: Sendable, Hashable {
    package var from: Date
    package var until: Date
    /// Only this address.
    package var email: String?
    package var isNewestFirst: Bool
    package var limit: Int
    package var offset: Int

    package init(
        from: Date,
        until: Date,
        email: String?,
        isNewestFirst: Bool,
        limit: Int,
        offset: Int
    ) {
        self.from = from
        self.until = until
        self.email = email
        self.isNewestFirst = isNewestFirst
        self.limit = limit
        self.offset = offset
    }
}
