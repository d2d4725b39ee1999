/// A whole number that does not fit 64 bits. Smaller ones stay `Int`, so only arithmetic that
/// overflows has this cost.
///
/// It is a class so that a value stays two words wide; it is immutable.
package final class BigInteger: Sendable {
    /// Maximum number of binary digits, so that printing a number cannot take long.
    static let maxBits = 4096

    /// The cost of its arithmetic in a render at the maximum size, in nodes.
    static let stepsOfSum = 16
    static let stepsOfQuotient = 16_384
    static let stepsOfText = 1024

    let isNegative: Bool
    /// In ascending order of significance, 32 bits each; the last is not zero.
    private let limbs: [UInt32]

    private init(isNegative: Bool, limbs: [UInt32]) {
        self.isNegative = isNegative
        self.limbs = limbs
    }

    /// The number in its smallest representation.
    private static func number(_ isNegative: Bool, _ limbs: [UInt32]) -> Number {
        var limbs = limbs
        while limbs.last == 0 { limbs.removeLast() }
        if limbs.count <= 2 {
            var magnitude: UInt64 = 0
            for (index, limb) in limbs.enumerated() { magnitude |= UInt64(limb) << (32 * index) }
            if !isNegative, let value = Int(exactly: magnitude) { return .int(value) }
            if isNegative, magnitude <= Int.min.magnitude {
                return .int(Int(truncatingIfNeeded: 0 &- magnitude))
            }
        }
        guard limbs.count * 32 <= maxBits else {
            return .double(isNegative ? -.infinity : .infinity)
        }
        return .big(BigInteger(isNegative: isNegative, limbs: limbs))
    }

    /// Sign and limbs of a whole number; `nil` for others.
    private static func parts(_ number: Number) -> (isNegative: Bool, limbs: [UInt32])? {
        switch number {
        case .int(let value):
            let magnitude = value.magnitude
            return (
                value < 0,
                [
                    UInt32(truncatingIfNeeded: magnitude),
                    UInt32(truncatingIfNeeded: magnitude >> 32),
                ]
            )
        case .big(let value): return (value.isNegative, value.limbs)
        case .decimal, .double: return nil
        }
    }

    /// Reads digits with an optional minus sign.
    static func number(_ digits: some Sequence<UInt8>) -> Number {
        var limbs: [UInt32] = []
        var isNegative = false
        for byte in digits {
            guard byte.isDigit else {
                isNegative = isNegative || byte == Byte.dash
                continue
            }
            guard limbs.count * 32 <= maxBits else { break }
            multiply(&limbs, by: 10, adding: UInt32(byte &- 48))
        }
        return number(isNegative, limbs)
    }

    // MARK: - Arithmetic

    static func sum(_ left: Number, _ right: Number) -> Number? {
        guard let left = parts(left), let right = parts(right) else { return nil }
        if left.isNegative == right.isNegative {
            return number(left.isNegative, add(left.limbs, right.limbs))
        }
        if compare(left.limbs, right.limbs) >= 0 {
            return number(left.isNegative, subtract(left.limbs, right.limbs))
        }
        return number(right.isNegative, subtract(right.limbs, left.limbs))
    }

    static func product(_ left: Number, _ right: Number) -> Number? {
        guard let left = parts(left), let right = parts(right) else { return nil }
        var limbs = [UInt32](repeating: 0, count: left.limbs.count + right.limbs.count)
        for (index, limb) in left.limbs.enumerated() {
            var carry: UInt64 = 0
            for (offset, other) in right.limbs.enumerated() {
                let sum = UInt64(limb) * UInt64(other) + UInt64(limbs[index + offset]) + carry
                limbs[index + offset] = UInt32(truncatingIfNeeded: sum)
                carry = sum >> 32
            }
            limbs[index + right.limbs.count] = UInt32(truncatingIfNeeded: carry)
        }
        return number(left.isNegative != right.isNegative, limbs)
    }

    /// The quotient, rounded down, and the remainder, with the divisor's sign.
    static func quotient(_ left: Number, _ right: Number) -> (quotient: Number, rest: Number)? {
        guard let left = parts(left), let right = parts(right) else { return nil }
        let (quotient, rest) = divide(left.limbs, right.limbs)
        var exact = number(left.isNegative != right.isNegative, quotient)
        var remainder = number(left.isNegative, rest)
        if !remainder.isZero, left.isNegative != right.isNegative {
            exact = exact - .int(1)
            remainder = remainder + number(right.isNegative, right.limbs)
        }
        return (exact, remainder)
    }

    var negated: Number { Self.number(!isNegative, limbs) }

    /// Negative, zero or positive; `nil` if one of the numbers is not whole.
    static func order(_ left: Number, _ right: Number) -> Int? {
        guard let left = parts(left), let right = parts(right) else { return nil }
        guard left.isNegative == right.isNegative else { return left.isNegative ? -1 : 1 }
        let order = compare(left.limbs, right.limbs)
        return left.isNegative ? -order : order
    }

    /// Size in bytes, as the reference reports it for a number of this magnitude.
    var size: Int { max(8, (limbs.count * 32 - (limbs.last?.leadingZeroBitCount ?? 0) + 7) / 8) }

    var double: Double { Double(text) ?? .nan }

    // MARK: - Text

    var text: String {
        // Nine decimal digits at a time, in ascending order of significance.
        var groups: [UInt32] = []
        var rest = limbs
        while !rest.isEmpty {
            var carry: UInt64 = 0
            for index in rest.indices.reversed() {
                let value = carry << 32 | UInt64(rest[index])
                rest[index] = UInt32(truncatingIfNeeded: value / 1_000_000_000)
                carry = value % 1_000_000_000
            }
            groups.append(UInt32(truncatingIfNeeded: carry))
            while rest.last == 0 { rest.removeLast() }
        }
        var text = isNegative ? "-" : ""
        for (index, group) in groups.reversed().enumerated() {
            let digits = String(group)
            if index > 0 { text += String(repeating: "0", count: 9 - digits.utf8.count) }
            text += digits
        }
        return text
    }

    // MARK: - Limbs

    private static func multiply(_ limbs: inout [UInt32], by factor: UInt32, adding: UInt32) {
        var carry = UInt64(adding)
        for index in limbs.indices {
            let sum = UInt64(limbs[index]) * UInt64(factor) + carry
            limbs[index] = UInt32(truncatingIfNeeded: sum)
            carry = sum >> 32
        }
        if carry > 0 { limbs.append(UInt32(truncatingIfNeeded: carry)) }
    }

    private static func limb(_ limbs: [UInt32], _ index: Int) -> UInt32 {
        index < limbs.count ? limbs[index] : 0
    }

    private static func compare(_ left: [UInt32], _ right: [UInt32]) -> Int {
        for index in (0..<max(left.count, right.count)).reversed() {
            let (left, right) = (limb(left, index), limb(right, index))
            if left != right { return left < right ? -1 : 1 }
        }
        return 0
    }

    private static func add(_ left: [UInt32], _ right: [UInt32]) -> [UInt32] {
        var sum: [UInt32] = []
        var carry: UInt64 = 0
        for index in 0..<max(left.count, right.count) {
            carry += UInt64(limb(left, index)) + UInt64(limb(right, index))
            sum.append(UInt32(truncatingIfNeeded: carry))
            carry >>= 32
        }
        sum.append(UInt32(truncatingIfNeeded: carry))
        return sum
    }

    /// Precondition: `left` is at least `right`.
    private static func subtract(_ left: [UInt32], _ right: [UInt32]) -> [UInt32] {
        var difference = left
        var borrow: Int64 = 0
        for index in left.indices {
            var value = Int64(left[index]) - Int64(limb(right, index)) - borrow
            borrow = value < 0 ? 1 : 0
            if value < 0 { value += 1 << 32 }
            difference[index] = UInt32(truncatingIfNeeded: value)
        }
        return difference
    }

    /// Long division, one bit at a time: at most `maxBits` rounds.
    private static func divide(
        _ left: [UInt32],
        _ right: [UInt32]
    ) -> (quotient: [UInt32], rest: [UInt32]) {
        var quotient = [UInt32](repeating: 0, count: left.count)
        var rest: [UInt32] = []
        for index in left.indices.reversed() {
            for bit in (0..<32).reversed() {
                multiply(&rest, by: 2, adding: (left[index] >> UInt32(bit)) & 1)
                guard compare(rest, right) >= 0 else { continue }
                rest = subtract(rest, right)
                while rest.last == 0 { rest.removeLast() }
                quotient[index] |= 1 << UInt32(bit)
            }
        }
        return (quotient, rest)
    }
}
