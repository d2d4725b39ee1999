import Audience
import Campaigns
import Foundation
import Model
import NoroshiWire
import Ports
import Reasons

/// A message rendered for one user.
package struct MessagePreview: Sendable, Hashable {
    package var message: PushMessage
    /// Size of the payload, in bytes.
    package var bytes: Int
    /// Maximum size that push providers accept, in bytes.
    package var limit: Int
    package var problems: [FieldProblem]

    package var isTooLarge: Bool { bytes > limit }
}

/// The preview and the reach of a message while it is being edited.
extension SendReview {
    /// Renders a message with the renderer of pushes.
    ///
    /// - Parameters:
    ///   - user: The external id; empty for a preview without a user.
    ///   - properties: Of the event or request that would send it.
    package func preview(
        of content: SendContent,
        for user: String,
        with properties: MessageProperties = MessageProperties(),
        in workspace: WorkspaceID
    ) async throws -> MessagePreview {
        var problems: [FieldProblem] = []
        do {
            try PushComposer.check(content)
        } catch {
            problems = error.problems
        }
        func report(_ reason: Reason) { problems.append(FieldProblem(.push(.body), reason)) }
        var shown = content.message
        if let templates = try? PushTemplates(parsing: content.message) {
            let profile =
                user.isEmpty ? nil : try await store.profile(.external(user), in: workspace)
            let blocks = try await ContentBlockReader(store: store).blocks(
                named: templates.contentBlocks,
                in: workspace
            )
            problems += templates.problems(with: blocks)
            do {
                let outcome = try await templates.render(
                    for: ProfileVariables(
                        profile: profile,
                        send: content,
                        properties: properties
                    ),
                    now: now(),
                    blocks: blocks,
                    answerer: answerer(in: workspace),
                    by: renderer
                )
                switch outcome {
                case .message(let message): shown = message
                case .skip(Reason(MessageReason.empty)): break
                case .skip(let reason): if problems.isEmpty { report(reason) }
                case .overdue(let reason): report(reason)
                }
            } catch ContentFetchError.unavailable(let reason) {
                report(
                    Reason(MessageReason.contentUnavailable, ["reason": .text(reason)])
                )
            }
        }
        return MessagePreview(
            message: shown,
            bytes: payload.bytes(shown),
            limit: payload.limit,
            problems: problems
        )
    }

    /// Answers the questions of a workspace's messages.
    func answerer(in workspace: WorkspaceID) -> MessageDataSource {
        MessageDataSource(
            workspace: workspace,
            catalogs: CatalogReader(
                store: store,
                now: now,
                random: { Double.random(in: 0...1) }
            ),
            fetcher: fetcher
        )
    }

    /// Number of users and devices that a push would reach now.
    ///
    /// - Throws: `AudienceProblem` if the audience cannot be evaluated.
    package func reach(
        of content: SendContent,
        in workspace: WorkspaceID
    ) async throws -> AudienceReach {
        let withholds =
            content.isWithheldFromControlGroup
            ? try await store.limits(of: workspace).controlGroup != nil : false
        let query: SegmentQuery
        switch content.audience {
        case .matching(let found): query = found
        case .everyone where withholds: query = SegmentQuery()
        case .everyone, .profiles:
            let reach = try await store.reach(of: content.audience, in: workspace)
            return AudienceReach(users: reach.users, devices: reach.devices)
        }
        let selection = try await recipients(query, withholds: withholds, in: workspace)
        let count = try await audience.count(selection.selection)
        return AudienceReach(users: count.reachable, devices: count.deviceCount)
    }

    // MARK: Names to choose from

    /// The custom attributes that a message may use, the most used first.
    package func customAttributes(
        in workspace: WorkspaceID,
        limit: Int
    ) async throws -> [String] {
        try await store.customAttributeNames(in: workspace, limit: limit)
    }

    /// The names of the app's own events.
    package func eventNames(in workspace: WorkspaceID, limit: Int) async throws -> [String] {
        try await store.eventNames(in: workspace, limit: limit, offset: 0)
    }
}
