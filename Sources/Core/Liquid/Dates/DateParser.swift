/// Reads dates written in the usual ways, as Ruby's `Time.parse` does.
///
/// What is found is blanked out, so that what is looked for next does not find it again: first
/// the day of the week, then the time, then the first form of a date that fits.
struct DateParser {
    /// What was found; `nil` for what was not.
    private struct Fields {
        var year: Int?
        var month: Int?
        var day: Int?
        var dayOfYear: Int?
        var hour: Int?
        var minute: Int?
        var second: Int?
        var nanoseconds: Int?
        var zone: String?
        var completesCentury = true
    }

    private static let lengthMax = 128

    private var text: [UInt8]
    private var fields = Fields()

    /// The moment a text means; `nil` when it is no date. Parts that are missing are those of
    /// `now` as far as they come before the first that is there.
    static func time(_ text: String, zone: LiquidTimeZone, now: LiquidTime) -> LiquidTime? {
        let bytes = Array(text.utf8)
        guard bytes.count <= lengthMax else { return nil }
        var parser = DateParser(text: bytes.map { $0 &- 65 < 26 ? $0 | 0x20 : $0 })
        if !parser.parseUsualForm() {
            parser.parseWeekday()
            parser.parseTime()
            parser.parseDate()
        }
        return parser.time(zone, now)
    }

    private init(text: [UInt8]) {
        self.text = text
    }

    // MARK: - Usual form

    /// `2026-07-04`, `2026-07-04 18:30:00`, with `T`, a fraction, a zone: most dates there are.
    private mutating func parseUsualForm() -> Bool {
        guard text.count >= 10, text[4] == Byte.dash, text[7] == Byte.dash,
            let year = digits(0, 4), let month = digits(5, 2), let day = digits(8, 2)
        else { return false }
        var fields = Fields()
        (fields.year, fields.month, fields.day) = (year, month, day)
        fields.completesCentury = false
        var index = 10
        if index < text.count {
            guard text.count >= 19, text[10] == Byte.space || text[10] == UInt8(ascii: "t"),
                text[13] == Byte.colon, text[16] == Byte.colon, let hour = digits(11, 2),
                let minute = digits(14, 2), let second = digits(17, 2)
            else { return false }
            (fields.hour, fields.minute, fields.second) = (hour, minute, second)
            index = 19
            if index < text.count, text[index] == Byte.dot {
                let end = digitsEnd(index + 1)
                guard end > index + 1 else { return false }
                fields.nanoseconds = fraction(index + 1, end)
                index = end
            }
            if index < text.count {
                if text[index] == Byte.space { index += 1 }
                let zone = Array(text[index...])
                guard Self.zoneOffset(zone) != nil else { return false }
                fields.zone = String(decoding: zone, as: UTF8.self)
            }
        }
        self.fields = fields
        return true
    }

    private func digits(_ start: Int, _ count: Int) -> Int? {
        var value = 0
        for index in start..<start + count {
            guard text[index].isDigit else { return nil }
            value = value * 10 + Int(text[index] - 48)
        }
        return start + count < text.count && text[start + count].isDigit ? nil : value
    }

    // MARK: - Pieces

    private func digitsEnd(_ start: Int) -> Int {
        var index = start
        while index < text.count, text[index].isDigit { index += 1 }
        return index
    }

    private func skipSpaces(_ start: Int) -> Int {
        var index = start
        while index < text.count, text[index].isWhitespace { index += 1 }
        return index
    }

    private func isBoundary(_ index: Int) -> Bool {
        let before = index > 0 && text[index - 1].isWord
        let after = index < text.count && text[index].isWord
        return before != after
    }

    private func number(_ start: Int, _ end: Int) -> Int? {
        Int(String(decoding: text[start..<end], as: UTF8.self))
    }

    private func string(_ start: Int, _ end: Int) -> String {
        String(decoding: text[start..<end], as: UTF8.self)
    }

    private func fraction(_ start: Int, _ end: Int) -> Int {
        var value = 0
        for place in 0..<9 {
            value = value * 10 + (start + place < end ? Int(text[start + place] - 48) : 0)
        }
        return value
    }

    private mutating func blank(_ start: Int, _ end: Int) {
        for index in start..<end { text[index] = Byte.space }
    }

