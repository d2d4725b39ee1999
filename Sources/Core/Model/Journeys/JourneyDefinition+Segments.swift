extension JourneyDefinition {
    /// Every segment that it asks for, with the field that names it.
    package var segmentQueries: [(path: FieldPath.Journey, query: SegmentQuery)] {
        var found: [(path: FieldPath.Journey, query: SegmentQuery)] = []
        switch entry {
        case .members(let query, _), .entering(let query): found.append((.entrySegment, query))
        case .event, .api, .journey: break
        }
        if let audience { found.append((.audience, audience)) }
        for (index, rule) in exits.enumerated() {
            if case .segment(let query) = rule { found.append((.exitSegment(index), query)) }
        }
        for (index, step) in steps.enumerated() {
            switch step.kind {
            case .wait(.match(let query, _, _)): found.append((.step(index, .segment), query))
            case .branch(let paths):
                for (number, path) in paths.enumerated() {
                    guard case .segment(let query) = path.condition else { continue }
                    found.append((.step(index, .pathSegment(number)), query))
                }
            default: break
            }
        }
        return found
    }
}
