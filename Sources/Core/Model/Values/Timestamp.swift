import Foundation

/// Reads and writes times as text without formatters, because every event has one.
package enum Timestamp {
    /// The years 1 to 9999 in UTC, in milliseconds since 1970: what ISO 8601 writes with four digits
    /// and every part of the server can count with. What a client sends must lie within.
    package static let milliseconds: ClosedRange<Int64> = -62_135_596_800_000...253_402_300_799_999

    /// The time given by a client in milliseconds since 1970; `nil` outside the years 1 to 9999.
    package static func date(milliseconds: Int64) -> Date? {
        self.milliseconds.contains(milliseconds) ? Date(milliseconds: milliseconds) : nil
    }

    /// The time given by a client in seconds since 1970; `nil` outside the years 1 to 9999.
    package static func date(seconds: Double) -> Date? {
        guard let whole = Int64(exactly: (seconds * 1000).rounded()) else { return nil }
        return date(milliseconds: whole)
    }

    /// A time in ISO 8601 (with or without fraction and zone), a date alone, also as `MM/dd/yyyy`,
    /// or `yyyy-MM-dd HH:mm:ss`; without a zone it is UTC. `nil` when it is none of these, or not
    /// within the years 1 to 9999 in UTC.
    package static func parse(_ text: some StringProtocol) -> Date? {
        var copy = String(text)
        return copy.withUTF8(parse)
    }

    /// The local time in a text, as if it were in UTC: its zone is ignored.
    package static func shown(_ text: String) -> Date? {
        guard let date = parse(text) else { return nil }
        let time = text.utf8.dropFirst(10)
        let digits = time.prefix { !"Zz+-".utf8.contains($0) }
        // Without a zone, or in UTC: the date is as written.
        guard digits.count < time.count else { return date }
        let day = String(decoding: text.utf8.prefix(10), as: UTF8.self)
        let clock = String(decoding: digits, as: UTF8.self)
        return parse(day + clock.trimmingCharacters(in: .whitespaces))
    }

    /// The same for the bytes of a text.
    package static func parse(_ utf8: UnsafeBufferPointer<UInt8>) -> Date? {
        if isAmericanDate(utf8) { return americanDate(utf8) }
        var reader = Reader(utf8)
        guard let year = reader.number(digits: 4), reader.take(UInt8(ascii: "-")),
            let month = reader.number(digits: 2), reader.take(UInt8(ascii: "-")),
            let day = reader.number(digits: 2),
            (1...12).contains(month), (1...daysOfMonth(month, year)).contains(day)
        else { return nil }
        var seconds = Double(daysSince1970(year, month, day) * 86_400)
        if reader.isAtEnd { return date(seconds: seconds) }
        guard
            reader.take(UInt8(ascii: "T")) || reader.take(UInt8(ascii: "t"))
                || reader.take(UInt8(ascii: " ")),
            let hour = reader.number(digits: 2), hour < 24, reader.take(UInt8(ascii: ":")),
            let minute = reader.number(digits: 2), minute < 60
        else { return nil }
        seconds += Double(hour * 3600 + minute * 60)
        if reader.take(UInt8(ascii: ":")) {
            guard let second = reader.number(digits: 2), second <= 60 else { return nil }
            seconds += Double(second)
            if reader.take(UInt8(ascii: ".")) || reader.take(UInt8(ascii: ","))
                || reader.take(UInt8(ascii: ":"))
            {
                guard let fraction = reader.fraction() else { return nil }
                seconds += fraction
            }
        }
        guard let offset = reader.zoneOffset(), reader.isAtEnd else { return nil }
        seconds -= Double(offset)
        return date(seconds: seconds) == nil ? nil : Date(timeIntervalSince1970: seconds)
    }

    /// Whether a text has the form `MM/dd/yyyy`; a check of two bytes rules out most texts.
    package static func isAmericanDate(_ utf8: UnsafeBufferPointer<UInt8>) -> Bool {
        utf8.count == 10 && utf8[2] == UInt8(ascii: "/") && utf8[5] == UInt8(ascii: "/")
    }

    private static func americanDate(_ utf8: UnsafeBufferPointer<UInt8>) -> Date? {
        var reader = Reader(utf8)
        guard let month = reader.number(digits: 2), reader.take(UInt8(ascii: "/")),
            let day = reader.number(digits: 2), reader.take(UInt8(ascii: "/")),
            let year = reader.number(digits: 4), year >= 1,
            (1...12).contains(month), (1...daysOfMonth(month, year)).contains(day)
        else { return nil }
        return Date(timeIntervalSince1970: Double(daysSince1970(year, month, day) * 86_400))
    }

    /// ISO 8601 in UTC with milliseconds, such as `2026-07-04T18:30:00.000Z`. A time outside the
    /// years 1 to 9999, which only an older version can have stored, is clamped.
    package static func format(_ date: Date) -> String {
        let milliseconds = min(
            max(date.milliseconds, Self.milliseconds.lowerBound),
            Self.milliseconds.upperBound
        )
        let (day, inDay) = milliseconds.quotientAndFloorRemainder(86_400_000)
        let (year, month, dayOfMonth) = civil(day)
        let second = inDay / 1000
        return "\(padded(year, 4))-\(padded(month, 2))-\(padded(dayOfMonth, 2))"
            + "T\(padded(second / 3600, 2)):\(padded(second / 60 % 60, 2)):\(padded(second % 60, 2))"
            + ".\(padded(inDay % 1000, 3))Z"
    }

    private static func padded(_ number: Int64, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }

    private static func daysOfMonth(_ month: Int, _ year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Days since 1970 in the proleptic Gregorian calendar, counted from March so that the leap
    /// day is the last of its year.
    private static func daysSince1970(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let shifted = month > 2 ? year : year - 1
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
            - 719_468
    }

    private static func civil(_ days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let shifted = days + 719_468
        let (era, dayOfEra) = shifted.quotientAndFloorRemainder(146_097)
        let yearOfEra =
            (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
    }

    private struct Reader {
        private let bytes: UnsafeBufferPointer<UInt8>
        private var index = 0

        init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

        var isAtEnd: Bool { index == bytes.count }

        mutating func take(_ byte: UInt8) -> Bool {
            guard index < bytes.count, bytes[index] == byte else { return false }
            index += 1
            return true
        }

        mutating func number(digits: Int) -> Int? {
            guard index + digits <= bytes.count else { return nil }
            var value = 0
            for byte in bytes[index..<index + digits] {
                guard (48...57).contains(byte) else { return nil }
                value = value * 10 + Int(byte - 48)
            }
            index += digits
            return value
        }

        mutating func fraction() -> Double? {
            var value = 0.0
            var scale = 0.1
            let start = index
            while index < bytes.count, (48...57).contains(bytes[index]), index - start < 12 {
                value += Double(bytes[index] - 48) * scale
                scale /= 10
                index += 1
            }
            return index > start ? value : nil
        }

        /// Offset in seconds, positive to the east; a missing zone means UTC.
        mutating func zoneOffset() -> Int? {
            if take(UInt8(ascii: " ")), isAtEnd { return nil }
            if isAtEnd || take(UInt8(ascii: "Z")) || take(UInt8(ascii: "z")) { return 0 }
            let sign = take(UInt8(ascii: "+")) ? 1 : take(UInt8(ascii: "-")) ? -1 : 0
            guard sign != 0, let hours = number(digits: 2), hours < 24 else { return nil }
            if isAtEnd { return sign * hours * 3600 }
            _ = take(UInt8(ascii: ":"))
            guard let minutes = number(digits: 2), minutes < 60 else { return nil }
            return sign * (hours * 3600 + minutes * 60)
        }
    }
}

extension Date {
    /// Milliseconds since 1970, the unit of every stored time; clamped to 64 bits.
    package var milliseconds: Int64 {
        let exact = (timeIntervalSince1970 * 1000).rounded()
        return Int64(exactly: exact) ?? (exact > 0 ? .max : .min)
    }

    package init(milliseconds: Int64) {
        self.init(timeIntervalSince1970: Double(milliseconds) / 1000)
    }
}

extension Int64 {
    fileprivate func quotientAndFloorRemainder(_ divisor: Int64) -> (Int64, Int64) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}
