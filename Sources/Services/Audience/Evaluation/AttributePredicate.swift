import Segments

/// A positive test on one attribute, prepared for each type of column.
struct AttributePredicate: Sendable {
    enum Strings: Sendable {
        case present
        case code(UInt32)
        case table(CodeTable)
    }

    enum Numbers: Sendable {
        case present
        case comparison(Comparison, Double)
        case oneOf([Double])
    }

    enum Times: Sendable {
        case present
        case range(ClosedRange<Int64>)
        /// Dates without a time, stored as midnight UTC, have a different range than times.
        case ranges(moments: ClosedRange<Int64>?, dates: ClosedRange<Int64>?)
        case day(DayTest)
        /// Full years since the value, compared with a number; for ages.
        case years(Comparison, Double, UserCalendar)
        case yearsOneOf([Double], UserCalendar)
        /// Nothing passes.
        case never
        /// A different test for each group of time zones.
        indirect case zoned(ZoneGroups, [Times])
    }

    enum Sets: Sendable {
        case present
        case empty
        case notEmpty
        case anyOf([UInt32])
        /// `nil` for a value that no row has.
        case allOf([UInt32?])
    }

    var attribute: Int
    var strings: Strings?
    var numbers: Numbers?
    var times: Times?
    var matchesTrue = false
    var matchesFalse = false
    var sets: Sets?
    var matchesObjects = false
    /// The test of values that fit no column.
    var others: FallbackPredicate?
    /// The same per group of time zones, if the test depends on them.
    var zonedOthers: (groups: ZoneGroups, probes: [FallbackPredicate])?

    var cost: Int {
        switch times {
        case .ranges, .day, .years, .yearsOneOf, .zoned: return 8
        default: break
        }
        if case .table(let table)? = strings, table.marked.count > 12 { return 6 }
        return 1
    }

    /// Adds the matching rows to a cleared bitmap.
    func add(
        _ column: AttributeColumn,
        of chunk: AudienceChunk,
        scratch: EvaluationScratch,
        into target: UnsafeMutablePointer<UInt64>
    ) {
        let words = chunk.wordCount
        if let strings, let cells = column.strings { add(strings, cells, into: target) }
        if let numbers, let cells = column.numbers { add(numbers, cells, into: target) }
        if let times, let cells = column.times { add(times, cells, chunk, scratch, into: target) }
        if matchesTrue { column.trueRows?.union(into: target, count: words) }
        if matchesFalse { column.falseRows?.union(into: target, count: words) }
        if let sets, let cells = column.sets { add(sets, cells, words: words, into: target) }
        if matchesObjects { column.objects?.union(into: target, count: words) }
        if let others, !column.others.isEmpty {
            var probe = others
            for (row, value) in column.others where probe.passes(value) {
                target[Int(row) >> 6] |= 1 << UInt64(row & 63)
            }
        }
        if let (groups, probes) = zonedOthers, !column.others.isEmpty {
            var probes = probes
            let groupOfRow = scratch.groups(groups, of: chunk)
            for (row, value) in column.others
            where probes[Int(groupOfRow[Int(row)])].passes(value) {
                target[Int(row) >> 6] |= 1 << UInt64(row & 63)
            }
        }
    }

    private func add(
        _ strings: Strings,
        _ cells: BitSlicedColumn,
        into target: UnsafeMutablePointer<UInt64>
    ) {
        switch strings {
        case .present: cells.addPresent(into: target)
        case .code(let code): cells.addRange(Int64(code)...Int64(code), into: target)
        case .table(let table): cells.addTable(table, into: target)
        }
    }

    private func add(
        _ numbers: Numbers,
        _ cells: NumberColumn,
        into target: UnsafeMutablePointer<UInt64>
    ) {
        switch (numbers, cells.doubles) {
        case (.present, nil):
            cells.multiples.addPresent(into: target)
        case (.present, let doubles?):
            RowKernels.addDoubles(doubles, into: target) { !$0.isNaN }
        case (.comparison(let comparison, let bound), nil):
            if let range = cells.multiples(comparison, bound) {
                cells.multiples.addRange(range, into: target)
            }
        case (.comparison(let comparison, let bound), let doubles?):
            RowKernels.addDoubles(doubles, into: target) {
                !$0.isNaN && comparison.holds($0, bound)
            }
        case (.oneOf(let bounds), _):
            for bound in bounds { add(.comparison(.equal, bound), cells, into: target) }
        }
    }

