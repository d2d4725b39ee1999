import ContentFiles
import NoroshiWire
import Segments
import Testing

@Suite("Segments that are planned")
struct PlannedSegmentsTests {
    private static func segment(_ id: String, names inner: [String]) -> JSONValue {
        [
            "kind": "segment", "id": .string(id),
            "filter": ["or": .array(inner.map { ["segment": .string($0)] })],
        ]
    }

    /// Each segment names the one before it ten times.
    private static func chain(_ count: Int, _ first: JSONValue) -> [JSONValue] {
        [first]
            + (1...count).map {
                segment("s\($0)", names: Array(repeating: "s\($0 - 1)", count: 10))
            }
    }

    private static func named(_ id: String) -> SegmentRule { .condition(.segment(id)) }

    @Test("what names a segment that changes changes too, through others as well")
    func changes() {
        let former = Self.segment("s0", names: ["x"])
        let rows = Self.chain(12, Self.segment("s0", names: ["y"])).map { after in
            (before: after["id"] == "s0" ? former : after, after: after)
        }
        let planned = PlannedSegments(rows)
        #expect(planned.changes(Self.named("s12")))
        #expect(planned.changes(.not(.all([Self.named("s0")]))))
        #expect(!planned.changes(Self.named("x")))
        let same = PlannedSegments(rows.map { ($0.after, $0.after) })
        #expect(!same.changes(Self.named("s12")))
    }

    @Test("planned definitions take the place of names; what nobody could count is not written out")
    func expanded() throws {
        let rows = Self.chain(12, Self.segment("s0", names: ["x"])).map { (JSONValue?.none, $0) }
        let planned = PlannedSegments(rows)
        let once = SegmentRule.any([Self.named("x")])
        #expect(planned.expanded(Self.named("s0")) == once)
        #expect(
            planned.expanded(.not(Self.named("s1")))
                == .not(.any(Array(repeating: once, count: 10)))
        )
        #expect(planned.expanded(Self.named("x")) == Self.named("x"))
        #expect(planned.expanded(Self.named("s12")) == nil)
    }
}
