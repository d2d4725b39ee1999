import Reports
import Segments

extension ReportEngine {
    package func series(_ question: SeriesQuestion) async throws -> SeriesAnswer {
        try question.check()
        let length = question.period.length
        let boundaries = try question.period.boundaries(before: question.isCompared ? length : 0)
        let intervals = Intervals(boundaries, before: question.isCompared ? length : 0)
        let source = try await source(question, intervals)
        let interval = question.period.interval(at:)
        let lines = try await lines(groups: 0, intervals, source) { _ in .everybody }
        var answer = SeriesAnswer(
            intervals: intervals.starts.map(interval),
            line: lines[0].present,
            previousIntervals: question.isCompared ? intervals.previousStarts.map(interval) : [],
            previous: question.isCompared ? lines[0].previous : nil,
            measure: question.measure,
            currency: question.currency
        )
        guard let breakdown = question.breakdown else { return answer }
        let (groups, parts) = try await groups(breakdown, intervals, source)
        answer.groups = zip(groups.shown, parts.dropFirst())
            .filter { $0 != .missing || $1.present.whole.users > 0 || $1.previous.whole.users > 0 }
            .map { group, lines in
                SeriesAnswer.Group(
                    group,
                    line: lines.present,
                    previous: question.isCompared ? lines.previous : nil
                )
            }
        return answer
    }

    /// What is counted, by chunk.
    private enum Source: Sendable {
        case occurrences(OccurrenceSource, isMoney: Bool)
        case newUsers(attribute: Int?)

        var values: [String] {
            if case .occurrences(let source, _) = self { source.groups } else { [] }
        }
    }

    private func source(
        _ question: SeriesQuestion,
        _ intervals: Intervals
    ) async throws -> Source {
        guard let activity = question.activity else {
            return .newUsers(attribute: columns.number(of: .createdAt))
        }
        return .occurrences(
            try await OccurrenceSource(
                self,
                in: intervals.range,
                [
                    (
                        activity,
                        .init(group: question.breakdown?.property, currency: question.currency)
                    )
                ]
            ),
            isMoney: question.currency != nil
        )
    }

    private func forEach(
        inChunk chunk: Int,
        _ source: Source,
        _ range: Range<Int64>,
        _ body: (FoundOccurrence) -> Void
    ) {
        switch source {
        case .occurrences(let source, _): source.forEach(inChunk: chunk, body)
        case .newUsers(let attribute):
            let columns = columns.chunks[chunk]
            guard let attribute, attribute < columns.attributes.count,
                let times = columns.attributes[attribute].times
            else { return }
            for row in 0..<columns.count where !columns.removed.contains(row) {
                if let selected, !selected[chunk].contains(row) { continue }
                guard let time = times.value(at: row), range.contains(time) else { continue }
                body(
                    FoundOccurrence(
                        time: time,
                        amount: 0,
                        pieces: 1,
                        constant: FoundOccurrence.missing,
                        group: FoundOccurrence.missing,
                        row: UInt16(row)
                    )
                )
            }
        }
    }

    /// The intervals of a period and of the one before it.
    private struct Intervals: Sendable {
        let boundaries: [Int64]
        /// How many of them are before the period.
        let before: Int

        init(_ boundaries: [Int64], before: Int) {
            self.boundaries = boundaries
            self.before = before
        }

        var range: Range<Int64> { boundaries[0]..<boundaries[boundaries.count - 1] }
        var count: Int { boundaries.count - 1 - before }
        var starts: ArraySlice<Int64> { boundaries[before..<(boundaries.count - 1)] }
        var previousStarts: ArraySlice<Int64> { boundaries[0..<before] }

        /// The interval of a time that is in the range; `hint` is tried first.
        func interval(of time: Int64, hint: Int) -> Int {
            if boundaries[hint] <= time, time < boundaries[hint + 1] { return hint }
            var (low, high) = (0, boundaries.count - 1)
            while low + 1 < high {
                let middle = (low + high) / 2
                if boundaries[middle] <= time { low = middle } else { high = middle }
            }
            return low
        }
    }

