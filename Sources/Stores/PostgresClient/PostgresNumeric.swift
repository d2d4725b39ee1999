import Foundation

/// The decimal numbers in which PostgreSQL answers `sum` and `avg` of integers.
enum PostgresNumeric {
    private static let negative: UInt16 = 0x4000
    private static let notANumber: UInt16 = 0xC000
    private static let infinity: UInt16 = 0xD000
    private static let negativeInfinity: UInt16 = 0xF000

    /// An integer if the number is whole and has 64 bits, else the nearest floating-point number.
    ///
    /// - Parameter bytes: The binary form: how many digits of base 10,000, the weight of the first, the sign, how many
    ///   decimals to show, and the digits.
    static func value(_ bytes: UnsafeRawBufferPointer) -> PostgresValue {
        func word(_ index: Int) -> UInt16 {
            UInt16(bigEndian: bytes.loadUnaligned(fromByteOffset: index * 2, as: UInt16.self))
        }
        guard bytes.count >= 8 else { return .null }
        let count = min(Int(word(0)), (bytes.count - 8) / 2)
        let weight = Int(Int16(bitPattern: word(1)))
        let sign = word(2)
        switch sign {
        case notANumber: return .double(.nan)
        case infinity: return .double(.infinity)
        case negativeInfinity: return .double(-.infinity)
        default: break
        }
        let digits = (0..<count).map { word($0 + 4) }
        let isNegative = sign == negative
        if let whole = whole(digits, weight: weight, isNegative: isNegative) {
            return .integer(whole)
        }
        return .double(decimal(digits, weight: weight, isNegative: isNegative))
    }

    private static func whole(_ digits: [UInt16], weight: Int, isNegative: Bool) -> Int64? {
        let wholeCount = max(0, weight + 1)
        // Zeros at the end are not sent, so digits behind the point are decimals that count.
        guard digits.dropFirst(wholeCount).allSatisfy({ $0 == 0 }), weight < 5 else { return nil }
        var value: Int64 = 0
        for index in 0..<wholeCount {
            let digit = index < digits.count ? Int64(digits[index]) : 0
            let (product, isTooLarge) = value.multipliedReportingOverflow(by: 10_000)
            let (sum, isOver) =
                isNegative
                ? product.subtractingReportingOverflow(digit)
                : product.addingReportingOverflow(digit)
            if isTooLarge || isOver { return nil }
            value = sum
        }
        return value
    }

    /// Through its decimal digits, whose reading rounds once and to the nearest.
    private static func decimal(_ digits: [UInt16], weight: Int, isNegative: Bool) -> Double {
        var text = isNegative ? "-" : ""
        for digit in digits {
            let part = String(digit)
            text += String(repeating: "0", count: max(0, 4 - part.count)) + part
        }
        let exponent = (weight + 1 - digits.count) * 4
        return Double("\(text.isEmpty ? "0" : text)e\(exponent)") ?? .nan
    }
}
