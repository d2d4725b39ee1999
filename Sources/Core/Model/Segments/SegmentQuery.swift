/// The users in every named segment who also match the filter; all users if it is empty.
package struct SegmentQuery: Sendable, Hashable, Codable {
    package var segments: [SegmentID]
    /// A filter in the JSON form of the segment language.
    package var filter: String?

    package init(segments: [SegmentID] = [], filter: String? = nil) {
        self.segments = segments
        self.filter = filter
    }
}
