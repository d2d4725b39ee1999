/// What a rule amounts to with the segments that it names, which name others in turn.
///
/// Each segment is looked at once, however often it is named: segments that each name the one before
/// ten times would otherwise be as many as no server can count.
struct SegmentReach {
    struct Extent {
        /// Number of filters, those of a segment as often as it is named.
        var filters: Int64 = 0
        /// How many segments are named within each other.
        var depth = 0
    }

    private let directory: any SegmentResolver
    private var known: [String: Extent] = [:]

    init(_ directory: any SegmentResolver) { self.directory = directory }

    /// Segments that name each other in a circle end where it closes, and those that are named too
    /// deeply where they are.
    mutating func extent(of rule: SegmentRule) -> Extent { extent(of: rule, at: 0) }

    /// - Parameter depth: How many segments the rule is named within.
    private mutating func extent(of rule: SegmentRule, at depth: Int) -> Extent {
        switch rule {
        case .all(let rules), .any(let rules):
            // A group of nothing is a filter too.
            var sum = Extent(filters: rules.isEmpty ? 1 : 0)
            for rule in rules {
                let part = extent(of: rule, at: depth)
                sum.filters = sum.filters.addingSaturated(part.filters)
                sum.depth = max(sum.depth, part.depth)
            }
            return sum
        case .not(let inner): return extent(of: inner, at: depth)
        case .condition(.segment(let id)):
            // What is deeper is refused anyway, and a stack has an end.
            guard depth <= SegmentValidator.maxDepth else { return Extent(filters: 1, depth: 1) }
            let inner = extent(ofSegment: id, at: depth + 1)
            return Extent(filters: inner.filters.addingSaturated(1), depth: inner.depth + 1)
        case .condition: return Extent(filters: 1)
        }
    }

    private mutating func extent(ofSegment id: String, at depth: Int) -> Extent {
        if let known = known[id] { return known }
        known[id] = Extent()
        guard let rule = directory.rule(ofSegment: id) else { return Extent() }
        let extent = extent(of: rule, at: depth)
        known[id] = extent
        return extent
    }
}

extension SegmentRule {
    /// Number of filters, with those of the segments that it names as often as it names them.
    package func filterCount(in directory: any SegmentResolver) -> Int64 {
        var reach = SegmentReach(directory)
        return reach.extent(of: self).filters
    }
}
