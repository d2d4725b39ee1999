import Reports
import Segments

/// The conditions on an activity's properties, with what is known of each code in a table.
struct PropertyFilter {
    private enum Verdict: UInt8 {
        case unknown, holds, fails
    }

    private struct Test {
        let property: ActivityCondition.Property
        let place: Int
        var verdicts: [Verdict]
    }

    private let table: PropertyTable
    private var evaluator: SegmentEvaluator
    private var tests: [Test] = []
    /// Places of properties, with the codes that count.
    private var allowed: [(place: Int, codes: [Bool])] = []
    private let price: Int?

    /// - Parameter currency: The one of what was paid; `nil` where it is not asked.
    init(
        _ table: PropertyTable,
        _ condition: ActivityCondition,
        _ currency: String?,
        _ time: EvaluationTime
    ) {
        self.table = table
        evaluator = SegmentEvaluator(at: time)
        price = currency == nil ? nil : table.place(of: ActivityProperties.price)
        for property in condition.properties {
            guard let place = table.place(of: property.path.name) else { continue }
            let verdicts = Array(repeating: Verdict.unknown, count: table.values[place].count)
            tests.append(Test(property: property, place: place, verdicts: verdicts))
        }
        if case .purchase(let products) = condition.subject, !products.isEmpty,
            let place = table.place(of: ActivityProperties.product)
        {
            allow(place) { value in
                if case .string(let product)? = value { return products.contains(product) }
                return products.contains("")
            }
        }
        if let currency, let place = table.place(of: ActivityProperties.currency) {
            allow(place) { $0 == .string(currency) }
        }
    }

    private mutating func allow(_ place: Int, _ isAllowed: (AttributeValue?) -> Bool) {
        let values = table.values[place]
        allowed.append((place, (0..<values.count).map { isAllowed(values.value(of: UInt32($0))) }))
    }

    /// Removes the occurrences that do not count.
    ///
    /// - Parameters:
    ///   - indices: Of occurrences in the chunk.
    ///   - zone: The name of the time zone of an occurrence's user.
    mutating func keepPassing(
        _ indices: inout [Int32],
        of chunk: PropertyTable.Chunk,
        in zone: (Int) -> String?
    ) throws(PatternError) {
        for (place, isAllowed) in allowed {
            let codes = chunk.codes[place]
            indices.removeAll { !isAllowed[Int(codes[Int($0)])] }
        }
        for number in tests.indices {
            let codes = chunk.codes[tests[number].place]
            if tests[number].property.test.dependsOnCalendar {
                var kept: [Int32] = []
                for index in indices {
                    let code = codes[Int(index)]
                    if try holds(number, code, in: zone(Int(index))) { kept.append(index) }
                }
                indices = kept
            } else {
                var verdicts = tests[number].verdicts
                tests[number].verdicts = []
                for index in indices {
                    let code = codes[Int(index)]
                    guard verdicts[Int(code)] == .unknown else { continue }
                    verdicts[Int(code)] = try holds(number, code, in: nil) ? .holds : .fails
                }
                indices.removeAll { verdicts[Int(codes[Int($0)])] == .fails }
                tests[number].verdicts = verdicts
            }
        }
    }

    private mutating func holds(
        _ number: Int,
        _ code: UInt32,
        in zone: String?
    ) throws(PatternError) -> Bool {
        let property = tests[number].property
        let value = table.values[tests[number].place].value(of: code)
        let values: [AttributeValue] =
            if property.path.steps.count == 1 {
                value.map { [$0] } ?? []
            } else {
                value.map { property.path.values(in: [property.path.name: $0]) } ?? []
            }
        return try evaluator.passes(values, property, in: zone)
    }

    /// Adds what was paid, if it is asked.
    ///
    /// - Parameter indices: Those of the occurrences in the chunk.
    func addAmounts(
        to found: inout [FoundOccurrence],
        _ indices: [Int32],
        of chunk: PropertyTable.Chunk
    ) {
        guard let price else { return }
        let codes = chunk.codes[price]
        for (place, index) in indices.enumerated() {
            let value = table.values[price].value(of: codes[Int(index)])
            found[place].amount = OccurrenceSource.amount(value, Int(found[place].pieces))
        }
    }
}
