import Segments

/// An activity condition without property tests, on one calendar.
struct ActivityQuestion: Sendable, Hashable {
    enum Measure: Sendable, Hashable {
        case count(Comparison, Int)
        case sum(Comparison, Int64)
        /// `nil` for an empty range of times.
        case first(ClosedRange<Int64>?)
        case last(ClosedRange<Int64>?)
    }

    var window: ActivityWindow
    var measure: Measure

    init(_ condition: ActivityCondition, _ calendar: UserCalendar) {
        window = ActivityWindow(
            from: condition.from?.seconds(on: calendar) ?? .min,
            until: condition.until?.seconds(on: calendar) ?? .max
        )
        measure =
            switch condition.measure {
            case .count(let comparison, let number): .count(comparison, number)
            case .sum(let comparison, let micros): .sum(comparison, micros)
            case .first(let comparison, let moment):
                .first(moment.passing(comparison, on: calendar).moments)
            case .last(let comparison, let moment):
                .last(moment.passing(comparison, on: calendar).moments)
            }
    }
}

/// An activity condition without property tests, prepared for series.
struct ActivityPredicate: Sendable {
    /// Activity numbers; several for messages of several campaigns.
    let activities: [Int]
    /// `nil` means any product.
    let products: Set<UInt32>?
    /// One question per group of time zones; counts are the same in all of them.
    private let questions: [ActivityQuestion]
    /// `nil` if the question is the same for all users.
    private let groups: ZoneGroups?
    /// A window that contains all windows.
    private let window: ActivityWindow
    private let measure: ActivityQuestion.Measure

    init(
        activities: [Int],
        products: Set<UInt32>?,
        questions: [ActivityQuestion],
        groups: ZoneGroups?
    ) {
        self.activities = activities
        self.products = products
        self.questions = questions
        self.groups = groups
        window = ActivityWindow(
            from: questions.map(\.window.from).min() ?? .min,
            until: questions.map(\.window.until).max() ?? .max
        )
        measure = questions[0].measure
    }

    /// Writes the matching rows of the chunk.
    func evaluate(
        _ chunk: AudienceChunk,
        scratch: EvaluationScratch,
        into target: UnsafeMutablePointer<UInt64>
    ) {
        target.update(repeating: 0, count: chunk.wordCount)
        // No count is less than zero.
        if case .count(.less, 0) = measure { return }
        let series = activities.compactMap {
            $0 < chunk.series.count ? chunk.series[$0] : nil
        }
        let groupOfRow = groups.map { scratch.groups($0, of: chunk) }
        switch measure {
        case .count(.greaterOrEqual, 1), .count(.greater, 0), .count(.notEqual, 0):
            addDone(series, groupOfRow, into: target)
        case .count(.equal, 0), .count(.less, 1), .count(.lessOrEqual, 0):
            addDone(series, groupOfRow, into: target)
            for word in 0..<chunk.wordCount { target[word] = ~target[word] }
        case .count(let comparison, let number) where (0..<254).contains(number):
            addSmallCounts(
                series,
                groupOfRow,
                rows: chunk.count,
                scratch: scratch,
                comparison,
                UInt8(number),
                into: target
            )
        default:
            addSummaries(series, groupOfRow, rows: chunk.count, into: target)
        }
    }

    /// Calls `body` for the counted ones of what is only summed up: a row, a time and how many.
    private func forEachSum(
        _ series: ActivitySeries,
        _ groupOfRow: UnsafePointer<UInt16>?,
        _ body: (_ row: Int, _ time: Int64, _ count: Int) -> Void
    ) {
        for sum in series.sums {
            let row = Int(sum.row)
            let window = groupOfRow.map { questions[Int($0[row])].window } ?? window
            sum.forEachTime { time, count in
                if window.contains(time) { body(row, time, count) }
            }
        }
    }

    /// Calls `body` for each counted occurrence, if products or time zones matter.
    private func forEach(
        _ series: ActivitySeries,
        _ groupOfRow: UnsafePointer<UInt16>?,
        _ body: (ActivitySeries.Entry) -> Void
    ) {
        series.forEach(in: window) { entry in
            if let products, !products.contains(entry.product) { return }
            if let groupOfRow {
                let group = Int(groupOfRow[Int(entry.row)])
                guard questions[group].window.contains(entry.time) else { return }
            }
            body(entry)
        }
    }

