import Foundation
import Model
import Reasons

/// What a rehearsal has shown.
package struct RehearsalResult: Sendable, Codable {
    /// What one source did on one day of the workspace.
    package struct Day: Sendable, Hashable, Codable {
        /// The first and the last delivery; of a day without one, the first and the last decision.
        package private(set) var first: Date
        package private(set) var last: Date
        private var hasDelivery = false
        package private(set) var sent = 0
        package private(set) var languages: [String: Int] = [:]
        package private(set) var platforms: [String: Int] = [:]
        package private(set) var variants: [String: Int] = [:]
        /// Numbers of devices by reason.
        package private(set) var refused: [String: Int] = [:]
        package private(set) var skipped: [String: Int] = [:]
        /// Numbers of people by reason.
        package private(set) var leftOut: [String: Int] = [:]
        package private(set) var control = 0
        /// The message that was sent first, to whoever comes first in the order of names.
        package private(set) var example: RehearsalRow?
        /// Changes with any row of the day, whatever their order.
        package private(set) var digest: UInt64 = 0

        init(at time: Date) {
            first = time
            last = time
        }

        mutating func add(_ row: RehearsalRow, hasVariants: Bool, digest: UInt64) {
            see(row.time, isDelivery: row.outcome != .leftOut && row.outcome != .control)
            self.digest &+= digest
            switch row.outcome {
            case .sent:
                sent += 1
                languages[row.language, default: 0] += 1
                platforms[row.platform, default: 0] += 1
                if hasVariants { variants[row.variant, default: 0] += 1 }
                if example.map({ (row.time, row.user) < ($0.time, $0.user) }) ?? true {
                    example = row
                }
            case .refused: refused[row.reason, default: 0] += 1
            case .skipped: skipped[row.reason, default: 0] += 1
            case .leftOut: leftOut[row.reason, default: 0] += 1
            case .control: control += 1
            }
        }

        /// Adds what was noted of other people.
        mutating func merge(_ other: Day) {
            if other.hasDelivery, !hasDelivery {
                (first, last, hasDelivery) = (other.first, other.last, true)
            } else if other.hasDelivery == hasDelivery {
                (first, last) = (min(first, other.first), max(last, other.last))
            }
            sent += other.sent
            languages.merge(other.languages, uniquingKeysWith: +)
            platforms.merge(other.platforms, uniquingKeysWith: +)
            variants.merge(other.variants, uniquingKeysWith: +)
            refused.merge(other.refused, uniquingKeysWith: +)
            skipped.merge(other.skipped, uniquingKeysWith: +)
            leftOut.merge(other.leftOut, uniquingKeysWith: +)
            control += other.control
            if let theirs = other.example,
                example.map({ (theirs.time, theirs.user) < ($0.time, $0.user) }) ?? true
            {
                example = theirs
            }
            digest &+= other.digest
        }

        private mutating func see(_ time: Date, isDelivery: Bool) {
            guard isDelivery || !hasDelivery else { return }
            if isDelivery, !hasDelivery { first = time }
            last = time
            hasDelivery = isDelivery
        }
    }

    /// What could not be started or sent.
    package struct Problem: Sendable, Hashable, Codable, CustomStringConvertible {
        package let source: RehearsalSource
        /// Why, for whoever has words for it; empty where there are none.
        package let reasons: [Reason]
        /// The same in English.
        package let text: String

        init(source: RehearsalSource, error: any Error) {
            self.source = source
            reasons =
                switch error {
                case let error as ValidationError: error.problems.map(\.reason)
                case let error as any ReasonedError: [error.reason]
                default: []
                }
            text = "\(error)"
        }

        package var description: String { "\(source.kind.rawValue) '\(source.name)': \(text)" }
    }

    package var settings: RehearsalSettings
    package var zone: TimeZone
    package var people = 0
    package var openRate = 0.0
    package var days: [CalendarDay: [RehearsalSource: Day]] = [:]
    /// Opens by the model, of everything that was sent.
    package var opened = 0
    /// Events that people repeated.
    package var repeated = 0
    /// People who signed up.
    package var signedUp = 0
    /// Calls of webhooks that a server would have got.
    package var calls = 0
    /// Questions to servers in templates, which a rehearsal does not ask.
    package var unasked = 0
    /// What could not be started or sent at all, and why.
    package var problems: [Problem] = []

    /// Adds the days of a part of the people.
    mutating func merge(_ part: [CalendarDay: [RehearsalSource: Day]]) {
        days.merge(part) { mine, theirs in
            mine.merging(theirs) { day, other in
                var day = day
                day.merge(other)
                return day
            }
        }
    }

    package var sources: [RehearsalSource] { Set(days.values.flatMap(\.keys)).sorted() }

    /// What was done on the days, each day in the order of time.
    package var calendar: [(day: CalendarDay, entries: [(source: RehearsalSource, found: Day)])] {
        days.sorted { $0.key < $1.key }.map { day, sources in
            let entries = sources.sorted {
                ($0.value.first, $0.key) < ($1.value.first, $1.key)
            }
            return (day, entries.map { ($0.key, $0.value) })
        }
    }

    package func total(_ source: RehearsalSource, _ count: (Day) -> Int) -> Int {
        days.values.reduce(0) { $0 + ($1[source].map(count) ?? 0) }
    }

    package var sent: Int {
        days.values.reduce(0) { $0 + $1.values.reduce(0) { $0 + $1.sent } }
    }
}

extension [String: Int] {
    var sum: Int { values.reduce(0, +) }
}