    private static let monthNames = TimeFormat.months.map { Array($0.lowercased().utf8.prefix(3)) }
    private static let dayNames = TimeFormat.weekdays.map { Array($0.lowercased().utf8.prefix(3)) }

    private func name(_ names: [[UInt8]], at index: Int) -> Int? {
        guard index + 3 <= text.count else { return nil }
        return names.firstIndex { text[index..<index + 3].elementsEqual($0) }
    }

    /// The end of a run of characters that are no dash, digit, space (nor apostrophe).
    private func nameEnd(_ start: Int, stopsAtSpace: Bool = true) -> Int {
        var index = start
        while index < text.count {
            let byte = text[index]
            if byte == Byte.dash || byte.isDigit || byte.isWhitespace || byte == Byte.apostrophe {
                break
            }
            index += 1
        }
        return index
    }

    // MARK: - Weekday and time

    private mutating func parseWeekday() {
        for index in text.indices where isBoundary(index) {
            guard name(Self.dayNames, at: index) != nil else { continue }
            var end = index + 3
            while end < text.count, text[end] != Byte.dash, text[end] != Byte.slash,
                !text[end].isDigit, !text[end].isWhitespace
            { end += 1 }
            blank(index, end)
            return
        }
    }

    private mutating func parseTime() {
        for start in text.indices where text[start].isDigit {
            if start > 0, text[start - 1].isDigit { continue }
            guard let end = clock(start) else { continue }
            let zone = zoneEnd(end)
            if let zone { fields.zone = string(zone.start, zone.end) }
            blank(start, zone?.end ?? end)
            return
        }
    }

    /// `18:30`, `18:30:05.25`, `6:30 pm`, `6pm`, `18h30`
    private mutating func clock(_ start: Int) -> Int? {
        var end = digitsEnd(start)
        guard let hour = number(start, end), hour < 100 else { return nil }
        var minute: Int?
        var second: Int?
        var nanoseconds: Int?
        var isClock = false
        let colon = skipSpaces(end)
        if colon < text.count, text[colon] == Byte.colon {
            let from = skipSpaces(colon + 1)
            let to = digitsEnd(from)
            guard to > from else { return nil }
            minute = number(from, to)
            end = to
            isClock = true
            let colon = skipSpaces(end)
            if colon < text.count, text[colon] == Byte.colon {
                let from = skipSpaces(colon + 1)
                let to = digitsEnd(from)
                if to > from {
                    second = number(from, to)
                    end = to
                    if end < text.count, text[end] == Byte.dot || text[end] == Byte.comma {
                        let fractionEnd = digitsEnd(end + 1)
                        if fractionEnd > end + 1 { nanoseconds = fraction(end + 1, fractionEnd) }
                        end = fractionEnd
                    }
                }
            }
        } else if colon < text.count, text[colon] == UInt8(ascii: "h"),
            colon + 1 == text.count || !text[colon + 1].isLetter
        {
            end = colon + 1
            isClock = true
            let from = skipSpaces(end)
            let to = digitsEnd(from)
            if to > from {
                minute = number(from, to)
                end = to
            }
        }
        var half = 0
        if let meridian = meridian(end) {
            end = meridian.end
            half = meridian.isAfternoon ? 12 : 0
            isClock = true
            fields.hour = hour % 12 + half
        } else {
            fields.hour = hour
        }
        guard isClock else {
            fields.hour = nil
            return nil
        }
        fields.minute = minute
        fields.second = second
        fields.nanoseconds = nanoseconds
        return end
    }

    private func meridian(_ start: Int) -> (end: Int, isAfternoon: Bool)? {
        let index = skipSpaces(start)
        guard index + 1 < text.count else { return nil }
        let letter = text[index]
        guard letter == UInt8(ascii: "a") || letter == UInt8(ascii: "p") else { return nil }
        let isAfternoon = letter == UInt8(ascii: "p")
        let small = UInt8(ascii: "m")
        if text[index + 1] == small, isBoundary(index + 2) { return (index + 2, isAfternoon) }
        if index + 3 < text.count, text[index + 1] == Byte.dot, text[index + 2] == small,
            text[index + 3] == Byte.dot
        {
            return (index + 4, isAfternoon)
        }
        return nil
    }

