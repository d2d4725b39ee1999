import Model

extension Audience {
    /// The users in both audiences; `nil` if that cannot be expressed as a query.
    package func narrowed(to query: SegmentQuery) -> Audience? {
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
