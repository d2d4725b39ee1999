import Foundation
import Model
import Ports

/// Reads users with everything that is known of them, a bounded number at a time.
package struct UserArchive: Sendable {
    package typealias Source = ProfileStore & IdentityStore & AccountStore & UserHistoryStore

    /// Events and purchases of this time back are counted.
    private static let activityLength: TimeInterval = 90 * 86_400

    private let store: any Source
    private let now: @Sendable () -> Date

    package init(store: any Source, now: @escaping @Sendable () -> Date) {
        self.store = store
        self.now = now
    }

    /// A user with what is asked for only by name, because it is slow to find.
    package struct Entry: Sendable {
        package var profile: Profile
        package var record: UserRecord
        package var spending: UserSpending?
        package var campaigns: [CampaignReceipt]
        package var apps: [AppID: App]
    }

    /// Which of the slow parts are read.
    package struct Parts: OptionSet, Sendable {
        package let rawValue: Int

        package init(rawValue: Int) { self.rawValue = rawValue }

        package static let activity = Parts(rawValue: 1)
        package static let spending = Parts(rawValue: 2)
        package static let campaigns = Parts(rawValue: 4)
    }

    /// Hands over those of the users who are still there.
    package func forEach(
        _ users: [ProfileID],
        in workspace: WorkspaceID,
        _ parts: Parts,
        _ receive: (Entry) async throws -> Void
    ) async throws {
        let apps = Dictionary(
            uniqueKeysWithValues: try await store.apps(in: workspace).map { ($0.id, $0) }
        )
        // Counting events is the slow part: it is done for all at once.
        let activity =
            parts.contains(.activity)
            ? try await store.activity(
                of: users,
                in: workspace,
                since: now().addingTimeInterval(-Self.activityLength)
            ) : [:]
        let spending =
            parts.contains(.spending) ? try await store.spending(of: users, in: workspace) : [:]
        let campaigns =
            parts.contains(.campaigns) ? try await store.campaignsReceived(by: users) : [:]
        for id in users {
            guard let profile = try await store.profile(id) else { continue }
            var record = try await store.record(of: id, since: .distantFuture)
            record.events = activity[id]?.events ?? []
            record.purchases = activity[id]?.purchases ?? []
            try await receive(
                Entry(
                    profile: profile,
                    record: record,
                    spending: spending[id],
                    campaigns: campaigns[id] ?? [],
                    apps: apps
                )
            )
        }
    }
}
