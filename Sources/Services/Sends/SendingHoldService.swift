import Foundation
import Model
import Ports

/// Ends the hold of a restored server.
package struct SendingHoldService: Sendable {
    /// What becomes of what was due before the restore.
    package enum Missed: String, Sendable, CaseIterable {
        /// It is sent now. For a server of which nothing was sent since the backup.
        case send
        /// Sends that have begun are stopped, and launches passed over: the server from which the
        /// backup is has sent them.
        case skip
    }

    /// What was done to end a hold.
    package struct Release: Sendable, Hashable {
        package var hold: SendingHold
        /// The sends that were stopped.
        package var stopped: [SendID]
    }

    private let store: any SendingHoldStore & SendStore & WorkspaceStore
    private let control: SendControl
    private let now: @Sendable () -> Date

    package init(
        store: any SendingHoldStore & SendStore & WorkspaceStore,
        control: SendControl,
        now: @escaping @Sendable () -> Date
    ) {
        self.store = store
        self.control = control
        self.now = now
    }

    /// The hold, while it lasts.
    package func current() async throws -> SendingHold? {
        guard let hold = try await store.sendingHold(), hold.isActive else { return nil }
        return hold
    }

    /// Sends that have begun, or should have, before the hold; the oldest first.
    package func missed(by hold: SendingHold) async throws -> [Send] {
        try await store.sendsBegun(by: hold.since)
    }

    /// Ends the hold. May be repeated when it was interrupted.
    ///
    /// - Parameter actor: Who does it, in each workspace.
    /// - Returns: `nil` if nothing is held.
    /// - Throws: `NotAllowedError`.
    package func release(
        _ missed: Missed,
        by actor: (WorkspaceID) -> Actor
    ) async throws -> Release? {
        guard let hold = try await current() else { return nil }
        var records: [WorkspaceID: AuditRecord] = [:]
        for workspace in try await store.workspaces() {
            let actor = actor(workspace.id)
            try actor.require(.administrator)
            records[workspace.id] = AuditRecord(
                at: now(),
                by: actor,
                action: "sending_released",
                subject: missed.rawValue
            )
        }
        var stopped: [SendID] = []
        if missed == .skip {
            for send in try await self.missed(by: hold)
            where try await control.take(.stop, with: send, by: actor(send.workspace)) {
                stopped.append(send.id)
            }
        }
        let isReleased = try await store.releaseSending(
            skippingMissed: missed == .skip,
            noting: records,
            now: now()
        )
        return isReleased ? Release(hold: hold, stopped: stopped) : nil
    }
}
