import Foundation
import Ingestion
import Model
import NoroshiWire
import Ports

/// Reads the fields `segment_id` and `audience` of a request: a stored segment, and filters.
struct AudienceRequestReader {
    let segments: any SegmentStore

    /// `nil` when the request has neither.
    func query(
        _ reader: RequestReader,
        in workspace: WorkspaceID
    ) async throws -> SegmentQuery? {
        var query = SegmentQuery()
        if let text = try reader.string("segment_id") {
            guard let id = UUID(uuidString: text),
                let segment = try await segments.segment(apiID: id, in: workspace),
                segment.archivedAt == nil
            else { throw reader.problem("segment_id", "is unknown") }
            query.segments = [segment.id]
        }
        if let value = reader.value("audience") {
            query.filter = try ConnectedAudienceReader.filter(audience: value, field: "audience")
        }
        return query == SegmentQuery() ? nil : query
    }
}

extension Audience {
    /// The users of both; `nil` where the rows alone cannot tell.
    func narrowed(to query: SegmentQuery) -> Audience? {
        switch self {
        case .everyone:
            return .matching(query)
        case .profiles:
            return nil
        case .matching(let own):
            let filters = [own.filter, query.filter].compactMap { $0 }
            return .matching(
                SegmentQuery(
                    segments: own.segments + query.segments.filter { !own.segments.contains($0) },
                    filter: filters.count == 2
                        ? "{\"and\":[\(filters.joined(separator: ","))]}" : filters.first
                )
            )
        }
    }
}
