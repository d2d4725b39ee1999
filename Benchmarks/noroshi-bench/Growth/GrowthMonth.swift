import Foundation

/// What up to 30 simulated days took, and what there was at their end.
struct GrowthMonth {
    static let heading =
        "month  file MB  events/s  answer p99 ms  removed rows  removal s/day  columns MB  start s  user ms"

    let number: Int
    var days = 0
    var events = 0
    /// All that is measured here, beside each other.
    var elapsed = Duration.zero
    /// How long requests of 1,000 events were waited for.
    var answers: [Duration] = []
    var removing = Duration.zero
    /// Since the first month.
    var removedSoFar = 0
    var removed = 0
    /// Of the file and its write-ahead log.
    var bytes = 0
    var columnBytes = 0
    var start = Duration.zero
    /// How long the latest events of a user take.
    var look = Duration.zero

    init(number: Int) {
        self.number = number
    }

    /// Events in a second, with all that is done beside.
    var rate: Double {
        let seconds = elapsed.inSeconds
        return seconds > 0 ? Double(events) / seconds : 0
    }

    /// 99 of 100 requests were answered sooner, in milliseconds.
    var slowestAnswer: Double {
        let sorted = answers.sorted()
        guard !sorted.isEmpty else { return 0 }
        return sorted[min(sorted.count - 1, sorted.count * 99 / 100)].inSeconds * 1_000
    }

    var line: String {
        String(
            format: "%5d  %7.0f  %8.0f  %13.1f  %12d  %13.2f  %10.1f  %7.2f  %7.1f",
            number,
            Double(bytes) / 1e6,
            rate,
            slowestAnswer,
            removed,
            removing.inSeconds / Double(max(1, days)),
            Double(columnBytes) / 1e6,
            start.inSeconds,
            look.inSeconds * 1_000
        )
    }
}