    /// A zone after a time: `+02:00`, `gmt+9`, `utc`, `pst`.
    private func zoneEnd(_ from: Int) -> (start: Int, end: Int)? {
        let start = skipSpaces(from)
        guard start < text.count else { return nil }
        var index = start
        for prefix in ["gmt", "utc", "ut"] {
            if text[index...].starts(with: prefix.utf8) {
                index += prefix.utf8.count
                break
            }
        }
        if index < text.count, text[index] == Byte.dash || text[index] == UInt8(ascii: "+") {
            var end = digitsEnd(index + 1)
            if end > index + 1 {
                while end + 1 < text.count,
                    text[end] == Byte.colon || text[end] == Byte.comma || text[end] == Byte.dot,
                    text[end + 1].isDigit
                { end = digitsEnd(end + 1) }
                return (start, end)
            }
        }
        index = start
        while index < text.count, text[index].isLetter { index += 1 }
        return index > start ? (start, index) : nil
    }

    // MARK: - Dates

    private mutating func parseDate() {
        if parseDayThenMonth() || parseMonthThenDay() || parseDashed() || parseDashedName()
            || parseYearAndDay() || parseSlashed() || parseDotted() || parseMonthAlone() || parseDayAlone()
        {
            return
        }
        parseDigits()
    }

    /// `4 July 2026`, `4th of july`
    private mutating func parseDayThenMonth() -> Bool {
        for start in text.indices where text[start].isDigit {
            if start > 0, text[start - 1].isDigit { continue }
            let dayEnd = digitsEnd(start)
            let from = skipSpaces(nameEnd(dayEnd))
            guard let month = name(Self.monthNames, at: from) else { continue }
            let yearStart = skipSpaces(nameEnd(from + 3))
            set(
                year: yearText(yearStart), month: month + 1, day: string(start, dayEnd))
            return true
        }
        return false
    }

    /// `July 4, 2026`, `jul 4`
    private mutating func parseMonthThenDay() -> Bool {
        for start in text.indices where isBoundary(start) {
            guard let month = name(Self.monthNames, at: start) else { continue }
            var from = skipSpaces(nameEnd(start + 3))
            if from < text.count, text[from] == Byte.apostrophe { from += 1 }
            let dayEnd = digitsEnd(from)
            guard dayEnd > from else { continue }
            var yearStart = skipSpaces(nameEnd(dayEnd))
            if yearStart < text.count, text[yearStart] == Byte.comma {
                yearStart = skipSpaces(yearStart + 1)
            }
            set(year: yearText(yearStart), month: month + 1, day: string(from, dayEnd))
            return true
        }
        return false
    }

    private func yearText(_ start: Int) -> String? {
        var index = start
        if index < text.count, text[index] == Byte.apostrophe || text[index] == Byte.dash {
            index += 1
        }
        let end = digitsEnd(index)
        return end > index ? string(start, end) : nil
    }

    /// Fills in a date; a day of more than two digits is the year, and the year the day.
    private mutating func set(year: String?, month: Int?, day: String?) {
        var year = year
        var day = day
        if let text = day, text.utf8.count > 2 { (year, day) = (text, year) }
        fields.month = month
        fields.day = day.flatMap { Int($0) }
        guard let year else { return }
        let digits = year.utf8.drop { !$0.isDigit }
        fields.completesCentury = digits.count <= 2 && year.utf8.first != Byte.dash
        fields.year = Int(Substring(digits)).map { year.utf8.first == Byte.dash ? -$0 : $0 }
    }

    /// `2026-07-04`, `26-7-4`
    private mutating func parseDashed() -> Bool {
        parseThree(separator: Byte.dash) { parser, first, second, third in
            if second.utf8.count > 2 { return false }
            parser.set(year: first, month: Int(second), day: third)
            return true
        }
    }

    /// `2026-185`
    private mutating func parseYearAndDay() -> Bool {
        for start in text.indices where isBoundary(start) && text[start].isDigit {
            let end = digitsEnd(start)
            guard end == start + 4, end < text.count, text[end] == Byte.dash,
                digitsEnd(end + 1) == end + 4
            else { continue }
            fields.year = number(start, end)
            fields.completesCentury = false
            fields.dayOfYear = number(end + 1, end + 4)
            return true
        }
        return false
    }

