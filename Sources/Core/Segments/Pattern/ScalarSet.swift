/// A set of Unicode scalars as sorted ranges that neither touch nor overlap.
struct ScalarSet: Hashable, Sendable {
    private(set) var ranges: [ClosedRange<UInt32>]

    static let last: UInt32 = 0x10FFFF

    init(_ unsorted: [ClosedRange<UInt32>]) {
        ranges = []
        for range in unsorted.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let previous = ranges.last, range.lowerBound <= previous.upperBound &+ 1 {
                let upper = max(previous.upperBound, range.upperBound)
                ranges[ranges.count - 1] = previous.lowerBound...upper
            } else {
                ranges.append(range)
            }
        }
    }

    init(_ scalar: UInt32) { ranges = [scalar...scalar] }

    var inverted: ScalarSet {
        var gaps: [ClosedRange<UInt32>] = []
        var next: UInt32 = 0
        for range in ranges {
            if range.lowerBound > next { gaps.append(next...(range.lowerBound - 1)) }
            next = range.upperBound + 1
        }
        if next <= ScalarSet.last { gaps.append(next...ScalarSet.last) }
        return ScalarSet(gaps)
    }

    func union(_ other: ScalarSet) -> ScalarSet { ScalarSet(ranges + other.ranges) }

    func contains(_ scalar: UInt32) -> Bool {
        var low = 0
        var high = ranges.count
        while low < high {
            let middle = (low + high) / 2
            if ranges[middle].upperBound < scalar { low = middle + 1 } else { high = middle }
        }
        return low < ranges.count && ranges[low].lowerBound <= scalar
    }

    static let digits = ScalarSet([0x30...0x39])
    static let wordCharacters = ScalarSet([0x30...0x39, 0x41...0x5A, 0x5F...0x5F, 0x61...0x7A])
    static let spaces = ScalarSet([0x09...0x0D, 0x20...0x20])
    static let notNewline = ScalarSet([0x0A...0x0A]).inverted
    static let everything = ScalarSet([0...last])

    /// The set with both cases of each of its letters. Ranges wider than a script's alphabet are
    /// extended within ASCII only, which limits the work for classes such as `[^a]`.
    var ignoringCase: ScalarSet {
        var extended = ranges
        for range in ranges {
            let span = range.upperBound - range.lowerBound
            let upper = span <= 1_024 ? range.upperBound : min(range.upperBound, 0x7F)
            guard upper >= range.lowerBound else { continue }
            for value in range.lowerBound...upper {
                guard let scalar = Unicode.Scalar(value) else { continue }
                for mapping in [
                    scalar.properties.lowercaseMapping, scalar.properties.uppercaseMapping,
                ] where mapping.unicodeScalars.count == 1 {
                    for other in mapping.unicodeScalars where other != scalar {
                        extended.append(other.value...other.value)
                    }
                }
            }
        }
        return ScalarSet(extended)
    }
}
