import Foundation
import Model
import Ports

/// Writes users who match a segment into a send's ledger.
struct SegmentPlanner {
    let store: any PlanStore
    let audience: any AudienceSource

    /// - Throws: `AudienceProblem` when the segment cannot be evaluated.
    func planChunk(
        of send: Send,
        matching query: SegmentQuery,
        limit: Int,
        now: Date
    ) async throws -> PlanStep {
        let origin = try await store.planCursor(of: send.id)
        let profiles = try await audience.profiles(
            in: send.workspace,
            matching: query,
            after: origin,
            limit: limit
        )
        // Whoever can be reached is asked of the rows, at this moment.
        let recipients = try await store.recipients(
            profiles,
            in: send.workspace,
            campaign: nil,
            contactsSince: now,
            before: send.id
        )
        let chunk = PlanChunk(
            campaign: nil,
            countsForCaps: false,
            origin: origin,
            end: profiles.last,
            entries: recipients.filter { !$0.devices.isEmpty }.map {
                PlanChunk.Entry(
                    profile: $0.profile,
                    devices: $0.devices,
                    variant: nil,
                    isControl: false,
                    dueAt: now
                )
            },
            isComplete: profiles.count < limit
        )
        guard try await store.commitPlan(chunk, of: send.id, now: now) else {
            return PlanStep(added: 0, isComplete: false)
        }
        return PlanStep(
            added: chunk.entries.reduce(0) { $0 + $1.devices.count },
            isComplete: chunk.isComplete
        )
    }
}
