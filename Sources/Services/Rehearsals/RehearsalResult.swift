import Foundation
import Model

/// What a rehearsal has shown.
package struct RehearsalResult: Sendable {
    /// What one source did on one day of the workspace.
    package struct Day: Sendable, Hashable {
        /// The first and the last delivery; of a day without one, the first and the last decision.
        package private(set) var first: Date
        package private(set) var last: Date
        private var hasDelivery = false
        package var sent = 0
        package var languages: [String: Int] = [:]
        package var platforms: [String: Int] = [:]
        package var variants: [String: Int] = [:]
        /// Numbers of devices by reason.
        package var refused: [String: Int] = [:]
        package var skipped: [String: Int] = [:]
        /// Numbers of people by reason.
        package var leftOut: [String: Int] = [:]
        package var control = 0
        /// The message that was sent first, to whoever comes first in the order of names.
        package var example: RehearsalRow?
        /// Changes with any row of the day, whatever their order.
        package var digest: UInt64 = 0

        init(at time: Date) {
            first = time
            last = time
        }

        mutating func see(_ time: Date, isDelivery: Bool) {
            guard isDelivery || !hasDelivery else { return }
            if isDelivery, !hasDelivery { first = time }
            last = time
            hasDelivery = isDelivery
        }
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
    /// Calls of webhooks that a server would have got.
    package var calls = 0
    /// Questions to servers in templates, which a rehearsal does not ask.
    package var unasked = 0
    /// What could not be started or sent at all, and why.
    package var problems: [String] = []

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
