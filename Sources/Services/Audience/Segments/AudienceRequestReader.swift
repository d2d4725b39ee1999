import Foundation
import Model
import NoroshiWire
import Reasons

/// Reads the fields `segment_id` and `audience` of a request: a stored segment, and filters.
package struct AudienceRequestReader {
    let segments: SegmentService
    let audience: SegmentationService

    package init(segments: SegmentService, audience: SegmentationService) {
        self.segments = segments
        self.audience = audience
    }

    /// `nil` if the request has neither.
    package func query(
        _ reader: RequestReader,
        in workspace: WorkspaceID
    ) async throws -> SegmentQuery? {
        var query = SegmentQuery()
        if let id = try reader.string("segment_id") {
            guard let uuid = UUID(uuidString: id),
                let segment = try await segments.segment(apiID: uuid, in: workspace)
            else { throw FieldProblem("segment_id", .noListedSegment) }
            query.segments = [segment.id]
        }
        if let value = reader.value("audience") {
            query.filter = try ConnectedAudienceReader.filter(audience: value, field: "audience")
        }
        guard query != SegmentQuery() else { return nil }
        // Report errors now, not when the send starts.
        do {
            _ = try await audience.rule(of: query, in: workspace)
        } catch let problem as AudienceError where problem.code == .invalidFilter {
            throw reader.problem("audience", problem.reason)
        }
        return query
    }
}
