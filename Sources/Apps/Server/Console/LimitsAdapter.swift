import Console
import Foundation
import Model
import Ports

/// Reads and saves the workspace's limits for the console.
struct LimitsAdapter: LimitPages {
    let store: any Store

    func limits(for member: ConsoleMember) async throws -> WorkspaceRules {
        let limits = try await store.limits(of: WorkspaceID(member.workspaceID))
        return WorkspaceRules(
            caps: limits.caps.map { CapRule(messages: $0.messages, days: $0.days) },
            quietHours: limits.quietHours.map {
                QuietRule(start: $0.start.description, end: $0.end.description)
            }
        )
    }

    /// The form has checked the times and numbers.
    func saveLimits(_ rules: WorkspaceRules, for member: ConsoleMember) async throws {
        var limits = WorkspaceLimits(
            caps: rules.caps.map { FrequencyCap(messages: $0.messages, days: $0.days) }
        )
        if let quiet = rules.quietHours, let start = TimeOfDay(quiet.start),
            let end = TimeOfDay(quiet.end)
        {
            limits.quietHours = QuietHours(start: start, end: end)
        }
        try await store.saveLimits(limits, of: WorkspaceID(member.workspaceID))
    }
}
