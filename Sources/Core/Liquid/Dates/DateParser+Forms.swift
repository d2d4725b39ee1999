/// The forms of a date, tried one after the other.
extension DateParser {
    mutating func parseDate() {
        if parseDayThenMonth() || parseMonthThenDay() || parseDashed() || parseDashedName()
            || parseYearAndDay() || parseSlashed() || parseDotted() || parseMonthAlone()
            || parseDayAlone()
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
                year: yearText(yearStart),
                month: month + 1,
                day: string(start, dayEnd)
            )
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

    /// Sets a date; a day of more than two digits is the year, and the year is the day.
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
        separator: UInt8,
        _ use: (inout DateParser, String, String, String) -> Bool
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
                &self,
                string(start, firstEnd),
                string(firstEnd + 1, secondEnd),
                string(secondEnd + 1, thirdEnd)
            ) {
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

    /// `20260704`, `20260704t183000`, `185`: digits only, interpreted by their number.
    private mutating func parseDigits() {
        guard
            let start = text.indices.first(where: { index in
                text[index].isDigit && digitsEnd(index) > index + 1
            })
        else { return }
        let end = digitsEnd(start)
        let count = end - start
        func part(_ from: Int, _ length: Int) -> Int? {
            number(start + from, start + from + length)
        }
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
}
