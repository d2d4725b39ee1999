/// Days and times as ISO 8601 text: `2026-06-30`, and `2026-06-30T08:00:00Z` in UTC.
package enum TimeText {
    /// The day or the time that a filter names; `nil` if the text is neither.
    package static func point(_ text: String) -> TimePoint? {
        guard let seconds = seconds(text) else { return nil }
        return isDay(text) ? .day(seconds / 86_400) : .at(seconds)
    }

    /// The same for text that ``lenientSeconds(_:)`` reads.
    package static func lenientPoint(_ text: String) -> TimePoint? {
        point(text) ?? lenientSeconds(text).map(TimePoint.at)
    }

    private static func isDay(_ text: String) -> Bool { text.utf8.count == 10 }

    /// The years 1 to 9999, which this format can write.
    private static let range: ClosedRange<Int64> = -62_135_596_800...253_402_300_799

    package static func seconds(_ text: String) -> Int64? {
        let bytes = Array(text.utf8)
        guard bytes.count == 10 || bytes.count == 20 else { return nil }
        func number(_ range: Range<Int>) -> Int? {
            var value = 0
            for byte in bytes[range] {
                guard (0x30...0x39).contains(byte) else { return nil }
                value = value * 10 + Int(byte - 0x30)
            }
            return value
        }
        let dash = UInt8(ascii: "-")
        guard bytes[4] == dash, bytes[7] == dash, let year = number(0..<4),
            let month = number(5..<7), let day = number(8..<10),
            let civil = CivilDay(year: Int64(year), month: month, day: day)
        else { return nil }
        let midnight = civil.daysSinceEpoch * 86_400
        guard bytes.count == 20 else { return midnight }
        let colon = UInt8(ascii: ":")
        guard bytes[10] == UInt8(ascii: "T"), bytes[13] == colon, bytes[16] == colon,
            bytes[19] == UInt8(ascii: "Z"), let hour = number(11..<13),
            let minute = number(14..<16), let second = number(17..<19),
            hour < 24, minute < 60, second < 60
        else { return nil }
        return midnight + Int64(hour * 3_600 + minute * 60 + second)
    }

    /// Also accepts a fraction of a second, which is dropped, and an offset such as `+02:00`;
    /// without a zone the time is in UTC.
    package static func lenientSeconds(_ text: String) -> Int64? {
        if let exact = seconds(text) { return exact }
        guard text.utf8.count >= 19, text.utf8.count == text.count,
            let local = seconds(text.prefix(19) + "Z")
        else { return nil }
        var rest = text.dropFirst(19)
        if rest.first == "." {
            let digits = rest.dropFirst().prefix { $0.isNumber }
            guard !digits.isEmpty else { return nil }
            rest = rest.dropFirst(1 + digits.count)
        }
        if rest.isEmpty || rest == "Z" { return local }
        let isWest = rest.first == "-"
        guard isWest || rest.first == "+" else { return nil }
        let digits = rest.dropFirst().filter { $0 != ":" }
        guard digits.count == 4, let value = Int64(digits), value / 100 < 24, value % 100 < 60
        else { return nil }
        let offset = value / 100 * 3_600 + value % 100 * 60
        let moment = isWest ? local + offset : local - offset
        return range.contains(moment) ? moment : nil
    }

    /// A time, including the time of day even at midnight, because a date alone means the whole
    /// day.
    package static func moment(_ seconds: Int64) -> String {
        let text = text(seconds)
        return isDay(text) ? text + "T00:00:00Z" : text
    }

    /// A date alone for midnight, otherwise with the time of day.
    package static func text(_ seconds: Int64) -> String {
        let civil = CivilDay(containing: seconds)
        let date = "\(padded(Int(civil.year), 4))-\(padded(civil.month, 2))-\(padded(civil.day, 2))"
        let rest = Int(seconds - civil.daysSinceEpoch * 86_400)
        guard rest != 0 else { return date }
        let time = [rest / 3_600, rest / 60 % 60, rest % 60].map { padded($0, 2) }
        return "\(date)T\(time.joined(separator: ":"))Z"
    }

    static func padded(_ value: Int, _ width: Int) -> String {
        let digits = String(value)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
