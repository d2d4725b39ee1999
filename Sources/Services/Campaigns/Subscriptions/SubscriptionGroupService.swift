import Foundation
import Model
import Ports

/// Lists that users join and leave.
package struct SubscriptionGroupService: Sendable {
    package static let nameLimit = 255
    package static let countLimit = 1_000

    private let store: any SubscriptionStore
    private let now: @Sendable () -> Date
    private let makeID: @Sendable () -> UUID

    package init(
        store: any SubscriptionStore,
        now: @escaping @Sendable () -> Date,
        makeID: @escaping @Sendable () -> UUID
    ) {
        self.store = store
        self.now = now
        self.makeID = makeID
    }

    package func groups(in workspace: WorkspaceID) async throws -> [SubscriptionGroup] {
        try await store.subscriptionGroups(in: workspace)
    }

    /// The e-mail addresses of unsubscribed users, in chronological order.
    package func emailUnsubscribes(
        in workspace: WorkspaceID,
        matching query: UnsubscribeQuery
    ) async throws -> [EmailUnsubscribe] {
        try await store.emailUnsubscribes(in: workspace, matching: query)
    }

    /// - Throws: `SubscriptionGroupRefusal`; `NotAllowed` for members who are not marketers.
    package func create(
        _ name: String,
        channel: SubscriptionGroup.Channel,
        by actor: Actor
    ) async throws -> SubscriptionGroup {
        try actor.require(.marketer)
        let workspace = actor.workspace
        guard (1...Self.nameLimit).contains(name.count), !name.utf8.contains(0) else {
            throw SubscriptionGroupRefusal(
                "has 1 to \(Self.nameLimit) characters, none of them U+0000"
            )
        }
        guard try await store.subscriptionGroups(in: workspace).count < Self.countLimit else {
            throw SubscriptionGroupRefusal(
                "is one too many: a workspace has at most \(Self.countLimit)"
            )
        }
        let group = SubscriptionGroup(
            id: makeID(),
            workspace: workspace,
            name: name,
            channel: channel
        )
        do {
            try await store.createSubscriptionGroup(
                group,
                noting: AuditRecord(
                    at: now(),
                    by: actor,
                    action: "subscription_group_added",
                    subject: name,
                    detail: channel.rawValue
                ),
                now: now()
            )
        } catch let error as StoreError where error.code == .exists {
            throw SubscriptionGroupRefusal("is taken: \(error.message)")
        }
        return group
    }
}

/// The reason why a group with this name cannot be created.
package struct SubscriptionGroupRefusal: Error, Sendable, Hashable, CustomStringConvertible {
    package var description: String

    package init(_ description: String) {
        self.description = description
    }
}
