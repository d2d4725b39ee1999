import Foundation
import Model

/// Finds the start of the day for many times, looked up once per quarter of an hour: offsets
/// between time zones are multiples of a quarter.
struct QuarterDays {
    private let days: LocalDays
    private var known: [Int64: Int64] = [:]

    init(_ days: LocalDays) {
        self.days = days
    }

    mutating func start(of milliseconds: Int64) -> Int64 {
        let quarter = Self.quarter(of: milliseconds)
        if let day = known[quarter] { return day }
        let day = days.start(of: Date(milliseconds: milliseconds)).milliseconds
        known[quarter] = day
        return day
    }

    /// The start of the quarter of an hour that contains a time.
    static func quarter(of milliseconds: Int64) -> Int64 {
        milliseconds - (milliseconds % 900_000 + 900_000) % 900_000
    }
}
