import Foundation
import Model
import Testing

@testable import Campaigns

@Suite("An audience that is narrowed")
struct AudienceNarrowingTests {
    private func query(_ segments: [Int64], _ filter: String? = nil) -> SegmentQuery {
        SegmentQuery(segments: segments.map(SegmentID.init), filter: filter)
    }

    @Test("of everyone it is those of the query")
    func everyone() {
        #expect(Audience.everyone.narrowed(to: query([1], "{}")) == .matching(query([1], "{}")))
    }

    @Test("of named users the rows alone cannot tell")
    func named() {
        #expect(Audience.profiles([ProfileID(1)]).narrowed(to: query([1])) == nil)
    }

    @Test("of a query it is those of both: all segments once, and both filters")
    func queries() {
        func both(_ own: SegmentQuery, _ other: SegmentQuery) -> Audience? {
            Audience.matching(own).narrowed(to: other)
        }
        #expect(both(query([1, 2]), query([2, 3])) == .matching(query([1, 2, 3])))
        #expect(both(query([], "a"), query([])) == .matching(query([], "a")))
        #expect(both(query([]), query([], "b")) == .matching(query([], "b")))
        #expect(
            both(query([], "a"), query([], "b")) == .matching(query([], #"{"and":[a,b]}"#))
        )
        #expect(both(query([]), query([])) == .matching(query([])))
    }
}
