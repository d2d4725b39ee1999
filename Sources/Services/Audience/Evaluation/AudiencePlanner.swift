import Ports
import Segments

/// Prepares a rule for one snapshot of the columns.
struct AudiencePlanner {
    let columns: ColumnSnapshot
    let time: EvaluationTime
    let directory: any SegmentResolver
    let source: (any UserRowReader)?
    let workers: Int
    let calendars: ZoneCalendars

    init(
        columns: ColumnSnapshot,
        time: EvaluationTime,
        directory: any SegmentResolver,
        source: (any UserRowReader)?,
        workers: Int
    ) {
        self.columns = columns
        self.time = time
        self.directory = directory
        self.source = source
        self.workers = workers
        calendars = ZoneCalendars(columns, time)
    }

    func node(
        for rule: SegmentRule,
        inside segments: [String] = []
    ) async throws -> QueryNode {
        switch rule {
        case .all(let rules):
            let nodes = try await nodes(for: rules, inside: segments)
            return nodes.isEmpty ? .everyone : .all(nodes.sorted { $0.cost < $1.cost })
        case .any(let rules):
            let nodes = try await nodes(for: rules, inside: segments)
            return nodes.isEmpty ? .nobody : .any(nodes.sorted { $0.cost < $1.cost })
        case .not(let inner):
            return .not(try await node(for: inner, inside: segments))
        case .condition(.segment(let id)):
            guard !segments.contains(id), segments.count < SegmentValidator.maxDepth else {
                throw Self.nested(id)
            }
            guard let inner = directory.rule(ofSegment: id) else { return .nobody }
            return try await node(for: inner, inside: segments + [id])
        case .condition(let condition):
            do {
                return try await node(for: condition)
            } catch let error as PatternError {
                throw Self.unusable(error, in: condition)
            }
        }
    }

    private func nodes(
        for rules: [SegmentRule],
        inside segments: [String]
    ) async throws -> [QueryNode] {
        var nodes: [QueryNode] = []
        for rule in rules { nodes.append(try await node(for: rule, inside: segments)) }
        return nodes
    }

    private func node(for condition: SegmentCondition) async throws -> QueryNode {
        switch condition {
        case .attribute(.standard(let attribute), let test):
            return try await node(for: attribute, test, condition)
        case .attribute(.custom(let path), let test):
            return try await node(for: path, test, condition)
        case .activity(let activity):
            return activity.needsRows ? try await rowNode(activity) : activityNode(activity)
        case .device(let rule):
            var evaluator = SegmentEvaluator(at: time)
            var marks: [UInt8] = []
            for kind in columns.kinds { marks.append(try evaluator.holds(rule, for: kind) ? 1 : 0) }
            return .device(kinds: marks)
        case .list(let id):
            if let rows = columns.lists[id] { return .rows(rows) }
            guard directory.hasList(id) else { return .nobody }
            return .rows(columns.bitmaps { directory.list(id, contains: $0) })
        case .controlGroup:
            return .rows(columns.bitmaps { directory.controlGroupContains($0) })
        case .segment:
            return .nobody
        }
    }

    // MARK: Attributes

    private func node(
        for attribute: StandardAttribute,
        _ test: ValueTest,
        _ condition: SegmentCondition
    ) async throws -> QueryNode {
        if let positive = test.positiveForm {
            return .not(try await node(for: attribute, positive, condition))
        }
        if columns.policy.rowOnly.contains(attribute) {
            return try await rowNode(SegmentCondition.attribute(.standard(attribute), test))
        }
        var matcher = try ValueMatcher(test, on: calendars.usual)
        switch attribute {
        case .randomBucket:
            return .bucket(
                (0..<RandomBucket.count).map { matcher.passes(.number(Double($0))) }
            )
        case .deviceCount:
            let marks = (0...DeviceColumn.maxDevices).map {
                matcher.passes(.number(Double($0))) ? UInt8(1) : 0
            }
            return .deviceCount(CodeTable(marks: marks))
        case .age:
            return .attribute(ageProbe(test))
        default:
            return try await node(for: AttributeCatalog.number(of: attribute), test, rest: nil)
        }
    }

    private func node(
        for path: AttributePath,
        _ test: ValueTest,
        _ condition: SegmentCondition
    ) async throws -> QueryNode {
        if let positive = test.positiveForm {
            return .not(try await node(for: path, positive, condition))
        }
        var keys: [String] = []
        var rest: [AttributePath.Step]?
        for (index, step) in path.steps.enumerated() {
            guard case .key(let key) = step else {
                rest = Array(path.steps[index...])
                break
            }
            keys.append(key)
        }
        guard let number = columns.catalog.number(of: keys) else {
            guard columns.catalog.isOverflowing else { return .nobody }
            return try await rowNode(SegmentCondition.attribute(.custom(path), test))
        }
        return try await node(for: number, test, rest: rest)
    }

