import Reasons

/// A filter: its implementation and the number of arguments besides its input.
struct Filter: Sendable {
    typealias Function =
        @Sendable (inout Renderer, LiquidValue, FilterArguments) throws(LiquidError) -> LiquidValue

    let minimum: Int
    let maximum: Int
    let apply: Function

    init(_ count: Int, _ apply: @escaping Function) {
        self.init(count...count, apply)
    }

    init(_ counts: ClosedRange<Int>, _ apply: @escaping Function) {
        minimum = counts.lowerBound
        maximum = counts.upperBound
        self.apply = apply
    }

    /// The reference counts the input as an argument.
    func wrongNumber(given: Int) -> LiquidError {
        let expected =
            minimum == maximum ? "\(minimum + 1)" : "\(minimum + 1)..\(maximum + 1)"
        return LiquidError(
            .argument,
            .wrongArguments,
            ["given": "\(given + 1)", "expected": "\(expected)"]
        )
    }
}

/// The arguments of a filter, stored inline for the usual few.
struct FilterArguments {
    private(set) var count = 0
    private var first = LiquidValue.null
    private var second = LiquidValue.null
    private var third = LiquidValue.null

    mutating func append(_ value: LiquidValue) {
        switch count {
        case 0: first = value
        case 1: second = value
        case 2: third = value
        default: break
        }
        count += 1
    }

    /// `nil` when there are fewer.
    subscript(index: Int) -> LiquidValue? {
        guard index < count else { return nil }
        switch index {
        case 0: return first
        case 1: return second
        case 2: return third
        default: return nil
        }
    }

    /// Number of bytes of all text arguments.
    @inline(__always)
    var textBytes: Int {
        count == 0 ? 0 : first.textBytes + second.textBytes + third.textBytes
    }

    /// An argument that the filter requires.
    func required(_ index: Int) -> LiquidValue { self[index] ?? .null }
}

/// The filters by name.
enum Filters {
    static func named(_ name: String, in dialect: Template.Dialect) -> Filter? {
        dialect == .standard ? standard[name] : messaging[name]
    }

    static let standard: [String: Filter] = [
        StringFilters.table, HTMLFilters.table, MathFilters.table, ArrayFilters.table,
        SelectionFilters.table, EncodingFilters.table, DateFilters.table,
    ].reduce(into: [:]) { all, table in all.merge(table) { _, new in new } }

    static let messaging: [String: Filter] = [
        DigestFilters.table, MessagingFilters.table,
    ].reduce(into: standard) { all, table in all.merge(table) { _, new in new } }
}
