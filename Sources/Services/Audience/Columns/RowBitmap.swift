/// One bit per row of a chunk; rows after its end are unset.
struct RowBitmap: Sendable {
    private(set) var words: [UInt64] = []

    func contains(_ row: Int) -> Bool {
        let word = row >> 6
        return word < words.count && words[word] >> UInt64(row & 63) & 1 == 1
    }

    mutating func insert(_ row: Int) {
        let word = row >> 6
        if word >= words.count {
            words.append(contentsOf: repeatElement(0, count: word + 1 - words.count))
        }
        words[word] |= 1 << UInt64(row & 63)
    }

    mutating func remove(_ row: Int) {
        guard contains(row) else { return }
        words[row >> 6] &= ~(1 << UInt64(row & 63))
    }

    var isEmpty: Bool { words.allSatisfy { $0 == 0 } }

    var count: Int { words.reduce(0) { $0 + $1.nonzeroBitCount } }

    var bytes: Int { words.capacity * 8 }

    /// Adds the rows to the bits at `target`, which has room for `count` words.
    func union(into target: UnsafeMutablePointer<UInt64>, count: Int) {
        words.withUnsafeBufferPointer { words in
            for index in 0..<min(count, words.count) { target[index] |= words[index] }
        }
    }

    /// Shrinks the storage to its content.
    mutating func compact() {
        var exact: [UInt64] = []
        exact.reserveCapacity(words.count)
        exact.append(contentsOf: words)
        words = exact
    }
}
