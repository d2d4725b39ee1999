import Reports

/// An occurrence that was found in a row, with what a report needs of it.
struct FoundOccurrence: Sendable {
    /// The number of a value that is not there; it comes behind all others.
    static let missing = UInt32.max

    /// Unix seconds.
    var time: Int64
    /// What was paid, in whole millionths.
    var amount: Double
    var pieces: UInt32
    /// The number of the constant property's value.
    var constant: UInt32
    /// The number of the breakdown's value.
    var group: UInt32
    var row: UInt16

    /// The order of occurrences by row, and within a row by what is given.
    ///
    /// - Returns: Their indices in this order, and where each row's begin, one more than rows.
    static func order(
        of found: [FoundOccurrence],
        rows: Int,
        _ precedes: (FoundOccurrence, FoundOccurrence) -> Bool
    ) -> (indices: [Int32], starts: [UInt32]) {
        var starts = [UInt32](repeating: 0, count: rows + 1)
        var ordered = [Int32](repeating: 0, count: found.count)
        found.withUnsafeBufferPointer { found in
            // By row first, which takes no comparing; what is left to sort are the few of a user.
            for one in found { starts[Int(one.row) + 1] += 1 }
            for row in 0..<rows { starts[row + 1] += starts[row] }
            var next = starts
            for index in found.indices {
                let row = Int(found[index].row)
                ordered[Int(next[row])] = Int32(index)
                next[row] += 1
            }
            for row in 0..<rows {
                let range = Int(starts[row])..<Int(starts[row + 1])
                let isInOrder = range.dropFirst().allSatisfy {
                    !precedes(found[Int(ordered[$0])], found[Int(ordered[$0 - 1])])
                }
                if isInOrder { continue }
                ordered[range].sort { precedes(found[Int($0)], found[Int($1)]) }
            }
        }
        return (ordered, starts)
    }
}

/// Texts numbered as they come, and by the order of their bytes once all are there.
struct FoundValues: Sendable {
    private var numbers: [String: UInt32] = [:]
    private(set) var texts: [String] = []

    mutating func number(of text: String?) -> UInt32 {
        guard let text else { return FoundOccurrence.missing }
        if let known = numbers[text] { return known }
        let number = UInt32(texts.count)
        numbers[text] = number
        texts.append(text)
        return number
    }

    /// Numbers them anew; the new number of each old one.
    mutating func sort() -> [UInt32] {
        let order = texts.indices.sorted { ReportValue.precedes(texts[$0], texts[$1]) }
        var ranks = [UInt32](repeating: 0, count: texts.count)
        for (rank, old) in order.enumerated() { ranks[old] = UInt32(rank) }
        texts = order.map { texts[$0] }
        numbers = [:]
        return ranks
    }
}
