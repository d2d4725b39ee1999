import Foundation
import Model
import Ports

/// The limits that protect a workspace's users from too many messages.
package struct LimitService: Sendable {
    private let store: any CampaignStore
    private let now: @Sendable () -> Date

    package init(store: any CampaignStore, now: @escaping @Sendable () -> Date) {
        self.store = store
        self.now = now
    }

    package func limits(of workspace: WorkspaceID) async throws -> MessagingLimits {
        try await store.limits(of: workspace)
    }

    /// - Throws: `NotAllowed` for actors who are not administrators.
    package func save(_ limits: MessagingLimits, by actor: Actor) async throws {
        try actor.require(.administrator)
        let caps = limits.caps.map { "\($0.messages)/\($0.days)" }
        let quiet = limits.quietHours.map { "\($0.start)–\($0.end)" }
        try await store.saveLimits(
            limits,
            of: actor.workspace,
            noting: AuditRecord(
                at: now(),
                by: actor,
                action: "settings_saved",
                subject: "limits",
                detail: (caps + [quiet].compactMap(\.self)).joined(separator: ", ")
            )
        )
    }
}
