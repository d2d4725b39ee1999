/// A point in time in a time zone.
package final class LiquidTime: Sendable {
    /// Seconds since 1970 in UTC.
    package let seconds: Int
    package let nanoseconds: Int
    /// Offset from UTC, in seconds.
    package let offset: Int
    /// The zone's short name; empty for a bare offset.
    package let zoneName: String

    package init(seconds: Int, nanoseconds: Int = 0, offset: Int = 0, zoneName: String = "UTC") {
        // Clamp distant dates, whose arithmetic would overflow.
        self.seconds = min(max(seconds, -1 << 50), 1 << 50)
        self.nanoseconds = nanoseconds
        self.offset = offset
        self.zoneName = zoneName
    }

    package convenience init(seconds: Int, nanoseconds: Int = 0, zone: LiquidTimeZone) {
        let seconds = min(max(seconds, -1 << 50), 1 << 50)
        let (offset, name) = zone.offset(at: seconds)
        self.init(seconds: seconds, nanoseconds: nanoseconds, offset: offset, zoneName: name)
    }

    var instant: (Int, Int) { (seconds, nanoseconds) }

    func isSameInstant(as other: LiquidTime) -> Bool { instant == other.instant }

    /// Date and time of day in the zone.
    var civil: CivilTime { CivilTime(seconds: seconds + offset) }

    /// `2026-07-04 18:30:00 +0200`
    package var text: String {
        let format = zoneName == "UTC" ? "%Y-%m-%d %H:%M:%S UTC" : "%Y-%m-%d %H:%M:%S %z"
        return (try? TimeFormat.text(format, self)) ?? ""
    }
}

/// A date of the Gregorian calendar with a time of day.
struct CivilTime {
    var year: Int
    var month: Int
    var day: Int
    var hour = 0
    var minute = 0
    var second = 0

    init(year: Int, month: Int, day: Int, hour: Int = 0, minute: Int = 0, second: Int = 0) {
        self.year = year
        self.month = month
        self.day = day
        self.hour = hour
        self.minute = minute
        self.second = second
    }

    /// Seconds since 1970, in the same zone.
    init(seconds: Int) {
        var days = seconds / 86400
        var rest = seconds % 86400
        if rest < 0 {
            rest += 86400
            days -= 1
        }
        // Counted from March 1 of year 0, so that a leap day is the last day of its year.
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra =
            (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        hour = rest / 3600
        minute = rest / 60 % 60
        second = rest % 60
    }

    /// Days since 1970.
    static func days(year: Int, month: Int, day: Int) -> Int {
        let year = month <= 2 ? year - 1 : year
        let era = (year >= 0 ? year : year - 399) / 400
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
            - 719_468
    }

    var seconds: Int {
        Self.days(year: year, month: month, day: day) * 86400 + hour * 3600 + minute * 60 + second
    }

    /// From 1.
    var dayOfYear: Int {
        Self.days(year: year, month: month, day: day) - Self.days(year: year, month: 1, day: 1) + 1
    }

    /// From 0, which is Sunday.
    var weekday: Int {
        let days = Self.days(year: year, month: month, day: day)
        return ((days + 4) % 7 + 7) % 7
    }

    /// Year and week according to ISO 8601.
    var isoWeek: (year: Int, week: Int) {
        let monday = (weekday + 6) % 7
        let week = (dayOfYear - 1 - monday + 10) / 7
        if week < 1 { return (year - 1, Self.weeks(in: year - 1)) }
        if week > Self.weeks(in: year) { return (year + 1, 1) }
        return (year, week)
    }

    private static func weeks(in year: Int) -> Int {
        let firstDay = CivilTime(year: year, month: 1, day: 1).weekday
        return firstDay == 4 || (firstDay == 3 && isLeap(year)) ? 53 : 52
    }

    static func isLeap(_ year: Int) -> Bool {
        year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    }

    static func days(inMonth month: Int, of year: Int) -> Int {
        switch month {
        case 2: isLeap(year) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}
