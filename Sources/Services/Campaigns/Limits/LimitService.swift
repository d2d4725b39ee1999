import Foundation
import Model
import Ports
import Reasons

/// The limits that protect a workspace's users from too many messages.
package struct LimitService: Sendable {
    private let store: any CampaignStore
    private let now: @Sendable () -> Date
    private let makeID: @Sendable () -> UUID

    package init(
        store: any CampaignStore,
        now: @escaping @Sendable () -> Date,
        makeID: @escaping @Sendable () -> UUID = { UUID() }
    ) {
        self.store = store
        self.now = now
        self.makeID = makeID
    }

    package func limits(of workspace: WorkspaceID) async throws -> MessagingLimits {
        try await store.limits(of: workspace)
    }

    /// Stores caps and quiet hours; the control group stays as it is.
    ///
    /// - Throws: `NotAllowedError` for actors who are not administrators.
    package func save(_ limits: MessagingLimits, by actor: Actor) async throws {
        try actor.require(.administrator)
        let caps = limits.caps.map { "\($0.messages)/\($0.days)" }
        let quiet = limits.quietHours.map { "\($0.start)–\($0.end)" }
        let audit = AuditRecord(
            at: now(),
            by: actor,
            action: "settings_saved",
            subject: "limits",
            detail: (caps + [quiet].compactMap(\.self)).joined(separator: ", ")
        )
        _ = try await store.changeLimits(of: actor.workspace) { stored in
            stored.caps = limits.caps
            stored.quietHours = limits.quietHours
            return audit
        }
    }

    /// Withholds the messages of campaigns from a share of all users, or from nobody.
    ///
    /// A larger share keeps the members that there are; the first group, and every redrawn one, is
    /// of other users.
    ///
    /// - Parameters:
    ///   - share: The percentage; 0 ends the group.
    ///   - redraws: Whether other users are drawn.
    /// - Throws: `ValidationError` for another percentage, `NotAllowedError` for actors who are not
    ///   administrators.
    package func saveControlGroup(
        share: Int,
        redraws: Bool = false,
        by actor: Actor
    ) async throws -> ControlGroup? {
        try actor.require(.administrator)
        guard share == 0 || ControlGroup.shares.contains(share) else {
            throw ValidationError(
                .limits(.controlShare),
                .range,
                ["first": "0", "last": "\(ControlGroup.shares.upperBound)"]
            )
        }
        let time = now()
        let seed = makeID()
        return try await store.changeLimits(of: actor.workspace) { limits in
            let former = limits.controlGroup
            guard former?.share != share || redraws, share > 0 || former != nil else { return nil }
            limits.controlGroup =
                share == 0
                ? nil
                : ControlGroup(
                    share: share,
                    seed: redraws ? seed : former?.seed ?? seed,
                    since: time
                )
            return AuditRecord(
                at: time,
                by: actor,
                action: "settings_saved",
                subject: "control_group",
                detail: "\(former?.share ?? 0) % → \(share) %" + (redraws ? ", redrawn" : "")
            )
        }.controlGroup
    }
}
