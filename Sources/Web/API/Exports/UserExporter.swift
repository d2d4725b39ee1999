import Foundation
import Model
import NoroshiWire
import Ports

/// Reads users with everything that is known of them, a bounded number at a time.
struct UserExporter: Sendable {
    /// Events and purchases of this time back are counted.
    static let activityLength: TimeInterval = 90 * 86_400

    let store: any Store
    let workspace: WorkspaceID
    let now: @Sendable () -> Date

    /// Hands over users who are still there; all fields when none is named.
    func forEach(
        _ users: [ProfileID],
        _ fields: Set<String>,
        _ receive: (JSONValue) async throws -> Void
    ) async throws {
        let apps = Dictionary(
            uniqueKeysWithValues: try await store.apps(in: workspace).map { ($0.id, $0) }
        )
        // Counting events is the slow part: it is done for all at once, and only when asked for.
        let countsActivity =
            fields.isEmpty || fields.contains("custom_events") || fields.contains("purchases")
        let activity =
            countsActivity
            ? try await store.activity(
                of: users,
                in: workspace,
                since: now().addingTimeInterval(-Self.activityLength)
            ) : [:]
        let spending =
            fields.isEmpty || fields.contains("total_revenue")
            ? try await store.spending(of: users, in: workspace) : [:]
        let campaigns =
            fields.isEmpty || fields.contains("campaigns_received")
            ? try await store.campaignsReceived(by: users) : [:]
        for id in users {
            guard let profile = try await store.profile(id) else { continue }
            var record = try await store.record(of: id, since: .distantFuture)
            record.events = activity[id]?.events ?? []
            record.purchases = activity[id]?.purchases ?? []
            let history = UserExport.History(
                spending: spending[id],
                campaigns: campaigns[id] ?? []
            )
            var user = UserExport(profile, record, history, apps: apps).json
            if !fields.isEmpty { user = user.filter { fields.contains($0.key) } }
            try await receive(.object(user))
        }
    }

    /// A user as one line of a file.
    static func line(_ user: JSONValue) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return Array(try encoder.encode(user)) + [UInt8(ascii: "\n")]
    }
}
