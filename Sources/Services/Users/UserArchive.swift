import Foundation
import Model
import Ports

/// Reads users with all of their data, a bounded number at a time.
package struct UserArchive: Sendable {
    package typealias Source = ProfileStore & IdentityStore & AccountStore & UserHistoryStore

    /// The time back for which events and purchases are counted, in seconds.
    private static let activityLength: TimeInterval = 90 * 86_400

    private let store: any Source
    private let now: @Sendable () -> Date

    package init(store: any Source, now: @escaping @Sendable () -> Date) {
        self.store = store
        self.now = now
    }

    /// A user, with the parts that are slow to read only on request.
    package struct Entry: Sendable {
        package var profile: Profile
        package var record: UserRecord
        package var spending: UserSpending?
        package var campaigns: [CampaignExposureSummary]
        package var apps: [AppID: App]
    }

    /// The slow parts to read.
    package struct Parts: OptionSet, Sendable {
        package let rawValue: Int

        package init(rawValue: Int) { self.rawValue = rawValue }

        package static let activity = Parts(rawValue: 1)
        package static let spending = Parts(rawValue: 2)
        package static let campaigns = Parts(rawValue: 4)
    }

    /// Calls the closure with each of the users who still exist.
    package func forEach(
        _ users: [ProfileID],
        in workspace: WorkspaceID,
        _ parts: Parts,
        _ receive: (Entry) async throws -> Void
    ) async throws {
        let apps = Dictionary(
            uniqueKeysWithValues: try await store.apps(in: workspace).map { ($0.id, $0) }
        )
        // Counting events is slow, so it is done for all users at once.
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
