/// Reads dates written in the usual ways, as Ruby's `Time.parse` does.
///
/// Each part found is blanked out, so that later searches do not find it again: first the weekday,
/// then the time, then the first form of a date that matches.
struct DateParser {
    /// The parts found; `nil` for missing ones.
    struct Fields {
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

    private static let maxLength = 128

    private(set) var text: [UInt8]
    var fields = Fields()

    /// The time that a text means; `nil` if it is not a date. Missing parts more significant than
    /// the first given one are taken from `now`.
    static func time(_ text: String, zone: LiquidTimeZone, now: LiquidTime) -> LiquidTime? {
        let bytes = Array(text.utf8)
        guard bytes.count <= maxLength else { return nil }
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

    /// `2026-07-04`, `2026-07-04 18:30:00`, with `T`, a fraction, a zone: the form of most dates.
    mutating func parseUsualForm() -> Bool {
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

    func digits(_ start: Int, _ count: Int) -> Int? {
        var value = 0
        for index in start..<start + count {
            guard text[index].isDigit else { return nil }
            value = value * 10 + Int(text[index] - 48)
        }
        return start + count < text.count && text[start + count].isDigit ? nil : value
    }

    // MARK: - Pieces

    func digitsEnd(_ start: Int) -> Int {
        var index = start
        while index < text.count, text[index].isDigit { index += 1 }
        return index
    }

    func skipSpaces(_ start: Int) -> Int {
        var index = start
        while index < text.count, text[index].isWhitespace { index += 1 }
        return index
    }

    func isBoundary(_ index: Int) -> Bool {
        let before = index > 0 && text[index - 1].isWord
        let after = index < text.count && text[index].isWord
        return before != after
    }

    func number(_ start: Int, _ end: Int) -> Int? {
        Int(String(decoding: text[start..<end], as: UTF8.self))
    }

    func string(_ start: Int, _ end: Int) -> String {
        String(decoding: text[start..<end], as: UTF8.self)
    }

    func fraction(_ start: Int, _ end: Int) -> Int {
        var value = 0
        for place in 0..<9 {
            value = value * 10 + (start + place < end ? Int(text[start + place] - 48) : 0)
        }
        return value
    }

    mutating func blank(_ start: Int, _ end: Int) {
        for index in start..<end { text[index] = Byte.space }
    }

    static let monthNames = TimeFormat.months.map { Array($0.lowercased().utf8.prefix(3)) }
    static let dayNames = TimeFormat.weekdays.map { Array($0.lowercased().utf8.prefix(3)) }

    func name(_ names: [[UInt8]], at index: Int) -> Int? {
        guard index + 3 <= text.count else { return nil }
        return names.firstIndex { text[index..<index + 3].elementsEqual($0) }
    }

    /// The end of a run of characters other than dashes, digits, spaces (and apostrophes).
    func nameEnd(_ start: Int, stopsAtSpace: Bool = true) -> Int {
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

    // MARK: - Result

    func time(_ zone: LiquidTimeZone, _ now: LiquidTime) -> LiquidTime? {
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
                seconds: zone.seconds(of: civil),
                nanoseconds: nanoseconds,
                zone: zone
            )
        }
        let seconds = civil.seconds - offset
        if ["z", "utc", "ut", "gmt", "-00:00", "-0000"].contains(name) {
            return LiquidTime(seconds: seconds, nanoseconds: nanoseconds, zone: .utc)
        }
        let local = LiquidTime(seconds: seconds, nanoseconds: nanoseconds, zone: zone)
        if local.offset == offset { return local }
        return LiquidTime(
            seconds: seconds,
            nanoseconds: nanoseconds,
            zone: LiquidTimeZone(offset: offset)
        )
    }

    static let zoneHours: [String: Int] = [
        "utc": 0, "z": 0, "ut": 0, "gmt": 0, "est": -5, "edt": -4, "cst": -6, "cdt": -5,
        "mst": -7, "mdt": -6, "pst": -8, "pdt": -7,
    ]

    /// Offset from UTC, in seconds; `nil` for an unknown zone.
    static func zoneOffset(_ zone: [UInt8]) -> Int? {
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
