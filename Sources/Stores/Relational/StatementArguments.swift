/// The values of a statement's parameters, by position or by name.
package struct StatementArguments: Sendable, ExpressibleByArrayLiteral,
    ExpressibleByDictionaryLiteral
{
    var values: [DatabaseValue] = []
    var named: [String: DatabaseValue] = [:]

    package init() {}

    var isEmpty: Bool { values.isEmpty && named.isEmpty }

    package init(_ values: some Sequence<(any DatabaseValueConvertible)?>) {
        self.values = values.map { $0?.databaseValue ?? .null }
    }

    package init(_ values: some Sequence<some DatabaseValueConvertible>) {
        self.values = values.map(\.databaseValue)
    }

    package init(arrayLiteral elements: (any DatabaseValueConvertible)?...) { self.init(elements) }

    package init(dictionaryLiteral elements: (String, (any DatabaseValueConvertible)?)...) {
        for (name, value) in elements { named[name] = value?.databaseValue ?? .null }
    }

    package static func + (left: Self, right: Self) -> Self {
        var sum = left
        sum += right
        return sum
    }

    /// A name that both have keeps the right value.
    package static func += (left: inout Self, right: Self) {
        left.values += right.values
        left.named.merge(right.named) { $1 }
    }
}