    /// `2026/07/04`, `7/4`
    private mutating func parseSlashed() -> Bool {
        for start in text.indices where text[start].isDigit {
            if start > 0, text[start - 1].isDigit { continue }
            let end = digitsEnd(start)
            guard end < text.count, text[end] == Byte.slash else { continue }
            let from = skipSpaces(end + 1)
            let to = digitsEnd(from)
            guard to > from else { continue }
            let first = string(start, end)
            let second = string(from, to)
            let third = to + 1 < text.count && text[to + 1].isDigit ? digitsEnd(to + 1) : nil
            if let third {
                set(year: first, month: Int(second), day: string(to + 1, third))
            } else {
                set(year: nil, month: Int(first), day: second)
            }
            return true
        }
        return false
    }

    /// `2026.07.04`
    private mutating func parseDotted() -> Bool {
        parseThree(separator: Byte.dot) { parser, first, second, third in
            parser.set(year: first, month: Int(second), day: third)
            return true
        }
    }

    private mutating func parseThree(
        separator: UInt8, _ use: (inout DateParser, String, String, String) -> Bool
    ) -> Bool {
        for start in text.indices where text[start].isDigit {
            if start > 0, text[start - 1].isDigit { continue }
            let firstEnd = digitsEnd(start)
            guard firstEnd < text.count, text[firstEnd] == separator else { continue }
            let secondEnd = digitsEnd(firstEnd + 1)
            guard secondEnd > firstEnd + 1, secondEnd < text.count, text[secondEnd] == separator
            else { continue }
            let thirdEnd = digitsEnd(secondEnd + 1)
            guard thirdEnd > secondEnd + 1 else { continue }
            if use(
                &self, string(start, firstEnd), string(firstEnd + 1, secondEnd),
                string(secondEnd + 1, thirdEnd))
            {
                return true
            }
        }
        return false
    }

    /// `4-jul-2026`
    private mutating func parseDashedName() -> Bool {
        for start in text.indices where text[start].isDigit {
            if start > 0, text[start - 1].isDigit { continue }
            let dayEnd = digitsEnd(start)
            guard dayEnd < text.count, text[dayEnd] == Byte.dash,
                let month = name(Self.monthNames, at: dayEnd + 1)
            else { continue }
            let monthEnd = nameEnd(dayEnd + 4)
            guard monthEnd < text.count, text[monthEnd] == Byte.dash else { continue }
            set(year: yearText(monthEnd + 1), month: month + 1, day: string(start, dayEnd))
            return true
        }
        return false
    }

    /// `July`
    private mutating func parseMonthAlone() -> Bool {
        for start in text.indices where isBoundary(start) {
            guard let month = name(Self.monthNames, at: start) else { continue }
            fields.month = month + 1
            return true
        }
        return false
    }

    /// `4th`
    private mutating func parseDayAlone() -> Bool {
        for start in text.indices where text[start].isDigit {
            if start > 0, text[start - 1].isDigit { continue }
            let end = digitsEnd(start)
            guard end + 2 <= text.count, isBoundary(end + 2) else { continue }
            guard ["st", "nd", "rd", "th"].contains(string(end, end + 2)) else { continue }
            fields.day = number(start, end)
            return true
        }
        return false
    }

    /// `20260704`, `20260704t183000`, `185`: digits alone, by how many they are.
    private mutating func parseDigits() {
        guard
            let start = text.indices.first(where: { index in
                text[index].isDigit && digitsEnd(index) > index + 1
            })
        else { return }
        let end = digitsEnd(start)
        let count = end - start
        func part(_ from: Int, _ length: Int) -> Int? { number(start + from, start + from + length) }
        switch count {
        case 2: fields.day = part(0, 2)
        case 3: fields.dayOfYear = part(0, 3)
        case 4:
            fields.month = part(0, 2)
            fields.day = part(2, 2)
        case 5:
            fields.year = part(0, 2)
            fields.dayOfYear = part(2, 3)
        case 6:
            fields.year = part(0, 2)
            fields.month = part(2, 2)
            fields.day = part(4, 2)
        case 7:
            fields.year = part(0, 4)
            fields.dayOfYear = part(4, 3)
            fields.completesCentury = false
        case 8, 10, 12, 14:
            fields.year = part(0, 4)
            fields.month = part(4, 2)
            fields.day = part(6, 2)
            fields.completesCentury = false
            if count > 8 { fields.hour = part(8, 2) }
            if count > 10 { fields.minute = part(10, 2) }
            if count > 12 { fields.second = part(12, 2) }
        default: return
        }
        parseDigitsTime(end, hasTime: count > 8)
    }

