import Foundation
import Model
import Ports
import Segments

/// Questions about a few users, at a cost independent of the number of all users.
extension SegmentationService {
    /// Maximum number of users evaluated one by one; for more, reading all rows is cheaper.
    private static let fewUsers = 100

    /// The matching ones among some users, exact at the time of the result.
    ///
    /// - Throws: `AudienceError`.
    package func members(
        of profiles: [ProfileID],
        matching query: SegmentQuery,
        in workspace: WorkspaceID
    ) async throws -> [ProfileID] {
        let (rule, book) = try await rule(of: query, in: workspace)
        if let selection = try await selectByColumns(rule, book: book, in: workspace) {
            return profiles.filter { selection.contains($0.rawValue) }
        }
        guard profiles.count <= Self.fewUsers else {
            let selection = try await select(rule, book: book, in: workspace)
            return profiles.filter { selection.contains($0.rawValue) }
        }
        var members: [ProfileID] = []
        for profile in profiles {
            let explanation = try await explain(rule, for: profile, in: workspace)
            if explanation?.holds == true { members.append(profile) }
        }
        return members
    }

    /// Evaluates a rule with columns alone; `nil` if it needs rows.
    private func selectByColumns(
        _ rule: SegmentRule,
        book: WorkspaceSegmentResolver,
        in workspace: WorkspaceID
    ) async throws -> AudienceSelection? {
        do {
            return try await select(
                rule,
                book: book,
                in: workspace,
                at: .now,
                readsRows: false
            )
        } catch let problem as AudienceError where problem.code == .needsRows {
            return nil
        }
    }
}
