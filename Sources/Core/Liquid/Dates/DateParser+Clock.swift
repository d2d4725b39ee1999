/// The day of the week and the time of day.
extension DateParser {
    mutating func parseWeekday() {
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

    mutating func parseTime() {
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
    func zoneEnd(_ from: Int) -> (start: Int, end: Int)? {
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
}
