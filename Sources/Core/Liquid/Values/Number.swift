/// A number in arithmetic: an integer, or an exact decimal, so that `0.1 + 0.2` is `0.3`.
enum Number {
    case int(Int)
    case big(BigInteger)
    /// `digits × 10^exponent`
    case decimal(digits: Int128, exponent: Int)
    /// A number without an exact form: infinity, not a number, or too many digits.
    case double(Double)

    init(_ double: Double) {
        // Only the inexact form can represent a negative zero.
        guard double.isFinite, !(double == 0 && double.sign == .minus),
            let exact = Number(exactly: double.description)
        else {
            self = .double(double)
            return
        }
        self = exact
    }

    /// `1.5` is a decimal; other text counts as the integer that it begins with.
    init(_ text: String) {
        let trimmed = text.utf8.drop(while: \.isWhitespace)
        let unsigned = trimmed.first == Byte.dash ? trimmed.dropFirst() : trimmed
        let whole = unsigned.prefix(while: \.isDigit)
        let rest = unsigned.dropFirst(whole.count)
        if !whole.isEmpty, rest.first == Byte.dot {
            let fraction = rest.dropFirst().prefix(while: \.isDigit)
            let tail = rest.dropFirst(1 + fraction.count)
            if !fraction.isEmpty, tail.allSatisfy(\.isWhitespace) {
                let number = String(decoding: trimmed.dropLast(tail.count), as: UTF8.self)
                self = Number(exactly: number) ?? .double(Double(number) ?? 0)
                return
            }
        }
        self = Numbers.leadingNumber(text)
    }

    private init?(exactly text: String) {
        var digits: Int128 = 0
        var exponent = 0
        var isNegative = false
        var sawDot = false
        var bytes = text.utf8[...]
        if bytes.first == Byte.dash {
            isNegative = true
            bytes = bytes.dropFirst()
        }
        while let byte = bytes.first {
            bytes = bytes.dropFirst()
            if byte == Byte.dot {
                sawDot = true
            } else if byte.isDigit {
                // Two such numbers can be multiplied within 128 bits.
                guard digits < 1_000_000_000_000_000_000 else { return nil }
                digits = digits * 10 + Int128(byte &- 48)
                if sawDot { exponent -= 1 }
            } else {
                guard byte == UInt8(ascii: "e"), let power = Int(Substring(bytes)) else {
                    return nil
                }
                exponent += power
                break
            }
        }
        self = .decimal(digits: isNegative ? -digits : digits, exponent: exponent)
    }

    var value: LiquidValue {
        switch self {
        case .int(let number): .int(number)
        case .big(let number): .big(number)
        case .decimal, .double: .float(double)
        }
    }

    var double: Double {
        switch self {
        case .int(let number): return Double(number)
        case .big(let number): return number.double
        case .double(let number): return number
        case .decimal(let digits, let exponent):
            // Both operands are exact, so that rounding happens once.
            if digits.magnitude < 1 << 53, abs(exponent) <= 22 {
                let power = Self.powersOfTen[abs(exponent)]
                return exponent < 0 ? Double(digits) / power : Double(digits) * power
            }
            return Double("\(digits)e\(exponent)") ?? .nan
        }
    }

    private static let powersOfTen: [Double] = (0...22).map { power in
        (0..<power).reduce(1.0) { product, _ in product * 10 }
    }

    private var isWhole: Bool {
        switch self {
        case .int, .big: true
        case .decimal, .double: false
        }
    }

    var isZero: Bool {
        switch self {
        case .int(let number): number == 0
        case .big: false
        case .decimal(let digits, _): digits == 0
        case .double(let number): number == 0
        }
    }

    // MARK: - Cost

    /// The cost of a sum, a product or a comparison in a render, in nodes. A long number may have
    /// to be printed for it.
    static func stepsOfSum(_ left: Number, _ right: Number) -> Int {
        left.isLong || right.isLong ? BigInteger.stepsOfText : 0
    }

    static func stepsOfQuotient(_ left: Number, _ right: Number) -> Int {
        left.isLong || right.isLong ? BigInteger.stepsOfQuotient : 0
    }

    private var isLong: Bool {
        switch self {
        case .big: true
        case .int, .decimal, .double: false
        }
    }

    // MARK: - Arithmetic

    /// Both numbers with the same exponent; `nil` if they do not fit.
    private static func aligned(
        _ left: Number,
        _ right: Number
    ) -> (Int128, Int128, Int)? {
        guard let (leftDigits, leftExponent) = left.parts,
            let (rightDigits, rightExponent) = right.parts
        else { return nil }
        let exponent = min(leftExponent, rightExponent)
        guard let left = scaled(leftDigits, by: leftExponent - exponent),
            let right = scaled(rightDigits, by: rightExponent - exponent)
        else { return nil }
        return (left, right, exponent)
    }

    private var parts: (Int128, Int)? {
        switch self {
        case .int(let number): (Int128(number), 0)
        case .decimal(let digits, let exponent): (digits, exponent)
        case .big, .double: nil
        }
    }

    private static func scaled(_ digits: Int128, by power: Int) -> Int128? {
        guard digits != 0 else { return 0 }
        guard power <= 38 else { return nil }
        var digits = digits
        for _ in 0..<power {
            let (product, overflow) = digits.multipliedReportingOverflow(by: 10)
            if overflow { return nil }
            digits = product
        }
        return digits
    }

    private static func exact(_ digits: Int128, _ exponent: Int) -> Number {
        .decimal(digits: digits, exponent: exponent)
    }