    private func node(
        for attribute: Int,
        _ test: ValueTest,
        rest: [AttributePath.Step]?
    ) async throws -> QueryNode {
        if case .doesNotMatch(let pattern) = test {
            let present = try await node(for: attribute, .exists, rest: rest)
            return .all([
                present, .not(try await node(for: attribute, .matches(pattern), rest: rest)),
            ])
        }
        if test.dependsOnCalendar { return try zonedNode(for: attribute, test, rest: rest) }
        let dictionary = columns.catalog.dictionaries[attribute]
        var probe = AttributePredicate(attribute: attribute)
        let matcher = try ValueMatcher(test, on: calendars.usual)
        probe.others = FallbackPredicate(matcher: matcher, rest: rest ?? [])
        if let rest {
            if rest == [.each] {
                if test == .exists {
                    probe.sets = .notEmpty
                } else {
                    probe.sets = .anyOf(try await table(test, dictionary).marked)
                }
            }
            return .attribute(probe)
        }
        try await prepareStrings(test, dictionary, &probe)
        prepareScalars(test, &probe)
        return .attribute(probe)
    }

    private func prepareStrings(
        _ test: ValueTest,
        _ dictionary: StringDictionary,
        _ probe: inout AttributePredicate
    ) async throws {
        func code(_ literal: ScalarLiteral) -> UInt32? {
            guard case .string(let string) = literal else { return nil }
            return dictionary.code(of: string)
        }
        switch test {
        case .equal(let literal):
            probe.strings = code(literal).map(AttributePredicate.Strings.code)
        case .empty:
            probe.strings = dictionary.code(of: "").map(AttributePredicate.Strings.code)
            probe.sets = .empty
        case .exists:
            probe.strings = .present
            probe.sets = .present
        case .oneOf(let literals):
            probe.strings = .table(table(marking: literals.compactMap(code), dictionary))
        case .contains(let literal):
            probe.strings = .table(try await table(test, dictionary))
            probe.sets = .anyOf(code(literal).map { [$0] } ?? [])
        case .containsAny(let literals):
            probe.strings = .table(try await table(test, dictionary))
            probe.sets = .anyOf(literals.compactMap(code))
        case .containsAll(let literals):
            probe.strings = .table(try await table(test, dictionary))
            probe.sets = .allOf(literals.map(code))
        case .startsWith, .endsWith, .matches:
            let table = try await table(test, dictionary)
            probe.strings = .table(table)
            probe.sets = .anyOf(table.marked)
        case .version:
            probe.strings = .table(try await table(test, dictionary))
        default:
            break
        }
    }

    private func prepareScalars(_ test: ValueTest, _ probe: inout AttributePredicate) {
        switch test {
        case .equal(.number(let number)): probe.numbers = .comparison(.equal, number)
        case .equal(.bool(let bool)):
            probe.matchesTrue = bool
            probe.matchesFalse = !bool
        case .oneOf(let literals):
            probe.numbers = .oneOf(literals.compactMap(\.number))
            probe.matchesTrue = literals.contains(.bool(true))
            probe.matchesFalse = literals.contains(.bool(false))
        case .number(.notEqual, _):
            // The language has no such test; equality is `equal` and `notEqual`.
            break
        case .number(let comparison, let bound):
            probe.numbers = .comparison(comparison, bound)
        case .integer(let comparison, let bound):
            probe.numbers = comparison.amongDoubles(bound).map { .comparison($0, $1) }
        case .time(let comparison, let moment):
            probe.times = bounded(moment.passing(comparison, on: calendars.usual).moments)
                .map(AttributePredicate.Times.range)
        case .exists:
            probe.numbers = .present
            probe.times = .present
            probe.matchesTrue = true
            probe.matchesFalse = true
            probe.matchesObjects = true
        default:
            break
        }
    }

    /// The part of a range that a column can contain.
    private func bounded(_ range: ClosedRange<Int64>?) -> ClosedRange<Int64>? {
        range.map { $0.clamped(to: -BitSlicedColumn.limit...BitSlicedColumn.limit) }
    }

    // MARK: Tests that depend on the user's calendar

    private func zonedNode(
        for attribute: Int,
        _ test: ValueTest,
        rest: [AttributePath.Step]?
    ) throws -> QueryNode {
        var probe = AttributePredicate(attribute: attribute)
        let (calendars, groups) = calendars.groups { CalendarQuestion(test, $0) }
        let others = try calendars.map {
            FallbackPredicate(matcher: try ValueMatcher(test, on: $0.calendar), rest: rest ?? [])
        }
        if let groups {
            probe.zonedOthers = (groups, others)
        } else {
            probe.others = others.first
        }
        if rest == nil {
            probe.times = zoned(calendars.map { times(test, $0.calendar) }, groups)
        }
        return .attribute(probe)
    }

    private func zoned(
        _ times: [AttributePredicate.Times],
        _ groups: ZoneGroups?
    ) -> AttributePredicate.Times? {
        groups.map { .zoned($0, times) } ?? times.first
    }

