import Foundation
import Model
import Ports
import Reasons

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

    /// - Throws: `ValidationError`; `NotAllowedError` to members who are no marketers.
    package func create(
        _ name: String,
        channel: SubscriptionGroup.Channel,
        by actor: Actor
    ) async throws -> SubscriptionGroup {
        try actor.require(.marketer)
        let workspace = actor.workspace
        guard (1...Self.nameLimit).contains(name.count), !name.utf8.contains(0) else {
            throw ValidationError(
                .subscriptionGroupName,
                .groupName,
                ["count": "\(Self.nameLimit)"]
            )
        }
        guard try await store.subscriptionGroups(in: workspace).count < Self.countLimit else {
            throw ValidationError(
                .subscriptionGroupName,
                .oneTooMany,
                ["count": "\(Self.countLimit)"]
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
            throw ValidationError(
                .subscriptionGroupName,
                .groupNameTaken,
                ["name": .text(name)]
            )
        }
        return group
    }
}
