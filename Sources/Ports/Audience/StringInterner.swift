/// Distinct texts, numbered in order of first appearance and found by their bytes without creating
/// a string for each.
package struct StringInterner: Sendable {
    private var bytes: [UInt8] = []
    private var ends: [Int] = []
    /// An open hash table of numbers plus one; zero marks a free slot. At most half of the slots
    /// are used.
    private var slots: [UInt32] = []

    package init() {}

    package var count: Int { ends.count }

    /// All texts, in the order of their numbers.
    package var strings: [String] {
        bytes.withUnsafeBufferPointer { bytes in
            ends.indices.map { String(decoding: bytes[range(of: $0)], as: UTF8.self) }
        }
    }

    private func range(of number: Int) -> Range<Int> {
        (number == 0 ? 0 : ends[number - 1])..<ends[number]
    }

    /// The number of a text; a new text gets the next number.
    package mutating func number(of text: UnsafeBufferPointer<UInt8>) -> UInt32 {
        if slots.isEmpty { slots = Array(repeating: 0, count: 32) }
        var slot = hash(text) & (slots.count - 1)
        while slots[slot] != 0 {
            let number = slots[slot] - 1
            if isText(Int(number), equalTo: text) { return number }
            slot = (slot + 1) & (slots.count - 1)
        }
        let number = UInt32(ends.count)
        bytes.append(contentsOf: text)
        ends.append(bytes.count)
        slots[slot] = number + 1
        if ends.count * 2 > slots.count { grow() }
        return number
    }

    package func isText(_ number: Int, equalTo text: UnsafeBufferPointer<UInt8>) -> Bool {
        let range = range(of: number)
        guard range.count == text.count else { return false }
        return bytes.withUnsafeBufferPointer { bytes in
            var index = 0
            while index < text.count {
                guard bytes[range.lowerBound + index] == text[index] else { return false }
                index += 1
            }
            return true
        }
    }

    /// Seeded per process, so that an attacker cannot choose texts that collide.
    private func hash(_ text: UnsafeBufferPointer<UInt8>) -> Int {
        var hasher = Hasher()
        hasher.combine(bytes: UnsafeRawBufferPointer(text))
        return hasher.finalize()
    }

    private mutating func grow() {
        slots = Array(repeating: 0, count: slots.count * 2)
        bytes.withUnsafeBufferPointer { bytes in
            for number in ends.indices {
                let text = UnsafeBufferPointer(rebasing: bytes[range(of: number)])
                var slot = hash(text) & (slots.count - 1)
                while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
                slots[slot] = UInt32(number + 1)
            }
        }
    }
}