    private mutating func parseDigitsTime(_ dateEnd: Int, hasTime: Bool) {
        var end = dateEnd
        if !hasTime, fields.hour == nil, end < text.count, text[end] == UInt8(ascii: "t") {
            let from = end + 1
            let to = digitsEnd(from)
            let count = to - from
            if count >= 2 { fields.hour = number(from, from + 2) }
            if count >= 4 { fields.minute = number(from + 2, from + 4) }
            if count >= 6 { fields.second = number(from + 4, from + 6) }
            if count >= 2 { end = to }
        }
        if fields.zone == nil, let zone = zoneEnd(end),
            Self.zoneOffset(Array(text[zone.start..<zone.end])) != nil
        {
            fields.zone = string(zone.start, zone.end)
        }
    }

    // MARK: - Result

    private func time(_ zone: LiquidTimeZone, _ now: LiquidTime) -> LiquidTime? {
        guard
            fields.year != nil || fields.month != nil || fields.day != nil
                || fields.dayOfYear != nil || fields.hour != nil
        else { return nil }
        let present = now.civil
        var civil = CivilTime(year: present.year, month: 1, day: 1)
        if let year = fields.year {
            civil.year = fields.completesCentury ? year + (year >= 69 ? 1900 : 2000) : year
        } else if fields.dayOfYear == nil, fields.month == nil {
            civil.month = present.month
            if fields.day == nil { civil.day = present.day }
        }
        if let month = fields.month { civil.month = month }
        if let day = fields.day { civil.day = day }
        civil.hour = fields.hour ?? 0
        civil.minute = fields.minute ?? 0
        civil.second = fields.second ?? 0
        guard abs(civil.year) < 1_000_000, (1...12).contains(civil.month),
            (1...31).contains(civil.day), civil.hour <= 24, civil.minute < 60, civil.second <= 60,
            civil.hour < 24 || (civil.minute == 0 && civil.second == 0)
        else { return nil }
        if let day = fields.dayOfYear {
            guard (1...366).contains(day) else { return nil }
            civil.day = day
        }
        let nanoseconds = fields.nanoseconds ?? 0
        guard let name = fields.zone, let offset = Self.zoneOffset(Array(name.utf8)) else {
            return LiquidTime(
                seconds: zone.seconds(of: civil), nanoseconds: nanoseconds, zone: zone)
        }
        let seconds = civil.seconds - offset
        if ["z", "utc", "ut", "gmt", "-00:00", "-0000"].contains(name) {
            return LiquidTime(seconds: seconds, nanoseconds: nanoseconds, zone: .utc)
        }
        let local = LiquidTime(seconds: seconds, nanoseconds: nanoseconds, zone: zone)
        if local.offset == offset { return local }
        return LiquidTime(
            seconds: seconds, nanoseconds: nanoseconds, zone: LiquidTimeZone(offset: offset))
    }

    private static let zoneHours: [String: Int] = [
        "utc": 0, "z": 0, "ut": 0, "gmt": 0, "est": -5, "edt": -4, "cst": -6, "cdt": -5,
        "mst": -7, "mdt": -6, "pst": -8, "pdt": -7,
    ]

    /// Seconds ahead of UTC; `nil` for a zone that is not known.
    private static func zoneOffset(_ zone: [UInt8]) -> Int? {
        guard let first = zone.first else { return nil }
        guard first == Byte.dash || first == UInt8(ascii: "+") else {
            return zoneHours[String(decoding: zone, as: UTF8.self)].map { $0 * 3600 }
        }
        let digits = zone.dropFirst().filter { $0 != Byte.colon }
        guard digits.allSatisfy(\.isDigit) else { return nil }
        let numbers = digits.map { Int($0 - 48) }
        switch numbers.count {
        case 2, 4, 6: break
        default: return nil
        }
        var seconds = (numbers[0] * 10 + numbers[1]) * 3600
        if numbers.count > 2 { seconds += (numbers[2] * 10 + numbers[3]) * 60 }
        if numbers.count > 4 { seconds += numbers[4] * 10 + numbers[5] }
        return first == Byte.dash ? -seconds : seconds
    }
}
