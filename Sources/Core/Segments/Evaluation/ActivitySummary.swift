/// The data about a user's occurrences that the measures of an activity condition need.
package struct ActivitySummary: Sendable, Hashable {
    package private(set) var count = 0
    package private(set) var sumInMicros: Int64 = 0
    package private(set) var first = Int64.max
    package private(set) var last = Int64.min

    package init() {}

    package mutating func add(_ event: AudienceEvent) {
        guard event.quantity > 0 else { return }
        count += event.quantity
        sumInMicros = sumInMicros.addingSaturated(
            event.priceInMicros.multipliedSaturated(by: Int64(event.quantity))
        )
        first = min(first, event.time)
        last = max(last, event.time)
    }

    package func satisfies(
        _ measure: ActivityCondition.Measure,
        on calendar: UserCalendar
    ) -> Bool {
        switch measure {
        case .count(let comparison, let number): comparison.holds(count, number)
        case .sum(let comparison, let micros): comparison.holds(sumInMicros, micros)
        case .first(let comparison, let moment):
            count > 0 && moment.passing(comparison, on: calendar).moments?.contains(first) == true
        case .last(let comparison, let moment):
            count > 0 && moment.passing(comparison, on: calendar).moments?.contains(last) == true
        }
    }
}
