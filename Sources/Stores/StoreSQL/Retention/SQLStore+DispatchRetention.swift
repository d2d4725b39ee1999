import Foundation
import Model
import Ports
import Relational

extension SQLStore {
    func removeDispatches(
        in workspace: WorkspaceID,
        olderThan moment: Date,
        lookingAt count: Int,
        now: Date
    ) async throws -> RetentionStep {
        // Nothing changes the figures of a closed send, and nobody waits while a reader counts them.
        let counted = try await read { try DispatchRemoval($0, in: workspace).count() }
        return try await write { database in
            var pass =
                try RetentionPass.fetch(.dispatches, in: workspace, database)
                ?? RetentionPass(keptSince: .min)
            _ = pass.look(for: .dispatches, olderThan: moment, now: now)
            let removal = DispatchRemoval(database, in: workspace)
            if let counted { try removal.keep(counted) }
            let (place, removed) = try removal.step(
                after: pass.send ?? 0,
                before: pass.limit,
                lookingAt: count
            )
            pass.removed += removed
            pass.send = place
            if place == nil { pass.finishedAt = now.milliseconds }
            try pass.save(.dispatches, in: workspace, database)
            return RetentionStep(removed: removed, isLast: place == nil)
        }
    }
}
