import Audience
import Campaigns
import Foundation
import Model
import NoroshiWire
import Ports
import Reasons

/// An in-app message as a device would show it to one user.
package struct InAppMessagePreview: Sendable {
    /// The message with its texts rendered as far as possible.
    package var message: InAppMessage
    package var problems: [FieldProblem] = []
    /// Why this user does not get it; `nil` when they do.
    package var abortReason: Reason?
}

extension InAppMessageService {
    /// A content of a stored or edited message, rendered for one user, with the problems of its
    /// texts.
    ///
    /// - Parameters:
    ///   - variant: The index of the content, which names it in problems; an invalid index means
    ///     the first.
    ///   - user: The external id; empty for a preview without a user.
    ///   - language: A language to show instead of the user's.
    package func preview(
        _ stored: InAppMessageDefinition,
        variant: Int = 0,
        for user: String = "",
        language: String? = nil
    ) async throws -> InAppMessagePreview {
        let workspace = stored.workspace
        let contents = stored.contents
        let variant = contents.indices.contains(variant) ? variant : 0
        let message = contents[variant]
        var preview = InAppMessagePreview(message: message)
        let parsed = try await parse(message, variant: variant, in: workspace)
        preview.problems = parsed.problems
        if parsed.problems.isEmpty, let templates = parsed.templates {
            let profile =
                user.isEmpty ? nil : try await store.profile(.external(user), in: workspace)
            let outcome = try await templates.render(
                for: ProfileVariables(
                    profile: profile,
                    app: try await store.apps(in: workspace).first,
                    language: language
                ),
                now: now(),
                blocks: parsed.blocks,
                answerer: answerer(in: workspace),
                by: renderer
            )
            switch outcome {
            case .message(let rendered): preview.message = rendered
            case .aborted(let reason): preview.abortReason = reason
            case .failed(let problem): preview.problems = [problem]
            }
        }
        return preview
    }

    /// Every content of a message, rendered without a user.
    package func previews(of stored: InAppMessageDefinition) async throws -> [InAppMessagePreview] {
        var previews: [InAppMessagePreview] = []
        for variant in stored.contents.indices {
            previews.append(try await preview(stored, variant: variant))
        }
        return previews
    }

    /// Number of users who may see a message with an audience; `nil` while they are still being
    /// read.
    ///
    /// - Throws: `AudienceError` if the audience cannot be evaluated.
    package func reach(of query: SegmentQuery, in workspace: WorkspaceID) async throws -> Int? {
        if query == SegmentQuery() {
            return try await counted("users", in: workspace) {
                try await store.userCounts(in: workspace)
            }.users
        }
        do {
            return try await audience.count(in: workspace, matching: query).users
        } catch let problem as AudienceError where problem.code == .notReady {
            return nil
        }
    }
}
