import Foundation
import Model

/// Sums of removed events of users whose numbers begin alike, packed (`PackedNumbers`): about eight bytes each.
struct PackedActivity {
    /// Users whose numbers have the same bits but these last ones share a part.
    private static let bits: Int64 = 9
    /// So many of damaged ones are still a number together.
    private static let counts = 1...Int64(1) << 40

    let data: Data

    /// - Parameter sums: In the order of users, all of the same range.
    init(_ sums: some Sequence<(key: RemovableEvents.User, value: RemovedSum)>) {
        var numbers = PackedNumbers()
        var (user, first) = (Int64(0), Int64(0))
        for (key, sum) in sums {
            let next = key.profile & ((1 << Self.bits) - 1)
            numbers.append(UInt64(next - user))
            numbers.append(UInt64(bitPattern: key.name))
            numbers.append(UInt64(bitPattern: sum.count))
            // Those that are removed together have happened at about the same time.
            numbers.append(signed: sum.first &- first)
            numbers.append(UInt64(bitPattern: sum.last &- sum.first))
            (user, first) = (next, sum.first)
        }
        data = numbers.data
    }

    /// The number of the range that a user is in.
    static func range(of user: Int64) -> Int64 { user >> bits }

    static func users(ofRange range: Int64) -> ClosedRange<Int64> {
        (range << bits)...(range << bits | (1 << bits - 1))
    }

    /// Calls with each sum. What is no such data ends where it stops making sense.
    ///
    /// - Returns: Whether all of it made sense.
    @discardableResult
    static func forEach(
        in data: Data,
        ofRange range: Int64,
        _ body: (RemovableEvents.User, RemovedSum) -> Void
    ) -> Bool {
        data.withUnsafeBytes { bytes in
            var numbers = PackedNumbers.Reader(bytes)
            var (user, first) = (range << bits, Int64(0))
            while !numbers.isAtEnd {
                guard let more = numbers.nextCount(), let name = numbers.next(),
                    let count = numbers.nextCount(), let later = numbers.nextSigned(),
                    let length = numbers.next()
                else { return false }
                user &+= more
                first &+= later
                let last = first &+ Int64(bitPattern: length)
                guard Self.range(of: user) == range, counts.contains(count),
                    Timestamp.milliseconds.contains(first), Timestamp.milliseconds.contains(last)
                else { return false }
                var sum = RemovedSum(at: first)
                (sum.count, sum.last) = (count, last)
                body(RemovableEvents.User(name: Int64(bitPattern: name), profile: user), sum)
            }
            return true
        }
    }
}
