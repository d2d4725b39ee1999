/// What a rule asks, with the segments that it names.
extension SegmentRule {
    /// Calls with each filter, also those of the segments that it names.
    ///
    /// A segment that is named often is looked at again only where it is named less deeply; those that
    /// are named too deeply to be evaluated are not.
    package func forEachCondition(
        in directory: any SegmentResolver,
        _ body: (SegmentCondition) -> Void
    ) {
        var depths: [String: Int] = [:]
        forEachCondition(in: directory, depth: 0, &depths, body)
    }

    /// Calls with each filter on what users did, as `forEachCondition` does.
    package func forEachActivity(
        in directory: any SegmentResolver,
        _ body: (ActivityCondition) -> Void
    ) {
        forEachCondition(in: directory) { condition in
            if case .activity(let activity) = condition { body(activity) }
        }
    }

    /// - Parameter depths: How deeply the segments are named that were looked at.
    private func forEachCondition(
        in directory: any SegmentResolver,
        depth: Int,
        _ depths: inout [String: Int],
        _ body: (SegmentCondition) -> Void
    ) {
        switch self {
        case .all(let rules), .any(let rules):
            for rule in rules {
                rule.forEachCondition(in: directory, depth: depth, &depths, body)
            }
        case .not(let inner): inner.forEachCondition(in: directory, depth: depth, &depths, body)
        case .condition(let condition):
            let isNew = if case .segment(let id) = condition { depths[id] == nil } else { true }
            if isNew { body(condition) }
            guard case .segment(let id) = condition, depth < SegmentValidator.maxDepth,
                depths[id].map({ depth < $0 }) ?? true
            else { return }
            depths[id] = depth
            directory.rule(ofSegment: id)?
                .forEachCondition(in: directory, depth: depth + 1, &depths, body)
        }
    }
}
