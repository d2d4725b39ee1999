import Audience
import Campaigns
import Foundation
import Model
import NoroshiWire
import Ports
import Reasons

/// An in-app message as a device shows it to one user.
package struct InAppMessagePreview: Sendable {
    /// With its texts rendered as far as they can be.
    package var message: InAppMessage
    package var problems: [PushProblems.Problem] = []
    /// Why this user does not get it; `nil` when they do.
    package var abortReason: Reason?
}

extension InAppMessageService {
    /// A content of a message, stored or being written, as one user would get it, and what is wrong
    /// with its texts.
    ///
    /// - Parameters:
    ///   - variant: Its place among the contents, by which problems are named; the first where it is
    ///     no place.
    ///   - user: The external identifier; empty for nobody in particular.
    package func preview(
        _ stored: StoredInAppMessage,
        variant: Int = 0,
        for user: String = ""
    ) async throws -> InAppMessagePreview {
        let workspace = stored.workspace
        let contents = stored.contents
        let variant = contents.indices.contains(variant) ? variant : 0
        let message = contents[variant]
        var preview = InAppMessagePreview(message: message)
        let parsed = try await parse(message, in: workspace)
        preview.problems = parsed.problems
        if parsed.problems.isEmpty, let templates = parsed.templates {
            let profile =
                user.isEmpty ? nil : try await store.profile(.external(user), in: workspace)
            let outcome = await templates.render(
                for: ProfileVariables(
                    profile: profile,
                    app: try await store.apps(in: workspace).first
                ),
                now: now(),
                blocks: parsed.blocks,
                by: renderer
            )
            switch outcome {
            case .message(let rendered): preview.message = rendered
            case .aborted(let reason): preview.abortReason = reason
            case .failed(let problem): preview.problems = [problem]
            }
        }
        preview.problems = preview.problems.map {
            InAppMessageCheck.renamed($0, variant: variant)
        }
        return preview
    }

    /// Every content of a message as nobody in particular would get it.
    package func previews(of stored: StoredInAppMessage) async throws -> [InAppMessagePreview] {
        var previews: [InAppMessagePreview] = []
        for variant in stored.contents.indices {
            previews.append(try await preview(stored, variant: variant))
        }
        return previews
    }

    /// How many users may see a message with an audience; `nil` while they are still being read.
    ///
    /// - Throws: `AudienceProblem` when the audience cannot be evaluated.
    package func reach(of query: SegmentQuery, in workspace: WorkspaceID) async throws -> Int? {
        if query == SegmentQuery() {
            return try await counted("users", in: workspace) {
                try await store.userCounts(in: workspace)
            }.users
        }
        do {
            return try await audience.count(in: workspace, matching: query).users
        } catch let problem as AudienceProblem where problem.code == .notReady {
            return nil
        }
    }
}
