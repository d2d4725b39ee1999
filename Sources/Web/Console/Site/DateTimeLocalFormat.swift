import Foundation
import Model

/// Times in the format of `datetime-local` fields, such as `2026-04-01T09:30`.
enum DateTimeLocalFormat {
    static func text(_ date: Date, in zone: TimeZone) -> String {
        String(date.formatted(style(zone)).prefix(16))
    }

    /// The moment that a field names; `nil` for a day that the calendar has not, such as 29 February of most years.
    static func date(_ text: String, in zone: TimeZone) -> Date? {
        guard let date = try? style(zone).parse(text.count == 16 ? text + ":00" : text),
            self.text(date, in: zone).prefix(10) == text.prefix(10)
        else { return nil }
        return date
    }

    private static func style(_ zone: TimeZone) -> Date.ISO8601FormatStyle {
        Date.ISO8601FormatStyle(timeZone: zone)
            .year().month().day().dateTimeSeparator(.standard)
            .time(includingFractionalSeconds: false)
    }
}