    private struct Lines: Sendable {
        var present: SeriesAnswer.Line
        var previous: SeriesAnswer.Line

        init(_ intervals: Intervals) {
            present = SeriesAnswer.Line(intervals: intervals.count)
            previous = SeriesAnswer.Line(intervals: intervals.before)
        }
    }

    /// To which lines of a chunk's groups an occurrence is added; all are added to line 0.
    private enum Membership {
        case everybody
        /// By row.
        case masks([UInt64])
        /// By the number of the breakdown's value; the last one for none.
        case values([Int])
    }

    /// Adds up all occurrences, with a line for each group behind that of everybody.
    private func lines(
        groups: Int,
        _ intervals: Intervals,
        _ source: Source,
        _ membership: @escaping @Sendable (Int) -> Membership
    ) async throws -> [Lines] {
        let zero = Array(repeating: Lines(intervals), count: groups + 1)
        return try await sum(zero) { chunk in
            if groups == 0, case .occurrences(let source, false) = source,
                let series = source.series(inChunk: chunk)
            {
                return [count(series, inChunk: chunk, intervals)]
            }
            var tally = Tally(intervals, groups: groups, rows: columns.chunks[chunk].count)
            let membership = membership(chunk)
            var isMoney = false
            if case .occurrences(_, let money) = source { isMoney = money }
            forEach(inChunk: chunk, source, intervals.range) { one in
                let amount = isMoney ? Int128(one.amount) : Int128(one.pieces)
                switch membership {
                case .everybody: tally.add(one, amount, groups: 0)
                case .masks(let masks): tally.add(one, amount, groups: masks[Int(one.row)])
                case .values(let numbers):
                    let group = numbers[min(Int(one.group), numbers.count - 1)]
                    tally.add(one, amount, groups: 1 << UInt64(group))
                }
            }
            return tally.lines
        } adding: { total, part in
            for line in total.indices {
                total[line].present.add(part[line].present)
                total[line].previous.add(part[line].previous)
            }
        }
    }

    /// Counts occurrences that come in the order of time, of which a chunk can have millions.
    private func count(
        _ series: ActivitySeries,
        inChunk chunk: Int,
        _ intervals: Intervals
    ) -> Lines {
        let (boundaries, before) = (intervals.boundaries, intervals.before)
        var totals = [Int](repeating: 0, count: boundaries.count - 1)
        var users = totals
        var (present, previous) = (0, 0)
        // Of each row the last interval in which it was counted, plus one.
        var last = [UInt16](repeating: 0, count: columns.chunks[chunk].count)
        let selected = selected?[chunk]
        let range = intervals.range
        var interval = 0
        let window = ActivityWindow(from: range.lowerBound, until: range.upperBound)
        totals.withUnsafeMutableBufferPointer { totals in
            last.withUnsafeMutableBufferPointer { last in
                boundaries.withUnsafeBufferPointer { boundaries in
                    series.forEachTime(in: window) { row, time in
                        while time >= boundaries[interval + 1] { interval += 1 }
                        if let selected, !selected.contains(row) { return }
                        totals[interval] += 1
                        let known = Int(last[row])
                        guard known != interval + 1 else { return }
                        last[row] = UInt16(interval + 1)
                        users[interval] += 1
                        if interval >= before {
                            if known <= before { present += 1 }
                        } else if known == 0 {
                            previous += 1
                        }
                    }
                }
            }
        }
        var lines = Lines(intervals)
        for (interval, total) in totals.enumerated() {
            let amount = SeriesAnswer.Amount(total: Int128(total), users: users[interval])
            if interval >= before {
                lines.present.intervals[interval - before] = amount
                lines.present.whole.total += amount.total
            } else {
                lines.previous.intervals[interval] = amount
                lines.previous.whole.total += amount.total
            }
        }
        lines.present.whole.users = present
        lines.previous.whole.users = previous
        return lines
    }

