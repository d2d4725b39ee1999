/// Conversions of values to numbers.
enum Numbers {
    /// Ruby's `to_i`: the number that a text begins with, otherwise 0; `nil` for values without
    /// one.
    static func rangeEnd(_ value: LiquidValue) -> Int? {
        switch value {
        case .int(let number): number
        case .big(let number): number.isNegative ? .min : .max
        case .float(let number): integer(number)
        case .string(let text): leadingInteger(text)
        case .null: 0
        default: nil
        }
    }

    /// The bound of a range that is not a literal.
    static func rangeInteger(
        _ value: LiquidValue
    ) throws(LiquidError) -> Int {
        switch value {
        case .int(let number): number
        case .null: 0
        case .string(let text): leadingInteger(text)
        default: try integer(value)
        }
    }

    /// An integer, or a text that consists of one.
    static func integer(
        _ value: LiquidValue
    ) throws(LiquidError) -> Int {
        if case .int(let number) = value { return number }
        // As a count or an index it exceeds everything; a little less than `Int.max`, so that a sum
        // with another index fits.
        if case .big(let number) = value { return number.isNegative ? -(1 << 62) : 1 << 62 }
        var number: Int?
        switch value {
        case .string(let text): number = strictInteger(text)
        case .drop(let drop): number = strictInteger(drop.text)
        default: break
        }
        guard let number else { throw LiquidError(.argument, .invalidInteger) }
        return number
    }

    /// Ruby's `Integer(text)` for decimal numbers.
    static func strictInteger(_ text: String) -> Int? {
        var digits = text.utf8.drop(while: \.isWhitespace)
        while let last = digits.last, last.isWhitespace { digits = digits.dropLast() }
        guard let first = digits.first, let last = digits.last, last.isDigit else { return nil }
        let unsigned =
            first == Byte.dash || first == UInt8(ascii: "+") ? digits.dropFirst() : digits
        guard let start = unsigned.first, start.isDigit else { return nil }
        var wasDigit = true
        for byte in unsigned {
            guard byte.isDigit || (byte == Byte.underscore && wasDigit) else { return nil }
            wasDigit = byte.isDigit
        }
        return Int(String(decoding: digits.filter { $0 != Byte.underscore }, as: UTF8.self))
    }

    static func leadingInteger(_ text: String) -> Int {
        var value = 0
        var isNegative = false
        var seen = false
        for byte in text.utf8.drop(while: \.isWhitespace) {
            if !seen, byte == Byte.dash || byte == UInt8(ascii: "+") {
                isNegative = byte == Byte.dash
                seen = true
                continue
            }
            seen = true
            if byte == Byte.underscore { continue }
            guard byte.isDigit else { break }
            let (scaled, overflow) = value.multipliedReportingOverflow(by: 10)
            let digit = Int(byte &- 48)
            let (sum, carry) = scaled.addingReportingOverflow(isNegative ? -digit : digit)
            if overflow || carry { return isNegative ? .min : .max }
            value = sum
        }
        return value
    }

    /// The number that a text begins with, however long it is.
    static func leadingNumber(_ text: String) -> Number {
        let number = leadingInteger(text)
        guard number == .max || number == .min else { return .int(number) }
        let start = text.utf8.drop(while: \.isWhitespace)
        let sign = start.first == Byte.dash || start.first == UInt8(ascii: "+") ? 1 : 0
        let digits = start.dropFirst(sign).prefix { $0.isDigit || $0 == Byte.underscore }
        return BigInteger.number(
            start.prefix(sign) + digits.filter { $0 != Byte.underscore }
        )
    }

    /// A number without its fraction; non-finite numbers count as 0.
    static func whole(_ number: Double) -> Number {
        guard number.isFinite else { return .int(0) }
        if let small = Int(exactly: number.rounded(.towardZero)) { return .int(small) }
        // Every double of this size is a whole number: a significand and a power of two.
        var magnitude = Number.int(Int(number.significandBitPattern | 1 << 52))
        var power = Int(number.exponent) - 52
        while power > 0 {
            let step = min(power, 62)
            magnitude = magnitude * .int(1 << step)
            power -= step
        }
        return number < 0 ? -magnitude : magnitude
    }

    static func integer(_ number: Double) -> Int {
        guard number.isFinite else { return 0 }
        if number >= 9.2e18 { return .max }
        if number <= -9.2e18 { return .min }
        return Int(number)
    }

    /// The number that arithmetic filters use.
    static func number(_ value: LiquidValue) -> Number {
        switch value {
        case .int(let number): .int(number)
        case .big(let number): .big(number)
        case .float(let number): Number(number)
        case .string(let text): Number(text)
        default: .int(0)
        }
    }
}
