import Relational
import Testing

@testable import StoreSQL

@Suite("The place of a removal of events")
struct EventRemovalPlaceTests {
    private func read(_ text: String) -> [Int64]? {
        EventRemoval.Place.fromDatabaseValue(text.databaseValue).map {
            [$0.name, $0.time, $0.profile, $0.id]
        }
    }

    @Test("is read as it was written")
    func roundTrip() throws {
        let place = EventRemoval.Place(name: 3, time: -5, profile: 7, id: .max)
        let text = try #require(String.fromDatabaseValue(place.databaseValue))
        #expect(read(text) == [3, -5, 7, .max])
    }

    @Test("of a pass that an earlier version began is gone on from")
    func earlier() {
        #expect(read("3 -5 7 9 40") == [3, -5, 7, 9])
    }

    @Test(
        "that is none begins the pass anew",
        arguments: ["", "3", "3 5 7", "a b c d", "1 2 3 4 5 6"]
    )
    func none(text: String) {
        #expect(read(text) == nil)
    }
}
