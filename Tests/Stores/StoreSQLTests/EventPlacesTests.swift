import Foundation
import Testing

@testable import StoreSQL

@Suite("Places of events")
struct EventPlacesTests {
    @Test(
        "are read as they were written, in a few bytes each",
        arguments: 1...5 as ClosedRange<UInt64>
    )
    func roundTrip(seed: UInt64) {
        var random = SeededGenerator(seed)
        // Twice as many as a bucket of a block has, of users among a million.
        let places = Set(
            (0..<256).map { _ in
                EventPlaces.Place(
                    user: .random(in: 0..<8_000, using: &random),
                    distance: .random(in: 0..<16_384, using: &random)
                )
            }
        ).sorted()
        let data = EventPlaces(places).data
        #expect(EventPlaces.places(in: data) == places)
        #expect(data.count < 1_002)
    }

    @Test("hold the greatest numbers")
    func greatest() {
        let places = [
            EventPlaces.Place(user: 0, distance: 0), .init(user: 1, distance: .max),
            .init(user: .max, distance: 1),
        ]
        #expect(EventPlaces.places(in: EventPlaces(places).data) == places)
        #expect(EventPlaces.places(in: EventPlaces([]).data) == [])
    }

    @Test(
        "that are damaged are some places, and nothing worse",
        arguments: 1...20 as ClosedRange<UInt64>
    )
    func damaged(seed: UInt64) {
        var random = SeededGenerator(seed)
        let data = Data((0..<200).map { _ in .random(in: 0...255, using: &random) })
        #expect(EventPlaces.places(in: data).count <= 100)
        let whole = EventPlaces((0..<50).map { EventPlaces.Place(user: $0 * 300, distance: $0) })
        let cut = whole.data.prefix(.random(in: 0..<whole.data.count, using: &random))
        #expect(EventPlaces.places(in: cut).count < 50)
    }
}
