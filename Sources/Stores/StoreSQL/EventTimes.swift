/// How the events of a name are found by their time.
///
/// The index has them by quarters of an hour, and those of a quarter as they were stored. In the order of their times
/// nearly every event would change a page of its own: what comes in together has happened at many times, and between
/// any two of them lies what others did. Days and hours of all time zones are made of quarters, so the rows of a period
/// are the only ones that are looked at.
enum EventTimes {
    /// The length of a quarter of an hour, in milliseconds.
    static let quarterLength: Int64 = 900_000

    /// The number of an event's quarter, in the words in which the index has it. It never falls as the time grows, also
    /// before 1970.
    static let quarter = "events.time / 900000"

    /// Events by their name and quarter; the index alone has their ids, times and users.
    static let byQuarter = "events INDEXED BY events_by_quarter"

    static func quarter(of time: Int64) -> Int64 { time / quarterLength }

    /// Whether an event happened at `start` or later. All of them are SQL, as `:start`.
    static func since(_ start: String) -> String {
        "events.time >= \(start) AND \(quarter) >= \(start) / 900000"
    }

    /// Whether an event happened before `end`, which may be the least number there is: nothing is taken from it.
    static func before(_ end: String) -> String {
        "events.time < \(end) AND \(quarter) <= \(end) / 900000"
    }

    static func within(_ start: String, _ end: String) -> String {
        "\(since(start)) AND \(before(end))"
    }

    /// The order in which events happened, of those of one name.
    static let order = "\(quarter), events.time"

    static let latestFirst = "\(quarter) DESC, events.time DESC"
}
