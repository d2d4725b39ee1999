import Model
import Reasons

/// Decides in which cohorts one user is and in which intervals the user came back. It is the meaning
/// of the report, for whatever finds the user's occurrences.
///
/// Who did the first event is in the cohort of its interval. An event of return counts from the second
/// of the first event on, so that on interval 0 whoever is asked for the same event came back.
package struct RetentionRule: Sendable {
    package typealias Times = FunnelRule.Times

    /// The beginnings of the cohorts' intervals, of the intervals behind them, and the last's end.
    private let boundaries: [Int64]
    private let cohorts: Int
    private let intervals: Int
    private let cohort: RetentionQuestion.Cohort
    private let mode: RetentionQuestion.Mode
    private let length: Int64
    /// Of each cohort the last interval that has begun; none before.
    package let begun: [Int]
    /// Of each cohort how many intervals are over for all of its users.
    package let complete: [Int]

    /// What is counted.
    package struct Counts: Sendable, Hashable {
        /// Of each cohort.
        package var sizes: [Int]
        /// Of each cohort, of each interval: who came back.
        package var returned: [[Int]]

        package init(cohorts: Int, intervals: Int) {
            sizes = Array(repeating: 0, count: cohorts)
            returned = Array(
                repeating: Array(repeating: 0, count: intervals + 1),
                count: cohorts
            )
        }

        package mutating func add(_ other: Counts) {
            for cohort in sizes.indices {
                sizes[cohort] += other.sizes[cohort]
                for interval in returned[cohort].indices {
                    returned[cohort][interval] += other.returned[cohort][interval]
                }
            }
        }
    }

    /// - Parameter now: Intervals that begin later are not looked at.
    package init(_ question: RetentionQuestion, now: Int64) throws(FieldProblem) {
        let boundaries = try question.period.boundaries(after: question.intervals)
        let (cohorts, intervals) = (question.period.length, question.intervals)
        let length = question.period.unit.seconds
        self.boundaries = boundaries
        self.cohorts = cohorts
        self.intervals = intervals
        self.length = length
        cohort = question.cohort
        mode = question.mode
        let isRolling = question.mode == .rolling
        /// When an interval begins for the first of a cohort's users, and is over for the last.
        func begin(_ cohort: Int, _ interval: Int) -> Int64 {
            isRolling
                ? boundaries[cohort] + Int64(interval) * length : boundaries[cohort + interval]
        }
        func end(_ cohort: Int, _ interval: Int) -> Int64 {
            isRolling
                ? boundaries[cohort + 1] + Int64(interval + 1) * length
                : boundaries[cohort + interval + 1]
        }
        begun = (0..<cohorts).map { cohort in
            (0...intervals).last { begin(cohort, $0) <= now } ?? -1
        }
        let isEndless = question.mode == .unbounded
        complete = (0..<cohorts).map { cohort in
            // Whoever comes back later came back after any of the intervals before.
            isEndless ? 0 : (0...intervals).count { end(cohort, $0) <= now }
        }
    }

    /// Where first events are looked for.
    package var firsts: Range<Int64> {
        (cohort == .first ? .min : boundaries[0])..<boundaries[cohorts]
    }

    /// Where events of return are looked for.
    package var returns: Range<Int64> {
        switch mode {
        case .nDay: boundaries[0]..<boundaries[boundaries.count - 1]
        case .unbounded: boundaries[0]..<Int64.max
        case .rolling: boundaries[0]..<(boundaries[cohorts] + Int64(intervals + 1) * length)
        }
    }

    /// Calls with each cohort of a user, and the place of the first event that makes it one.
    package func forEachCohort(_ firsts: Times, _ body: (_ cohort: Int, _ place: Int) -> Void) {
        switch cohort {
        case .first:
            guard let first = firsts.first, first >= boundaries[0], first < boundaries[cohorts]
            else { return }
            body(interval(of: first), 0)
        case .recurring:
            var place = FunnelRule.first(in: firsts, from: boundaries[0])
            while place < firsts.count, firsts[place] < boundaries[cohorts] {
                let cohort = interval(of: firsts[place])
                body(cohort, place)
                place = FunnelRule.first(in: firsts, from: boundaries[cohort + 1])
            }
        }
    }

    /// Adds a user of a cohort.
    ///
    /// - Parameter start: When the first event was.
    package func add(_ start: Int64, cohort: Int, _ returns: Times, to counts: inout Counts) {
        counts.sizes[cohort] += 1
        let last = begun[cohort]
        guard last >= 0 else { return }
        var place = FunnelRule.first(in: returns, from: start)
        guard place < returns.count else { return }
        switch mode {
        case .unbounded:
            let latest = min(interval(of: returns[returns.count - 1]) - cohort, last)
            for interval in 0...max(0, latest) { counts.returned[cohort][interval] += 1 }
        case .nDay:
            while place < returns.count {
                let interval = interval(of: returns[place]) - cohort
                guard interval <= last else { return }
                counts.returned[cohort][interval] += 1
                place = FunnelRule.first(in: returns, from: boundaries[cohort + interval + 1])
            }
        case .rolling:
            while place < returns.count {
                let interval = Int((returns[place] - start) / length)
                guard interval <= last else { return }
                counts.returned[cohort][interval] += 1
                let next = start + Int64(interval + 1) * length
                place = FunnelRule.first(in: returns, from: next)
            }
        }
    }

    /// The interval of a time that is not before the first one; of a time behind all of them one more
    /// than there are.
    private func interval(of time: Int64) -> Int {
        var low = 0
        var high = boundaries.count
        while low < high {
            let middle = (low + high) / 2
            if boundaries[middle] <= time { low = middle + 1 } else { high = middle }
        }
        return low - 1
    }

    /// The names' moments of the cohorts.
    package var starts: ArraySlice<Int64> { boundaries[0..<cohorts] }
}