    private func addDone(
        _ series: [ActivitySeries],
        _ groupOfRow: UnsafePointer<UInt16>?,
        into target: UnsafeMutablePointer<UInt64>
    ) {
        for one in series {
            forEachSum(one, groupOfRow) { row, _, _ in target[row >> 6] |= 1 << UInt64(row & 63) }
            if products != nil || groupOfRow != nil {
                forEach(one, groupOfRow) { entry in
                    target[Int(entry.row) >> 6] |= 1 << UInt64(entry.row & 63)
                }
                continue
            }
            let range = one.range(in: window)
            one.rows.withUnsafeBufferPointer { rows in
                for index in range {
                    let row = Int(rows[index])
                    target[row >> 6] |= 1 << UInt64(row & 63)
                }
            }
            for entry in one.tail where window.contains(entry.time) {
                target[Int(entry.row) >> 6] |= 1 << UInt64(entry.row & 63)
            }
        }
    }

    /// Counts up to 255 in one byte per row; a bound below 254 gives the same result for higher
    /// counts.
    private func addSmallCounts(
        _ series: [ActivitySeries],
        _ groupOfRow: UnsafePointer<UInt16>?,
        rows count: Int,
        scratch: EvaluationScratch,
        _ comparison: Comparison,
        _ number: UInt8,
        into target: UnsafeMutablePointer<UInt64>
    ) {
        let counters = scratch.counters
        counters.update(repeating: 0, count: count)
        @inline(__always) func add(_ row: Int) {
            let counted = counters[row]
            counters[row] = counted &+ (counted == .max ? 0 : 1)
        }
        for one in series {
            forEachSum(one, groupOfRow) { row, _, count in
                counters[row] = UInt8(clamping: Int(counters[row]) + count)
            }
            if products != nil || groupOfRow != nil {
                forEach(one, groupOfRow) { add(Int($0.row)) }
                continue
            }
            let range = one.range(in: window)
            one.rows.withUnsafeBufferPointer { rows in
                for index in range { add(Int(rows[index])) }
            }
            for entry in one.tail where window.contains(entry.time) { add(Int(entry.row)) }
        }
        let accepted: ClosedRange<UInt8> =
            switch comparison {
            case .equal, .notEqual: number...number
            case .less: 0...(number &- (number > 0 ? 1 : 0))
            case .lessOrEqual: 0...number
            case .greaterOrEqual: number...(.max)
            case .greater: (number + 1)...(.max)
            }
        RowKernels.addRange(
            counters,
            count: count,
            low: accepted.lowerBound,
            span: accepted.upperBound - accepted.lowerBound,
            into: target
        )
        if comparison == .notEqual {
            for word in 0..<((count + 63) / 64) { target[word] = ~target[word] }
        }
    }

    /// Evaluates any measure with a summary per row.
    private func addSummaries(
        _ series: [ActivitySeries],
        _ groupOfRow: UnsafePointer<UInt16>?,
        rows count: Int,
        into target: UnsafeMutablePointer<UInt64>
    ) {
        struct Summary {
            var count = 0
            var sum: Int64 = 0
            var first = Int64.max
            var last = Int64.min
        }
        var summaries = Array(repeating: Summary(), count: count)
        for one in series {
            forEachSum(one, groupOfRow) { row, time, count in
                summaries[row].count += count
                summaries[row].first = min(summaries[row].first, time)
                summaries[row].last = max(summaries[row].last, time)
            }
            forEach(one, groupOfRow) { entry in
                let row = Int(entry.row)
                summaries[row].count += 1
                summaries[row].sum = summaries[row].sum.addingSaturated(entry.priceInMicros)
                summaries[row].first = min(summaries[row].first, entry.time)
                summaries[row].last = max(summaries[row].last, entry.time)
            }
        }
        RowKernels.addRows(count, into: target) { row in
            let summary = summaries[row]
            let measure = groupOfRow.map { questions[Int($0[row])].measure } ?? measure
            return switch measure {
            case .count(let comparison, let number): comparison.holds(summary.count, number)
            case .sum(let comparison, let micros): comparison.holds(summary.sum, micros)
            case .first(let times):
                summary.count > 0 && times?.contains(summary.first) == true
            case .last(let times):
                summary.count > 0 && times?.contains(summary.last) == true
            }
        }
    }
}
