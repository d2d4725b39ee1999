import Foundation
import Model
import Ports
import Reasons
import Segments

/// Validates and saves segments, and reads them for display.
///
/// Changes require the role of marketer, and each is one transaction with its audit record.
package struct SegmentService: Sendable {
    /// Maximum length of a name, in characters.
    package static let nameLimit = 250

    private let store: any SegmentStore & WorkspaceStore
    private let now: @Sendable () -> Date

    package init(store: any SegmentStore & WorkspaceStore, now: @escaping @Sendable () -> Date) {
        self.store = store
        self.now = now
    }

    /// The data of a segment.
    package struct Draft: Sendable {
        package enum Definition: Sendable {
            case text(String)
            case json(String)
        }

        package var name: String
        /// `nil` leaves it unchanged.
        package var description: String?
        package var definition: Definition

        package init(name: String, description: String? = nil, definition: Definition) {
            self.name = name
            self.description = description
            self.definition = definition
        }
    }

    package func book(of workspace: WorkspaceID) async throws -> WorkspaceSegmentResolver {
        WorkspaceSegmentResolver(
            segments: try await store.segments(in: workspace),
            lists: try await store.userLists(in: workspace),
            campaigns: try await store.campaignReferences(in: workspace),
            controlGroup: try await store.controlGroup(of: workspace)
        )
    }

    /// - Throws: `ValidationError`, `NotAllowedError`, or `DraftFinishedError` if the form's draft was already saved.
    package func create(
        _ draft: Draft,
        by actor: Actor,
        from origin: EditOrigin = .direct
    ) async throws -> StoredSegment {
        try actor.require(.marketer)
        let content = try await content(draft, of: nil, by: actor)
        return try await refusing(taken: content.name) {
            try await store.createSegment(
                content,
                in: actor.workspace,
                from: origin,
                noting: record("segment_saved", content, actor),
                now: now()
            )
        }
    }

    /// - Returns: `false` if the workspace has no such segment.
    /// - Throws: `ValidationError`, `NotAllowedError`, `DraftFinishedError` if the form's draft was already saved, or
    ///   `StoreError` with code `changed` if another member has saved the segment since the editing
    ///   began.
    package func update(
        _ id: SegmentID,
        to draft: Draft,
        by actor: Actor,
        from origin: EditOrigin = .direct
    ) async throws -> Bool {
        try actor.require(.marketer)
        guard let known = try await segment(id, in: actor.workspace) else { return false }
        let content = try await content(draft, of: known, by: actor)
        return try await refusing(taken: content.name) {
            try await store.updateSegment(
                id,
                to: content,
                from: origin,
                noting: record("segment_saved", content, actor),
                now: now()
            )
        }
    }

    /// - Returns: `false` if the workspace has no such segment.
    /// - Throws: `RefusalError` while another segment refers to it; `NotAllowedError`.
    package func archive(_ id: SegmentID, by actor: Actor) async throws -> Bool {
        try actor.require(.marketer)
        guard let known = try await segment(id, in: actor.workspace) else { return false }
        let user = try await store.segments(in: actor.workspace).first { other in
            guard other.id != id else { return false }
            let rule = try SegmentJSON.decode(Data(other.content.definition.utf8))
            return rule.refers(to: String(id.rawValue))
        }
        if let user {
            throw RefusalError(.segmentUsed, ["name": .text(user.content.name)])
        }
        return try await store.archiveSegment(
            id,
            noting: record("segment_deleted", known.content, actor),
            now: now()
        )
    }

    /// All segments that are not archived.
    package func segments(in workspace: WorkspaceID) async throws -> [StoredSegment] {
        try await store.segments(in: workspace)
    }

    /// A segment; archived ones only if `includingArchived` is `true`.
    package func segment(
        _ id: SegmentID,
        in workspace: WorkspaceID,
        includingArchived: Bool = false
    ) async throws -> StoredSegment? {
        let found = try await store.segment(id)
        guard found?.workspace == workspace else { return nil }
        return includingArchived || found?.archivedAt == nil ? found : nil
    }

    /// A segment that is not archived, by its identifier in the REST API.
    package func segment(
        apiID: UUID,
        in workspace: WorkspaceID
    ) async throws -> StoredSegment? {
        let found = try await store.segment(apiID: apiID, in: workspace)
        return found?.archivedAt == nil ? found : nil
    }

    /// The sizes of a segment on the `days` days up to that of `end`, oldest first; days without a
    /// count are left out.
    package func sizes(
        of segment: StoredSegment,
        days: Int,
        endingAt end: Date?
    ) async throws -> [SegmentSize] {
        let end = end ?? now()
        let zone = try await store.timeZone(of: segment.workspace)
        let local = end.timeIntervalSince1970 + Double(zone.secondsFromGMT(for: end))
        let last = Int((local / 86_400).rounded(.down))
        return try await store.segmentSizes(of: segment.id, days: (last - days + 1)...last)
    }

    /// The text form of a stored definition, with names instead of numbers.
    package func text(of segment: StoredSegment, book: WorkspaceSegmentResolver) throws -> String {
        SegmentWriter.text(
            book.named(try SegmentJSON.decode(Data(segment.content.definition.utf8)))
        )
    }

    private func content(
        _ draft: Draft,
        of known: StoredSegment?,
        by actor: Actor
    ) async throws -> SegmentContent {
        let name = draft.name.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !name.isEmpty, name.count <= Self.nameLimit else {
            throw ValidationError(
                .segment(.name),
                .listName,
                ["count": "\(Self.nameLimit)"]
            )
        }
        let book = try await book(of: actor.workspace)
        let rule: SegmentRule
        do throws(SegmentError) {
            rule =
                switch draft.definition {
                case .text(let text): try book.rule(text: text, of: known?.id)
                case .json(let json): try book.rule(json: json, of: known?.id)
                }
        } catch {
            let reason =
                if case .text(let text) = draft.definition { error.placed(in: text) } else {
                    error.reason
                }
            throw ValidationError([FieldProblem(.segment(.condition), reason)])
        }
        return SegmentContent(
            name: name,
            description: draft.description ?? known?.content.description ?? "",
            definition: String(decoding: try SegmentJSON.encode(rule), as: UTF8.self),
            author: actor.name
        )
    }

    private func record(
        _ action: String,
        _ content: SegmentContent,
        _ actor: Actor
    ) -> AuditRecord {
        AuditRecord(at: now(), by: actor, action: action, subject: content.name)
    }

    private func refusing<Value>(
        taken name: String,
        _ body: () async throws -> Value
    ) async throws -> Value {
        do {
            return try await body()
        } catch let error as StoreError where error.code == .exists {
            throw ValidationError(.segment(.name), .segmentNameTaken, ["name": .text(name)])
        }
    }
}

extension SegmentRule {
    fileprivate func refers(to segment: String) -> Bool {
        switch self {
        case .all(let rules), .any(let rules): rules.contains { $0.refers(to: segment) }
        case .not(let inner): inner.refers(to: segment)
        case .condition(.segment(let id)): id == segment
        case .condition: false
        }
    }
}