    private func add(
        _ times: Times,
        _ cells: BitSlicedColumn,
        _ chunk: AudienceChunk,
        _ scratch: EvaluationScratch,
        into target: UnsafeMutablePointer<UInt64>
    ) {
        switch times {
        case .never: break
        case .present: cells.addPresent(into: target)
        case .range(let range): cells.addRange(range, into: target)
        case .ranges, .day, .years, .yearsOneOf:
            cells.addWhere(into: target) { times.holds($0) }
        case .zoned(let groups, let times):
            let groupOfRow = scratch.groups(groups, of: chunk)
            cells.forEach { row, value in
                guard times[Int(groupOfRow[row])].holds(value) else { return }
                target[row >> 6] |= 1 << UInt64(row & 63)
            }
        }
    }

    private func add(
        _ sets: Sets,
        _ cells: SetColumn,
        words: Int,
        into target: UnsafeMutablePointer<UInt64>
    ) {
        if cells.snapshotContains {
            addLists(sets, cells, into: target)
            return
        }
        switch sets {
        case .present:
            cells.present.union(into: target, count: words)
        case .empty:
            for word in 0..<min(words, cells.present.words.count) {
                var bits = cells.present.words[word]
                for bitmap in cells.bitmaps where word < bitmap.words.count {
                    bits &= ~bitmap.words[word]
                }
                target[word] |= bits
            }
        case .notEmpty:
            for bitmap in cells.bitmaps { bitmap.union(into: target, count: words) }
        case .anyOf(let codes):
            for code in codes {
                cells.bitmap(of: code)?.union(into: target, count: words)
            }
        case .allOf(let codes):
            let bitmaps = codes.compactMap { $0.flatMap(cells.bitmap(of:)) }
            guard bitmaps.count == codes.count else { return }
            for word in 0..<min(words, cells.present.words.count) {
                var bits = cells.present.words[word]
                for bitmap in bitmaps {
                    bits &= word < bitmap.words.count ? bitmap.words[word] : 0
                }
                target[word] |= bits
            }
        }
    }

    private func addLists(
        _ sets: Sets,
        _ cells: SetColumn,
        into target: UnsafeMutablePointer<UInt64>
    ) {
        func addWhere(_ holds: (ArraySlice<UInt32>) -> Bool) {
            RowKernels.addRows(cells.present.words.count * 64, into: target) { row in
                cells.present.contains(row) && holds(cells.codes(at: row))
            }
        }
        switch sets {
        case .present: addWhere { _ in true }
        case .empty: addWhere(\.isEmpty)
        case .notEmpty: addWhere { !$0.isEmpty }
        case .anyOf(let codes):
            let wanted = Set(codes)
            addWhere { $0.contains(where: wanted.contains) }
        case .allOf(let codes):
            addWhere { row in codes.allSatisfy { $0.map(row.contains) ?? false } }
        }
    }
}

extension AttributePredicate.Times {
    /// Whether one time passes; not for tests that depend on the user.
    @inline(__always)
    func holds(_ seconds: Int64) -> Bool {
        switch self {
        case .present: true
        case .never, .zoned: false
        case .range(let range): range.contains(seconds)
        case .ranges(let moments, let dates):
            (seconds % 86_400 == 0 ? dates : moments)?.contains(seconds) ?? false
        case .day(let test): test.holds(seconds)
        case .years(let comparison, let bound, let calendar):
            comparison.holds(Double(calendar.years(since: seconds)), bound)
        case .yearsOneOf(let bounds, let calendar):
            bounds.contains(Double(calendar.years(since: seconds)))
        }
    }
}

/// Tests single values that fit no column, in the same way as rows are tested.
struct FallbackPredicate: Sendable {
    var matcher: ValueMatcher
    /// The rest of the path after the value, for a path through its list.
    var rest: [AttributePath.Step]

    mutating func passes(_ value: AttributeValue) -> Bool {
        guard !rest.isEmpty else { return matcher.passes(value) }
        let key = "value"
        guard let path = AttributePath([.key(key)] + rest) else { return false }
        return matcher.passes(anyOf: path.values(in: [key: value]))
    }
}