    private func times(_ test: ValueTest, _ calendar: UserCalendar) -> AttributePredicate.Times {
        if let dayTest = test.dayTest(on: calendar) { return .day(dayTest) }
        guard case .time(let comparison, let moment) = test else { return .never }
        let passing = moment.passing(comparison, on: calendar)
        let moments = bounded(passing.moments)
        let dates = bounded(passing.dates)
        guard moments == dates else { return .ranges(moments: moments, dates: dates) }
        return moments.map(AttributePredicate.Times.range) ?? .never
    }

    private func ageProbe(_ test: ValueTest) -> AttributePredicate {
        var probe = AttributePredicate(
            attribute: AttributeCatalog.number(of: .dateOfBirth)
        )
        let (calendars, groups) = calendars.groups { $0 }
        func years(_ times: (UserCalendar) -> AttributePredicate.Times) -> AttributePredicate.Times?
        {
            zoned(calendars.map(times), groups)
        }
        switch test {
        case .equal(.number(let number)): probe.times = years { .years(.equal, number, $0) }
        case .number(let comparison, let bound):
            probe.times = years { .years(comparison, bound, $0) }
        case .integer(let comparison, let bound):
            guard let (comparison, bound) = comparison.amongDoubles(bound) else { break }
            probe.times = years { .years(comparison, bound, $0) }
        case .oneOf(let literals):
            let numbers = literals.compactMap(\.number)
            probe.times = years { .yearsOneOf(numbers, $0) }
        // A number is not text, so no pattern matches it.
        case .exists, .doesNotMatch: probe.times = .present
        default: break
        }
        return probe
    }

    // MARK: Tables over dictionaries

    private func table(marking codes: [UInt32], _ dictionary: StringDictionary) -> CodeTable {
        var table = [UInt8](repeating: 0, count: dictionary.values.count)
        for code in codes { table[Int(code)] = 1 }
        return CodeTable(marks: table)
    }

    /// The values of a dictionary that pass, each tested once, in parallel if there are many.
    private func table(
        _ test: ValueTest,
        _ dictionary: StringDictionary
    ) async throws -> CodeTable {
        let values = dictionary.values
        let matcher = try ValueMatcher(test, on: calendars.usual)
        let piece = 4_096
        let pieces = (values.count + piece - 1) / piece
        let marked = try await WorkerPool.map(pieces, workers: workers) {
            matcher
        } each: {
            matcher,
            index -> [UInt8]? in
            let range = (index * piece)..<min((index + 1) * piece, values.count)
            let marks = values[range].map { matcher.passes(.string($0)) ? UInt8(1) : 0 }
            return matcher.isExhausted ? nil : marks
        }
        let complete = marked.compactMap(\.self)
        guard complete.count == marked.count else { throw PatternError.tooCostly }
        return CodeTable(marks: complete.flatMap(\.self))
    }

    // MARK: Activities

    private func activityNode(_ condition: ActivityCondition) -> QueryNode {
        let (questions, groups) = calendars.groups { ActivityQuestion(condition, $0) }
        var products: Set<UInt32>?
        var activities: [Int] = []
        switch condition.subject {
        case .event(let name): activities = [columns.activities[.event(name)]].compactMap(\.self)
        case .session: activities = [columns.activities[.session]].compactMap(\.self)
        case .purchase(let wanted):
            activities = [columns.activities[.purchase]].compactMap(\.self)
            if !wanted.isEmpty { products = Set(wanted.compactMap(columns.products.code(of:))) }
        case .message(let action, let campaigns):
            for (activity, number) in columns.activities {
                guard case .message(action, let campaign) = activity else { continue }
                if campaigns.isEmpty || campaigns.contains(campaign) { activities.append(number) }
            }
        }
        return .activity(
            ActivityPredicate(
                activities: activities,
                products: products,
                questions: questions,
                groups: groups
            )
        )
    }
}

/// A test on one calendar; two tests are equal if they give the same result for every time.
private struct CalendarQuestion: Hashable {
    let calendar: UserCalendar
    /// The ranges of times and dates that pass; `nil` if the whole calendar matters.
    private let bounds: PassingTimes?

    init(_ test: ValueTest, _ calendar: UserCalendar) {
        self.calendar = calendar
        if case .time(let comparison, let moment) = test {
            bounds = moment.passing(comparison, on: calendar)
        } else {
            bounds = nil
        }
    }

    static func == (left: Self, right: Self) -> Bool {
        guard let bounds = left.bounds else { return left.calendar == right.calendar }
        return bounds == right.bounds
    }

    func hash(into hasher: inout Hasher) {
        if let bounds { hasher.combine(bounds) } else { hasher.combine(calendar) }
    }
}

extension ScalarLiteral {
    var number: Double? {
        if case .number(let number) = self { number } else { nil }
    }
}

extension ColumnSnapshot {
    /// The rows of all users whose row id a predicate accepts.
    func bitmaps(where holds: (Int64) -> Bool) -> [RowBitmap] {
        chunks.map { chunk in
            var bitmap = RowBitmap()
            for row in 0..<chunk.count where holds(chunk.ids.id(at: row)) { bitmap.insert(row) }
            return bitmap
        }
    }
}
