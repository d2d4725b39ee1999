/// The segments, uploaded lists and campaigns that a segment can refer to.
package protocol SegmentResolver: Sendable {
    /// The rule of a segment; `nil` if no segment has that id.
    func rule(ofSegment id: String) -> SegmentRule?

    func hasList(_ id: String) -> Bool

    func list(_ id: String, contains profile: Int64) -> Bool

    func hasCampaign(_ id: String) -> Bool

    func controlGroupContains(_ profile: Int64) -> Bool
}

/// Segments and lists held in memory.
package struct InMemorySegmentResolver: SegmentResolver {
    package var segments: [String: SegmentRule]
    package var lists: [String: Set<Int64>]
    /// `nil` if any name may be a campaign.
    package var campaigns: Set<String>?
    package var controlGroup: Set<Int64>

    package init(
        segments: [String: SegmentRule] = [:],
        lists: [String: Set<Int64>] = [:],
        campaigns: Set<String>? = nil,
        controlGroup: Set<Int64> = []
    ) {
        self.segments = segments
        self.lists = lists
        self.campaigns = campaigns
        self.controlGroup = controlGroup
    }

    package func rule(ofSegment id: String) -> SegmentRule? { segments[id] }

    package func hasList(_ id: String) -> Bool { lists[id] != nil }

    package func list(_ id: String, contains profile: Int64) -> Bool {
        lists[id]?.contains(profile) ?? false
    }

    package func hasCampaign(_ id: String) -> Bool { campaigns?.contains(id) ?? true }

    package func controlGroupContains(_ profile: Int64) -> Bool { controlGroup.contains(profile) }
}
