import Foundation
import Model

/// Times in the format of `datetime-local` fields, such as `2026-04-01T09:30`.
enum DateTimeLocalFormat {
    static func text(_ date: Date, in zone: TimeZone) -> String {
        String(date.formatted(style(zone)).prefix(16))
    }

    static func date(_ text: String, in zone: TimeZone) -> Date? {
        try? style(zone).parse(text.count == 16 ? text + ":00" : text)
    }

    /// The start of a day that a date field names.
    static func day(_ text: String, in zone: TimeZone) -> Date? {
        // Read at noon, because a day may have no midnight.
        date("\(text)T12:00", in: zone).map(LocalDays(zone).start)
    }

    private static func style(_ zone: TimeZone) -> Date.ISO8601FormatStyle {
        Date.ISO8601FormatStyle(timeZone: zone)
            .year().month().day().dateTimeSeparator(.standard)
            .time(includingFractionalSeconds: false)
    }
}