    static func + (left: Number, right: Number) -> Number {
        if case .int(let left) = left, case .int(let right) = right {
            let (sum, overflow) = left.addingReportingOverflow(right)
            if !overflow { return .int(sum) }
        }
        if let sum = BigInteger.sum(left, right) { return sum }
        if let (leftDigits, rightDigits, exponent) = aligned(left, right) {
            let (sum, overflow) = leftDigits.addingReportingOverflow(rightDigits)
            if !overflow { return exact(sum, exponent) }
        }
        return .double(left.double + right.double)
    }

    static prefix func - (number: Number) -> Number {
        switch number {
        case .int(let value):
            value == .min ? BigInteger.product(number, .int(-1)) ?? number : .int(-value)
        case .big(let value): value.negated
        case .decimal(let digits, let exponent): .decimal(digits: -digits, exponent: exponent)
        case .double(let value): .double(-value)
        }
    }

    static func - (left: Number, right: Number) -> Number { left + -right }

    static func * (left: Number, right: Number) -> Number {
        if case .int(let left) = left, case .int(let right) = right {
            let (product, overflow) = left.multipliedReportingOverflow(by: right)
            if !overflow { return .int(product) }
        }
        if let product = BigInteger.product(left, right) { return product }
        if let (leftDigits, leftExponent) = left.parts,
            let (rightDigits, rightExponent) = right.parts
        {
            let (product, overflow) = leftDigits.multipliedReportingOverflow(by: rightDigits)
            if product == 0, (leftDigits < 0) != (rightDigits < 0) { return .double(-0.0) }
            if !overflow { return exact(product, leftExponent + rightExponent) }
        }
        return .double(left.double * right.double)
    }

    /// Integer division rounds down; `nil` for a division of integers by zero. Decimals divided by
    /// zero are infinite, or not a number.
    func divided(by right: Number) -> Number? {
        if right.isZero {
            if isWhole, case .int = right { return nil }
            return .double(double / 0)
        }
        if case .int(let left) = self, case .int(let right) = right {
            guard !(left == .min && right == -1) else { return -self }
            let quotient = left / right
            return .int(left % right != 0 && (left < 0) != (right < 0) ? quotient - 1 : quotient)
        }
        if let (quotient, _) = BigInteger.quotient(self, right) { return quotient }
        guard let (leftDigits, leftExponent) = parts, let (rightDigits, rightExponent) = right.parts
        else { return .double(double / right.double) }
        // As many digits as fit, which is more than a double distinguishes.
        var digits = leftDigits
        var exponent = leftExponent - rightExponent
        while digits != 0, digits.magnitude < 10_000_000_000_000_000_000_000_000_000_000_000_000 {
            digits *= 10
            exponent -= 1
        }
        return Self.exact(digits / rightDigits, exponent)
    }

    /// The remainder, with the divisor's sign; `nil` if the divisor is zero.
    func modulo(_ right: Number) -> Number? {
        guard !right.isZero else { return nil }
        if case .int(let left) = self, case .int(let right) = right {
            guard right != -1 else { return .int(0) }
            let remainder = left % right
            return .int(
                remainder != 0 && (remainder < 0) != (right < 0) ? remainder + right : remainder
            )
        }
        if let (_, rest) = BigInteger.quotient(self, right) { return rest }
        if let (left, right, exponent) = Self.aligned(self, right) {
            let remainder = left % right
            return Self.exact(
                remainder != 0 && (remainder < 0) != (right < 0) ? remainder + right : remainder,
                exponent
            )
        }
        let divisor = right.double
        let remainder = double.truncatingRemainder(dividingBy: divisor)
        return .double(
            remainder != 0 && (remainder < 0) != (divisor < 0) ? remainder + divisor : remainder
        )
    }

    static func < (left: Number, right: Number) -> Bool {
        if case .int(let left) = left, case .int(let right) = right { return left < right }
        if let order = BigInteger.order(left, right) { return order < 0 }
        if let (left, right, _) = aligned(left, right) { return left < right }
        return left.double < right.double
    }

    var magnitude: Number { self < .int(0) ? -self : self }

    // MARK: - Rounding

    enum Rounding {
        case down
        case up
        case halfAwayFromZero
    }

    /// The number with `places` digits after the decimal point; an integer if `places` is zero or
    /// negative.
    func rounded(_ rounding: Rounding, places: Int = 0) -> Number {
        let digits: Int128
        let exponent: Int
        switch self {
        case .int where places >= 0, .big: return self
        case .int(let number): (digits, exponent) = (Int128(number), 0)
        case .decimal(let value, let power): (digits, exponent) = (value, power)
        case .double(let value): return places > 0 ? self : Numbers.whole(value)
        }
        guard exponent < -places else {
            guard places <= 0 else { return self }
            return Self.integer(Self.scaled(digits, by: exponent), orElse: double)
        }
        let dropped = -places - exponent
        guard dropped <= 37, let unit = Self.scaled(1, by: dropped) else { return .int(0) }
        var quotient = digits / unit
        let remainder = digits % unit
        switch rounding {
        case .down: if remainder < 0 { quotient -= 1 }
        case .up: if remainder > 0 { quotient += 1 }
        case .halfAwayFromZero:
            if remainder.magnitude * 2 >= unit.magnitude { quotient += digits < 0 ? -1 : 1 }
        }
        if places > 0 { return .decimal(digits: quotient, exponent: -places) }
        return Self.integer(Self.scaled(quotient, by: -places), orElse: double)
    }

    private static func integer(_ digits: Int128?, orElse double: Double) -> Number {
        guard let digits, let number = Int(exactly: digits) else {
            return digits.map { BigInteger.number(String($0).utf8) } ?? Numbers.whole(double)
        }
        return .int(number)
    }

    /// Converts to an integer for counts; decimals lose their fraction.
    var integer: Int {
        switch self {
        case .int(let number): number
        case .big(let number): number.isNegative ? .min : .max
        default: Numbers.integer(double)
        }
    }
}
