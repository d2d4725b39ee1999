import Foundation
import Ingestion
import Model
import NoroshiWire
import Ports
import Segments

/// Reads the fields `segment_id` and `audience` of a request: a stored segment, and filters.
struct ConnectedAudienceReader {
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
        if let value = reader.value("audience") { query.filter = try Self.filter(value, reader) }
        return query == SegmentQuery() ? nil : query
    }

    /// A connected audience object in the JSON form of the segment language.
    private static func filter(
        _ value: JSONValue,
        _ reader: RequestReader
    ) throws -> String {
        let data = try JSONEncoder().encode(value)
        let node = try JSONDecoder().decode(Segments.JSONNode.self, from: data)
        do {
            let rule = try ConnectedAudience.rule(node)
            return String(decoding: try SegmentJSON.encode(rule), as: UTF8.self)
        } catch let problem as SegmentProblem {
            let path = problem.pointer.replacingOccurrences(of: "/", with: ".")
            throw reader.problem("audience\(path)", problem.message)
        }
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