    /// The lines of one chunk while they are added up.
    private struct Tally {
        private let intervals: Intervals
        private(set) var lines: [Lines]
        private var hint = 0
        /// Of each line and row the last interval in which the row was counted, plus one. Who comes
        /// by time or user by user is counted once for each interval.
        private var lastInterval: [[UInt16]]
        /// Of each line the rows that were counted in each of both periods.
        private var counted: [[UInt64]]
        private var countedBefore: [[UInt64]]

        init(_ intervals: Intervals, groups: Int, rows: Int) {
            self.intervals = intervals
            lines = Array(repeating: Lines(intervals), count: groups + 1)
            lastInterval = Array(
                repeating: Array(repeating: 0, count: rows),
                count: groups + 1
            )
            counted = Array(
                repeating: Array(repeating: 0, count: (rows + 63) / 64),
                count: groups + 1
            )
            countedBefore = counted
        }

        mutating func add(_ one: FoundOccurrence, _ amount: Int128, groups: UInt64) {
            hint = intervals.interval(of: one.time, hint: hint)
            add(Int(one.row), amount, to: 0)
            var rest = groups
            while rest != 0 {
                add(Int(one.row), amount, to: rest.trailingZeroBitCount + 1)
                rest &= rest - 1
            }
        }

        private mutating func add(_ row: Int, _ amount: Int128, to line: Int) {
            let isNew = lastInterval[line][row] != UInt16(hint + 1)
            lastInterval[line][row] = UInt16(hint + 1)
            if hint >= intervals.before {
                let isFirst = isNew && !counted[line].contains(row)
                if isFirst { counted[line].insert(row) }
                lines[line].present.add(amount, hint - intervals.before, isNew, isFirst)
            } else {
                let isFirst = isNew && !countedBefore[line].contains(row)
                if isFirst { countedBefore[line].insert(row) }
                lines[line].previous.add(amount, hint, isNew, isFirst)
            }
        }
    }

    private func groups(
        _ breakdown: ReportBreakdown,
        _ intervals: Intervals,
        _ source: Source
    ) async throws -> (ReportGroups, [Lines]) {
        guard let traits = try UserTraits(self, breakdown) else {
            let texts = source.values
            let zero = Array(repeating: 0, count: texts.count + 1)
            let users = try await sum(zero) { chunk in
                var users = zero
                var known: (row: UInt16, values: Set<Int>)?
                forEach(inChunk: chunk, source, intervals.range) { one in
                    if known?.row != one.row { known = (one.row, []) }
                    let number = min(Int(one.group), texts.count)
                    if known?.values.insert(number).inserted == true { users[number] += 1 }
                }
                return users
            } adding: { total, part in
                for number in total.indices { total[number] += part[number] }
            }
            let groups = Self.groups(texts, users: users, limit: breakdown.limit)
            let numbers = texts.map(groups.number) + [groups.number(of: nil)]
            return (
                groups,
                try await lines(groups: groups.shown.count, intervals, source) { _ in
                    .values(numbers)
                }
            )
        }
        let populations = try await forEachChunk { chunk in
            var rows = [UInt64](repeating: 0, count: columns.chunks[chunk].wordCount)
            forEach(inChunk: chunk, source, intervals.range) { rows.insert(Int($0.row)) }
            return rows
        }
        let groups = try await groups(traits, of: populations, limit: breakdown.limit)
        return (
            groups,
            try await lines(groups: groups.shown.count, intervals, source) { chunk in
                .masks(traits.masks(inChunk: chunk, of: populations[chunk], groups))
            }
        )
    }
}

extension SeriesAnswer.Line {
    /// - Parameters:
    ///   - isNew: Whether the user was not counted in the interval.
    ///   - isFirst: Whether the user was not counted in the period.
    fileprivate mutating func add(
        _ amount: Int128,
        _ interval: Int,
        _ isNew: Bool,
        _ isFirst: Bool
    ) {
        intervals[interval].total += amount
        whole.total += amount
        if isNew { intervals[interval].users += 1 }
        if isFirst { whole.users += 1 }
    }
}

extension SeriesQuestion {
    fileprivate var currency: String? {
        if case .revenue(_, let currency) = figure { currency } else { nil }
    }
}
