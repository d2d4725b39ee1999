/// Middles of many numbers, exact, without sorting them.
enum Quantile {
    static func average(_ parts: [[Int32]]) -> Double? {
        let count = parts.reduce(0) { $0 + $1.count }
        guard count > 0 else { return nil }
        let sum = parts.reduce(0) { $0 + $1.reduce(0) { $0 + Int($1) } }
        return Double(sum) / Double(count)
    }

    /// The number in the middle, of an even number of them the lesser of two. None is negative.
    static func median(_ parts: [[Int32]]) -> Int32? {
        let count = parts.reduce(0) { $0 + $1.count }
        guard count > 0 else { return nil }
        var place = (count - 1) / 2
        // First the upper half of the bits, then the lower one among those that share it.
        let upper = bucket(parts, &place) { Int($0 >> 16) }
        let lower = bucket(parts, &place) { Int($0 >> 16) == upper ? Int($0 & 0xFFFF) : nil }
        return Int32(upper << 16 | lower)
    }

    private static func bucket(
        _ parts: [[Int32]],
        _ place: inout Int,
        _ number: (Int32) -> Int?
    ) -> Int {
        var counts = [Int](repeating: 0, count: 1 << 16)
        for part in parts {
            for value in part { if let number = number(value) { counts[number] += 1 } }
        }
        for (number, count) in counts.enumerated() {
            if place < count { return number }
            place -= count
        }
        return 0
    }
}
