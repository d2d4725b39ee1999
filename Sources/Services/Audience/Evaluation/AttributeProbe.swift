import Segments

/// One positive test on one attribute, prepared for each type of column.
struct AttributeProbe: Sendable {
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
        case onDay(month: Int, day: Int)
        /// Full years since, at a moment, compared with a number; for ages.
        case years(Comparison, Double, now: Int64)
        case yearsOneOf([Double], now: Int64)
    }

    enum Sets: Sendable {
        case present
        case empty
        case notEmpty
        case anyOf([UInt32])
        /// `nil` for a value no row has.
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
    /// For the values no column holds.
    var others: OtherProbe?

    var cost: Int {
        if case .onDay? = times { return 8 }
        if case .years? = times { return 8 }
        if case .yearsOneOf? = times { return 8 }
        if case .table(let table)? = strings, table.marked.count > 12 { return 6 }
        return 1
    }

    /// Adds the rows that pass to a cleared bitmap.
    func add(
        _ column: AttributeColumn,
        words: Int,
        into target: UnsafeMutablePointer<UInt64>
    ) {
        if let strings, let cells = column.strings { add(strings, cells, into: target) }
        if let numbers, let cells = column.numbers { add(numbers, cells, into: target) }
        if let times, let cells = column.times { add(times, cells, into: target) }
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
    }

    private func add(
        _ strings: Strings,
        _ cells: SlicedColumn,
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
        _ cells: SlicedColumn,
        into target: UnsafeMutablePointer<UInt64>
    ) {
        switch times {
        case .present: cells.addPresent(into: target)
        case .range(let range): cells.addRange(range, into: target)
        case .onDay(let month, let day):
            cells.addWhere(into: target) {
                let civil = CivilDay(containing: $0)
                return civil.month == month && civil.day == day
            }
        case .years(let comparison, let bound, let now):
            cells.addWhere(into: target) {
                comparison.holds(Double(CivilDay.age(bornAt: $0, now: now)), bound)
            }
        case .yearsOneOf(let bounds, let now):
            cells.addWhere(into: target) {
                bounds.contains(Double(CivilDay.age(bornAt: $0, now: now)))
            }
        }
    }

    private func add(
        _ sets: Sets,
        _ cells: SetColumn,
        words: Int,
        into target: UnsafeMutablePointer<UInt64>
    ) {
        if cells.isListed {
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

/// Tests single values that no column fits, the way rows are tested.
struct OtherProbe: Sendable {
    var matcher: ValueMatcher
    /// The way from the value on, for a path that goes through its list.
    var rest: [AttributePath.Step]

    mutating func passes(_ value: AttributeValue) -> Bool {
        guard !rest.isEmpty else { return matcher.passes(value) }
        let key = "value"
        guard let path = AttributePath([.key(key)] + rest) else { return false }
        return matcher.passes(anyOf: path.values(in: [key: value]))
    }
}
