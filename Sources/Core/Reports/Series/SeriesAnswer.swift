/// The figures of each interval.
package struct SeriesAnswer: Sendable, Hashable {
    /// What one interval, or a whole period, has. Both parts are counted, whichever is asked for.
    package struct Amount: Sendable, Hashable {
        /// Occurrences, or money in whole millionths.
        package var total: Int128
        /// Different users.
        package var users: Int

        package init(total: Int128 = 0, users: Int = 0) {
            self.total = total
            self.users = users
        }

        package mutating func add(_ other: Amount) {
            total += other.total
            users += other.users
        }

        /// - Parameter isMoney: Whether the total is in millionths.
        /// - Returns: `nil` for the average of nobody.
        package func value(_ measure: SeriesQuestion.Measure, isMoney: Bool) -> Double? {
            let amount = Double(total) / (isMoney ? 1_000_000 : 1)
            switch measure {
            case .total: return amount
            case .users: return Double(users)
            case .perUser: return users == 0 ? nil : amount / Double(users)
            }
        }
    }

    /// The amounts of a period.
    package struct Line: Sendable, Hashable {
        package var intervals: [Amount]
        /// Of all intervals together; a user of several of them is one.
        package var whole: Amount

        package init(intervals: Int) {
            self.intervals = Array(repeating: Amount(), count: intervals)
            whole = Amount()
        }

        package mutating func add(_ other: Line) {
            for interval in intervals.indices { intervals[interval].add(other.intervals[interval]) }
            whole.add(other.whole)
        }
    }

    package struct Group: Sendable, Hashable {
        package var group: ReportGroup
        package var line: Line
        package var previous: Line?

        package init(_ group: ReportGroup, line: Line, previous: Line?) {
            self.group = group
            self.line = line
            self.previous = previous
        }
    }

    package var intervals: [ReportInterval]
    package var line: Line
    /// The intervals of the period before, where they are compared.
    package var previousIntervals: [ReportInterval]
    package var previous: Line?
    /// Without a breakdown none.
    package var groups: [Group]
    package var measure: SeriesQuestion.Measure
    /// What totals are in, where they are money.
    package var currency: String?

    package init(
        intervals: [ReportInterval],
        line: Line,
        previousIntervals: [ReportInterval] = [],
        previous: Line? = nil,
        groups: [Group] = [],
        measure: SeriesQuestion.Measure,
        currency: String? = nil
    ) {
        self.intervals = intervals
        self.line = line
        self.previousIntervals = previousIntervals
        self.previous = previous
        self.groups = groups
        self.measure = measure
        self.currency = currency
    }

    package func value(_ amount: Amount) -> Double? {
        amount.value(measure, isMoney: currency != nil)
    }
}
