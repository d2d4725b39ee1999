import Reasons

/// The literals of the language.
enum Literal {
    static func named(
        _ markup: Markup,
        _ start: Int,
        _ end: Int,
        isOperand: Bool
    ) -> Expression? {
        switch end - start {
        case 3 where markup.equals("nil", start, end): .literal(.null)
        case 4 where markup.equals("true", start, end): .literal(.bool(true))
        case 4 where markup.equals("null", start, end): .literal(.null)
        case 5 where markup.equals("false", start, end): .literal(.bool(false))
        case 5 where markup.equals("blank", start, end):
            isOperand ? .blank : .literal(.string(""))
        case 5 where markup.equals("empty", start, end):
            isOperand ? .empty : .literal(.string(""))
        default: nil
        }
    }

    /// A number: `12`, `-3`, `1.5`; also `1.2.3`, up to its second dot, and `7.`.
    static func number(_ markup: Markup, _ start: Int, _ end: Int) -> LiquidValue? {
        let bytes = markup.bytes
        var index = start
        let isNegative = index < end && bytes[index] == Byte.dash
        if isNegative { index += 1 }
        guard index < end, bytes[index].isDigit else { return nil }
        var value = 0
        var fits = true
        var firstDot: Int?
        var numberEnd = end
        while index < end {
            let byte = bytes[index]
            if byte == Byte.dot {
                if firstDot == nil {
                    firstDot = index
                } else if numberEnd == end {
                    numberEnd = index
                }
            } else if byte.isDigit {
                if firstDot == nil {
                    let (scaled, overflow) = value.multipliedReportingOverflow(by: 10)
                    let digit = Int(byte &- 48)
                    let (sum, carry) = scaled.addingReportingOverflow(isNegative ? -digit : digit)
                    fits = fits && !overflow && !carry
                    value = sum
                }
            } else {
                return nil
            }
            index += 1
        }
        if firstDot == nil {
            return fits ? .int(value) : BigInteger.number(bytes[start..<end]).value
        }
        return Double(NumberFormatting.padded(markup.text(start, numberEnd))).map { .float($0) }
    }

    /// A `nil` bound counts as 0, a text as the number it begins with; other literals are an error.
    static func range(
        _ first: Expression,
        _ last: Expression
    ) throws(LiquidError) -> Expression {
        guard case .literal(let firstValue) = first, case .literal(let lastValue) = last else {
            return .range(first, last)
        }
        for case .bool(let flag) in [firstValue, lastValue] {
            throw LiquidError(.syntax, .rangeFlag, ["flag": "\(flag)"])
        }
        guard let first = Numbers.rangeEnd(firstValue), let last = Numbers.rangeEnd(lastValue)
        else { return .range(first, last) }
        return .literal(.range(LiquidRange(first: first, last: last)))
    }
}
