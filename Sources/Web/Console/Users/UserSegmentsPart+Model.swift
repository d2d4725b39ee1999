import Model
import WebPages

/// The segments that a user is in, as links.
struct UserSegmentsPart {
    struct Chip {
        let segmentName: String
        let segmentAddress: String
    }

    let chips: [Chip]
    let hasChips: Bool

    init(_ segments: [StoredSegment]) {
        chips = segments.map {
            Chip(
                segmentName: $0.content.name,
                segmentAddress: ConsolePath.segment($0.id).path
            )
        }
        hasChips = !chips.isEmpty
    }
}
