import Foundation
import Model
import Ports
import Segments

/// Converts between choices in a form and stored audiences.
package struct AudienceChoiceService: Sendable {
    /// Maximum number of users that are named.
    private static let shownUsers = 3

    private let store: any SegmentStore & ProfileStore & WorkspaceStore
    private let segments: SegmentService

    package init(
        store: any SegmentStore & ProfileStore & WorkspaceStore,
        now: @escaping @Sendable () -> Date
    ) {
        self.store = store
        segments = SegmentService(store: store, now: now)
    }

    // MARK: What is stored

    /// - Throws: `ValidationError` for a choice that is nobody's audience.
    package func audience(
        _ choice: AudienceChoice,
        in workspace: WorkspaceID
    ) async throws -> Audience {
        switch choice {
        case .everyone: return .everyone
        case .user(let id): return .profiles([try await user(id, in: workspace).id])
        case .segment, .filter: return .matching(try await query(choice, in: workspace))
        }
    }

    /// The audience of a message that is shown to matching users; a single user becomes a
    /// condition.
    ///
    /// - Throws: `ValidationError` for a choice that is nobody's audience.
    package func query(
        _ choice: AudienceChoice,
        in workspace: WorkspaceID
    ) async throws -> SegmentQuery {
        switch choice {
        case .everyone:
            return SegmentQuery()
        case .user(let id):
            _ = try await user(id, in: workspace)
            let name = id.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
            return try await query(.filter("external_id = \"\(name)\""), in: workspace)
        case .segment(let id, _):
            guard try await segments.segment(SegmentID(id), in: workspace) != nil else {
                throw ValidationError(.audience(.segment), .noSegment)
            }
            return SegmentQuery(segments: [SegmentID(id)])
        case .filter(let text):
            do {
                let rule = try await segments.book(of: workspace).rule(text: text)
                return SegmentQuery(
                    filter: String(decoding: try SegmentJSON.encode(rule), as: UTF8.self)
                )
            } catch let problem as SegmentError {
                let reason = problem.placed(in: text)
                throw ValidationError([FieldProblem(.audience(.filter), reason)])
            }
        }
    }

    private func user(_ id: String, in workspace: WorkspaceID) async throws -> Profile {
        guard let profile = try await store.profile(.external(id), in: workspace) else {
            throw ValidationError(.audience(.user), .noUser)
        }
        return profile
    }

    // MARK: What is shown

    package func choice(of audience: Audience) async throws -> AudienceChoice {
        switch audience {
        case .everyone:
            return .everyone
        case .profiles(let ids):
            var names: [String] = []
            for id in ids.prefix(Self.shownUsers) {
                guard let profile = try await store.profile(id) else { continue }
                names.append(profile.externalID ?? profile.publicID.uuidString.lowercased())
            }
            if ids.count > names.count { names.append("…") }
            return .user(externalID: names.joined(separator: ", "))
        case .matching(let query):
            return try await choice(of: query)
        }
    }

    /// An empty query selects all users.
    package func choice(of query: SegmentQuery) async throws -> AudienceChoice {
        if query == SegmentQuery() { return .everyone }
        if query.filter == nil, query.segments.count == 1, let id = query.segments.first {
            let segment = try await store.segment(id)
            return .segment(id: id.rawValue, name: segment?.content.name ?? "\(id)")
        }
        var rules = query.segments.map {
            SegmentRule.condition(.segment(String($0.rawValue)))
        }
        if let filter = query.filter {
            rules.append(try SegmentJSON.decode(Data(filter.utf8)))
        }
        return .filter(SegmentWriter.text(rules.count == 1 ? rules[0] : .all(rules)))
    }

    // MARK: What there is to choose

    /// A few users whose external id or name begins with a text; whoever has it as the external id
    /// comes first, however many others begin with it.
    package func users(
        matching text: String,
        limit: Int,
        in workspace: WorkspaceID
    ) async throws -> [Profile] {
        let own = text.isEmpty ? nil : try await store.profile(.external(text), in: workspace)
        let others = try await store.profiles(
            matching: text,
            in: workspace,
            limit: limit,
            offset: 0
        ).filter { $0.externalID != nil && $0.id != own?.id }
        return Array(((own.map { [$0] } ?? []) + others).prefix(limit))
    }
}
