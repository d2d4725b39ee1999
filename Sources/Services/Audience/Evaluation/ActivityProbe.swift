import Segments

/// An activity condition without property tests, prepared for series.
struct ActivityProbe: Sendable {
    enum Measure: Sendable {
        case count(Comparison, Int)
        case sum(Comparison, Int64)
        case first(Comparison, Int64)
        case last(Comparison, Int64)
    }

    /// Activity numbers; several for messages of several campaigns.
    var activities: [Int]
    /// `nil` for any product.
    var products: Set<UInt32>?
    var window: ActivityWindow
    var measure: Measure

    /// Writes the rows of the chunk that pass.
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
        switch measure {
        case .count(.greaterOrEqual, 1), .count(.greater, 0), .count(.notEqual, 0):
            addDone(series, into: target)
        case .count(.equal, 0), .count(.less, 1), .count(.lessOrEqual, 0):
            addDone(series, into: target)
            for word in 0..<chunk.wordCount { target[word] = ~target[word] }
        case .count(let comparison, let number) where (0..<254).contains(number):
            addSmallCounts(
                series,
                rows: chunk.count,
                scratch: scratch,
                comparison,
                UInt8(number),
                into: target
            )
        default:
            addSummaries(series, rows: chunk.count, into: target)
        }
    }

    private func addDone(
        _ series: [ActivitySeries],
        into target: UnsafeMutablePointer<UInt64>
    ) {
        for one in series {
            if let products {
                one.forEach(in: window) { entry in
                    guard products.contains(entry.product) else { return }
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

    /// Counts up to 255 in a byte a row; a number below 254 compares the same with more.
    private func addSmallCounts(
        _ series: [ActivitySeries],
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
            if let products {
                one.forEach(in: window) { entry in
                    if products.contains(entry.product) { add(Int(entry.row)) }
                }
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

    /// Any measure, by a summary for each row.
    private func addSummaries(
        _ series: [ActivitySeries],
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
            one.forEach(in: window) { entry in
                if let products, !products.contains(entry.product) { return }
                let row = Int(entry.row)
                summaries[row].count += 1
                summaries[row].sum = summaries[row].sum.addingSaturated(entry.priceInMicros)
                summaries[row].first = min(summaries[row].first, entry.time)
                summaries[row].last = max(summaries[row].last, entry.time)
            }
        }
        RowKernels.addRows(count, into: target) { row in
            let summary = summaries[row]
            return switch measure {
            case .count(let comparison, let number): comparison.holds(summary.count, number)
            case .sum(let comparison, let micros): comparison.holds(summary.sum, micros)
            case .first(let comparison, let moment):
                summary.count > 0 && comparison.holds(summary.first, moment)
            case .last(let comparison, let moment):
                summary.count > 0 && comparison.holds(summary.last, moment)
            }
        }
    }
}
