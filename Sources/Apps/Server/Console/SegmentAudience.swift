import Audience
import Console
import Foundation
import Model
import Ports
import Segments

/// Translates between the composer's choice of a segment and what a send is stored with.
struct SegmentAudience {
    private let segments: SegmentService
    private let store: any SegmentStore

    init(store: any SegmentStore, now: @escaping @Sendable () -> Date) {
        self.store = store
        segments = SegmentService(store: store, now: now)
    }

    /// - Throws: `PushDraftRejected` when there is no such segment, or the filter cannot be read.
    func query(_ audience: PushAudience, in workspace: WorkspaceID) async throws -> SegmentQuery {
        switch audience {
        case .segment(let id, _):
            guard try await segments.segment(SegmentID(id), in: workspace) != nil else {
                throw PushDraftRejected(
                    faults: [FieldFault(field: .segment, text: "There is no such segment.")]
                )
            }
            return SegmentQuery(segments: [SegmentID(id)])
        case .filter(let text):
            let rule: SegmentRule
            do {
                rule = try await segments.book(of: workspace).rule(text: text)
            } catch let problem as SegmentProblem {
                let rejected = SegmentRejected(.definition(problem), in: text)
                throw PushDraftRejected(
                    faults: [FieldFault(field: .filter, text: rejected.text)]
                )
            }
            return SegmentQuery(
                filter: String(decoding: try SegmentJSON.encode(rule), as: UTF8.self)
            )
        case .everyone, .user:
            return SegmentQuery()
        }
    }

    /// How lists name an audience.
    func shown(_ query: SegmentQuery) async throws -> PushAudience {
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
}
