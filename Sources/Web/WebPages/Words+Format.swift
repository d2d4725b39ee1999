import Foundation

extension Words {
    package func number(_ value: Int) -> String {
        value.formatted(.number.locale(language.locale))
    }

    /// With one digit behind the sign for decimals.
    package func decimal(_ value: Double) -> String {
        value.formatted(.number.precision(.fractionLength(1)).locale(language.locale))
    }

    /// The size of a file, in the largest fitting unit.
    package func bytes(_ count: Int64) -> String {
        // Foundation spells zero out in some languages only, and calls it bytes where it does not.
        guard count != 0 else { return "\(number(0)) kB" }
        return count.formatted(.byteCount(style: .file).locale(language.locale))
    }

    /// A share as a percentage with at most one decimal; a dash if the whole is zero.
    package func percent(_ part: Int, of whole: Int) -> String {
        guard whole > 0 else { return "–" }
        let share = Double(part) / Double(whole)
        return share.formatted(
            .percent.precision(.fractionLength(0...1)).locale(language.locale)
        )
    }

    /// Date and time to the minute, including the time zone.
    package func dateAndTime(_ date: Date, in zone: TimeZone) -> String {
        date.formatted(
            style(zone).year().month(.abbreviated).day().hour().minute()
                .timeZone(.specificName(.short))
        )
    }

    /// A local time independent of the zone: the digits that `date` has in UTC.
    package func wallTime(_ date: Date) -> String {
        date.formatted(style(.gmt).year().month(.abbreviated).day().hour().minute())
    }

    package func day(_ date: Date, in zone: TimeZone) -> String {
        date.formatted(style(zone).month(.abbreviated).day())
    }

    /// A day with its year.
    package func dayOfYear(_ date: Date, in zone: TimeZone) -> String {
        date.formatted(style(zone).year().month(.abbreviated).day())
    }

    /// A month with its year.
    package func month(_ date: Date, in zone: TimeZone) -> String {
        date.formatted(style(zone).year().month(.abbreviated))
    }

    /// A month with its year, in full, of the day that `date` has in UTC.
    package func longMonth(_ date: Date) -> String {
        date.formatted(style(.gmt).year().month(.wide))
    }

    /// The short name of the day of the week that `date` has in UTC.
    package func weekday(_ date: Date) -> String {
        date.formatted(style(.gmt).weekday(.abbreviated))
    }

    /// Hours and minutes, as on a lock screen.
    package func clock(_ date: Date, in zone: TimeZone) -> String {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        let parts = calendar.dateComponents([.hour, .minute], from: date)
        let minute = parts.minute ?? 0
        return "\(parts.hour ?? 0):\(minute < 10 ? "0" : "")\(minute)"
    }

    /// Hours and minutes, as the language writes them beside a date.
    package func timeOfDay(_ date: Date, in zone: TimeZone) -> String {
        date.formatted(style(zone).hour().minute())
    }

    /// A span of time in its two largest units.
    package func duration(_ seconds: Int64) -> String {
        Duration.seconds(seconds).formatted(
            .units(
                allowed: [.days, .hours, .minutes, .seconds],
                width: .abbreviated,
                maximumUnitCount: 2
            ).locale(language.locale)
        )
    }

    /// A day and an hour, for the axis of a chart.
    package func dayAndHour(_ date: Date, in zone: TimeZone) -> String {
        date.formatted(style(zone).month(.defaultDigits).day().hour())
    }

    package func longDay(_ date: Date, in zone: TimeZone) -> String {
        date.formatted(style(zone).weekday(.wide).month(.wide).day())
    }

    private func style(_ zone: TimeZone) -> Date.FormatStyle {
        Date.FormatStyle(locale: language.locale, timeZone: zone)
    }

    /// The time relative to now, in the largest fitting unit.
    package func relative(_ date: Date, to now: Date) -> String {
        let seconds = date.timeIntervalSince(now)
        let amount = abs(seconds)
        let (key, count): (String, Int) =
            switch amount {
            case ..<45: ("moment", 0)
            case ..<5400: ("minute", max(1, Int((amount / 60).rounded())))
            case ..<129_600: ("hour", Int((amount / 3600).rounded()))
            default: ("day", Int((amount / 86_400).rounded()))
            }
        if key == "moment" { return self("time.now") }
        return counted(seconds < 0 ? "time.past.\(key)" : "time.future.\(key)", count)
    }
}
