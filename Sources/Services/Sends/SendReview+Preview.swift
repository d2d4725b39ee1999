import Audience
import Campaigns
import Foundation
import Liquid
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
    /// Attributes that the message prints without a default, and the user has not.
    package var missing: [String] = []

    package var isTooLarge: Bool { bytes > limit }
}

/// The preview and the reach of a message while it is being edited.
extension SendReview {
    /// Renders a message with the renderer of pushes.
    ///
    /// - Parameters:
    ///   - user: The external id; empty for a preview without a user.
    ///   - properties: Of the event or request that would send it.
    ///   - language: A language to show instead of the user's.
    package func preview(
        of content: SendContent,
        for user: String,
        with properties: MessageProperties = MessageProperties(),
        language: String? = nil,
        in workspace: WorkspaceID
    ) async throws -> MessagePreview {
        var problems: [FieldProblem] = []
        do {
            try PushComposer.check(content)
        } catch {
            problems = error.problems
        }
        func report(_ reason: Reason) { problems.append(FieldProblem(.push(.body), reason)) }
        var shown = content.message.inLanguage(language)
        var missing: [String] = []
        if let templates = try? PushTemplates(parsing: content.message) {
            let profile =
                user.isEmpty ? nil : try await store.profile(.external(user), in: workspace)
            let blocks = try await ContentBlockReader(store: store).blocks(
                named: templates.contentBlocks,
                in: workspace
            )
            problems += templates.problems(with: blocks)
            missing = Self.missing(in: shown, profile)
            do {
                let outcome = try await templates.render(
                    for: ProfileVariables(
                        profile: profile,
                        send: content,
                        properties: properties,
                        language: language
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
                    Reason(MessageReason.contentUnavailable, ["reason": .reason(reason)])
                )
            }
        }
        return MessagePreview(
            message: shown,
            bytes: payload.bytes(shown),
            limit: payload.limit,
            problems: problems,
            missing: missing
        )
    }

    /// The attributes that leave a gap in the message of a user, in the order in which it names them.
    private static func missing(in message: PushMessage, _ profile: Profile?) -> [String] {
        var missing: [String] = []
        for text in PushTemplates.texts(
            of: message.inLanguage(profile?.standard[.language]?.stringValue)
        ) where text.contains("{") {
            guard let template = try? Template(parsing: text, mode: .strict) else { continue }
            for use in template.attributes
            where use.needsDefault && !missing.contains(use.name) {
                let value =
                    use.isCustom
                    ? profile?.custom[use.name].map(LiquidValue.init(json:))
                    : ProfileVariables(profile: profile)
                        .attribute(named: LiquidName(use.name))
                if value == nil { missing.append(use.name) }
            }
        }
        return missing
    }

    /// A few users of the audience of a push, drawn anew with each seed.
    ///
    /// - Parameter seed: From 0 up to, but not including, 1.
    package func sample(
        of content: SendContent,
        seed: Double,
        limit: Int,
        in workspace: WorkspaceID
    ) async throws -> [Profile] {
        switch content.audience {
        case .profiles(let ids):
            return try await profiles(ids.prefix(limit))
        case .everyone, .matching:
            var query = SegmentQuery()
            if case .matching(let found) = content.audience { query = found }
            let selection = try await recipients(query, withholds: false, in: workspace).selection
            guard let first = selection.profiles(after: nil, limit: 1).first,
                let last = selection.lastProfile
            else { return [] }
            // Numbers of users are nearly without gaps: a place among them is a user drawn at random.
            let width = Double(last - first + 1)
            var drawn: [Int64] = []
            var place = min(max(seed, 0), 0.999_999)
            for _ in 0..<limit * 4 where drawn.count < limit {
                let cursor = first + Int64(place * width) - 1
                // The golden ratio spreads places that follow one another.
                place = (place + 0.618_033_988_75).truncatingRemainder(dividingBy: 1)
                let id = selection.profiles(after: cursor, limit: 1).first ?? first
                if !drawn.contains(id) { drawn.append(id) }
            }
            return try await profiles(drawn.map(ProfileID.init))
        }
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
    /// - Throws: `AudienceError` if the audience cannot be evaluated.
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
