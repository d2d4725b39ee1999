import Foundation

/// Where in a block the rows of a bucket's users are, packed: users in their order, by their numbers without the bits
/// that they share, each with the distances of the rows from the first one of the block.
///
/// Each row takes three or four bytes: how much greater the user's number is than that of the row before, and the
/// distance, both in units of seven bits, the lowest first, of which all but the last have their highest bit set.
/// All places of a bucket in a block of a server are less than a quarter of a page: more would take one of their own.
struct EventPlaces {
    struct Place: Hashable, Comparable {
        var user: Int64
        var distance: Int64

        static func < (one: Place, other: Place) -> Bool {
            (one.user, one.distance) < (other.user, other.distance)
        }
    }

    private(set) var data = Data()

    /// - Parameter places: In order.
    init(_ places: some Sequence<Place>) {
        var user: Int64 = 0
        for place in places {
            append(UInt64(place.user - user))
            append(UInt64(place.distance))
            user = place.user
        }
    }

    private mutating func append(_ value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            data.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        data.append(UInt8(rest))
    }

    /// Calls with each place in their order. What is no such data ends where it stops making sense: whoever looks
    /// for rows looks at them, too.
    static func forEach(in data: Data, _ body: (Place) throws -> Void) rethrows {
        try data.withUnsafeBytes { bytes in
            var (index, user) = (0, Int64(0))
            func next() -> Int64? {
                var (value, shift) = (UInt64(0), UInt64(0))
                while index < bytes.count, shift < 63 {
                    let byte = bytes[index]
                    index += 1
                    value |= UInt64(byte & 0x7F) << shift
                    if byte < 0x80 { return Int64(value) }
                    shift += 7
                }
                return nil
            }
            while let more = next(), let distance = next() {
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
