import Foundation

/// A day of the Gregorian calendar, independent of a time zone, written `2026-07-04`. It is within
/// the years 1 to 9999; earlier and later days are clamped to the first and the last one.
package struct CalendarDay: Sendable, Hashable, Comparable, Codable, CustomStringConvertible {
    /// Days since 1 January 1970.
    package let number: Int

    package static let first = CalendarDay(number: -719_162)
    package static let last = CalendarDay(number: 2_932_896)

    package init(number: Int) {
        self.number = min(max(number, -719_162), 2_932_896)
    }

    /// `nil` if the day does not exist.
    package init?(_ year: Int, _ month: Int, _ day: Int) {
        guard (1...9999).contains(year), (1...12).contains(month),
            (1...Self.length(ofMonth: month, in: year)).contains(day)
        else { return nil }
        // Years start in March, which makes the leap day the last one.
        let shifted = month <= 2 ? year - 1 : year
        let inYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        number = 365 * shifted + shifted / 4 - shifted / 100 + shifted / 400 + inYear - 719_468
    }

    package init?(_ text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].utf8.count == 4, parts[1].utf8.count == 2,
            parts[2].utf8.count == 2, let year = Int(parts[0]), let month = Int(parts[1]),
            let day = Int(parts[2])
        else { return nil }
        self.init(year, month, day)
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let day = CalendarDay(text) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "no day")
        }
        self = day
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }

    package static func < (left: CalendarDay, right: CalendarDay) -> Bool {
        left.number < right.number
    }

    package func adding(days: Int) -> CalendarDay {
        let (sum, overflows) = number.addingReportingOverflow(days)
        return overflows ? (days > 0 ? .last : .first) : CalendarDay(number: sum)
    }

    /// `nil` after the last possible day.
    package var next: CalendarDay? { self < .last ? adding(days: 1) : nil }

    /// Monday is 1, Sunday 7 (ISO 8601).
    package var weekday: Int {
        let remainder = (number + 3) % 7
        return (remainder < 0 ? remainder + 7 : remainder) + 1
    }

    package var civil: (year: Int, month: Int, day: Int) {
        let shifted = number + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let ofEra = shifted - era * 146_097
        let year = (ofEra - ofEra / 1460 + ofEra / 36_524 - ofEra / 146_096) / 365
        let inYear = ofEra - (365 * year + year / 4 - year / 100)
        let month = (5 * inYear + 2) / 153
        let day = inYear - (153 * month + 2) / 5 + 1
        let civilMonth = month < 10 ? month + 3 : month - 9
        return (year + era * 400 + (civilMonth <= 2 ? 1 : 0), civilMonth, day)
    }

    package static func length(ofMonth month: Int, in year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    package var description: String {
        let (year, month, day) = civil
        return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
    }

    private func padded(_ number: Int, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
