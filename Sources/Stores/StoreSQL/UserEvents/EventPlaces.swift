import Foundation

/// Where in a block the rows of a bucket's users are, packed: users in their order, by their numbers without the bits
/// that they share, each with the distances of the rows from the first one of the block.
///
/// Each row takes three or four bytes (`PackedNumbers`): how much greater the user's number is than that of the row
/// before, and the distance.
/// All places of a bucket in a block of a server are less than a quarter of a page: more would take one of their own.
struct EventPlaces {
    struct Place: Hashable, Comparable {
        var user: Int64
        var distance: Int64

        static func < (one: Place, other: Place) -> Bool {
            one.user != other.user ? one.user < other.user : one.distance < other.distance
        }
    }

    let data: Data

    /// - Parameter places: In order.
    init(_ places: some Sequence<Place>) {
        var numbers = PackedNumbers()
        var user: Int64 = 0
        for place in places {
            numbers.append(UInt64(place.user - user))
            numbers.append(UInt64(place.distance))
            user = place.user
        }
        data = numbers.data
    }

    /// Calls with each place in their order. What is no such data ends where it stops making sense: whoever looks
    /// for rows looks at them, too.
    static func forEach(in data: Data, _ body: (Place) throws -> Void) rethrows {
        try data.withUnsafeBytes { bytes in
            var numbers = PackedNumbers.Reader(bytes)
            var user: Int64 = 0
            while let more = numbers.nextCount(), let distance = numbers.nextCount() {
                let (sum, overflows) = user.addingReportingOverflow(more)
                guard !overflows else { return }
                user = sum
                try body(Place(user: user, distance: distance))
            }
        }
    }

    static func places(in data: Data) -> [Place] {
        var places: [Place] = []
        forEach(in: data) { places.append($0) }
        return places
    }
}
