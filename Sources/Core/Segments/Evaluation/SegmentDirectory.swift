/// What a segment may refer to: other segments and uploaded lists.
package protocol SegmentDirectory: Sendable {
    /// The rule of a segment; `nil` when there is none with that id.
    func rule(ofSegment id: String) -> SegmentRule?

    func hasList(_ id: String) -> Bool

    func list(_ id: String, contains profile: Int64) -> Bool
}

/// Segments and lists held in memory.
package struct SegmentCatalog: SegmentDirectory {
    package var segments: [String: SegmentRule]
    package var lists: [String: Set<Int64>]

    package init(segments: [String: SegmentRule] = [:], lists: [String: Set<Int64>] = [:]) {
        self.segments = segments
        self.lists = lists
    }

    package func rule(ofSegment id: String) -> SegmentRule? { segments[id] }

    package func hasList(_ id: String) -> Bool { lists[id] != nil }

    package func list(_ id: String, contains profile: Int64) -> Bool {
        lists[id]?.contains(profile) ?? false
    }
}
