import Foundation
import NoroshiWire

/// The items of a catalog that meet conditions, which messages read with
/// `{% catalog_selection_items catalog selection %}`.
package struct CatalogSelection: Sendable, Hashable, Codable {
    /// How a field is compared with a value; the raw values are those of the REST API.
    package enum Comparison: String, Sendable, Hashable, Codable, CaseIterable {
        case equals
        case differs = "does not equal"
        case isMore = "greater than"
        case isLess = "less than"
        /// For Boolean values.
        case agrees = "is"
        case isBefore = "before"
        case isAfter = "after"
        /// For arrays.
        case includes = "includes value"
        case excludes = "does not include value"
    }

    /// A condition on items.
    package struct Filter: Sendable, Hashable, Codable {
        package var field: String
        package var comparison: Comparison
        package var value: JSONValue

        package init(field: String, comparison: Comparison, value: JSONValue) {
            self.field = field
            self.comparison = comparison
            self.value = value
        }
    }

    /// The order of the items.
    package struct Order: Sendable, Hashable, Codable {
        package var field: String
        package var isDescending: Bool

        package init(field: String, isDescending: Bool) {
            self.field = field
            self.isDescending = isDescending
        }
    }

    package var name: String
    package var description: String
    /// The identifier in another system.
    package var externalID: String?
    /// The source of the catalog's data, as another system reports it.
    package var source: String?
    /// All conditions must hold.
    package var filters: [Filter]
    /// `nil` gives every message items in random order.
    package var order: Order?
    /// Maximum number of items that a message gets.
    package var limit: Int

    package init(
        name: String,
        description: String = "",
        externalID: String? = nil,
        source: String? = nil,
        filters: [Filter] = [],
        order: Order? = nil,
        limit: Int = CatalogValidator.resultLimit
    ) {
        self.name = name
        self.description = description
        self.externalID = externalID
        self.source = source
        self.filters = filters
        self.order = order
        self.limit = limit
    }

    /// The fields of the catalog that the selection uses.
    package var fields: Set<String> {
        Set(filters.map(\.field)).union(order.map { [$0.field] } ?? [])
    }

    /// Whether an item belongs to the selection.
    package func includes(_ item: CatalogItem) -> Bool {
        filters.allSatisfy { $0.accepts(item[$0.field]) }
    }

    /// The sort key of an item; `nil` for an item without a value, which comes last.
    ///
    /// - Parameter kind: The type of the ordering field.
    package func key(of item: CatalogItem, _ kind: Catalog.Field.Kind) -> Key? {
        switch (kind, order.map { item[$0.field] } ?? .null) {
        case (.time, .string(let text)):
            Timestamp.parse(text).map { .number($0.timeIntervalSince1970) }
        case (_, .string(let text)): .text(text)
        case (_, .bool(let flag)): .number(flag ? 1 : 0)
        case (_, let value): value.doubleValue.map(Key.number)
        }
    }

    /// Whether an item with the first key comes before one with the second.
    package func precedes(_ first: Key?, _ second: Key?) -> Bool {
        guard let order, let first else { return false }
        guard let second else { return true }
        return order.isDescending ? second < first : first < second
    }

    /// The sort key of an item.
    package enum Key: Sendable, Hashable, Comparable {
        case number(Double)
        case text(String)
    }
}

extension CatalogSelection.Filter {
    /// Whether a value meets the condition; a missing value meets only negative conditions.
    fileprivate func accepts(_ stored: JSONValue) -> Bool {
        switch comparison {
        case .equals, .agrees: stored.isSame(as: value)
        case .differs: !stored.isSame(as: value)
        case .isMore: compare(stored, \.doubleValue, >)
        case .isLess: compare(stored, \.doubleValue, <)
        case .isBefore: compare(stored, \.time, <)
        case .isAfter: compare(stored, \.time, >)
        case .includes: (stored.arrayValue ?? []).contains { $0.isSame(as: value) }
        case .excludes: !(stored.arrayValue ?? []).contains { $0.isSame(as: value) }
        }
    }

    private func compare<Value: Comparable>(
        _ stored: JSONValue,
        _ part: KeyPath<JSONValue, Value?>,
        _ meets: (Value, Value) -> Bool
    ) -> Bool {
        guard let stored = stored[keyPath: part], let value = value[keyPath: part] else {
            return false
        }
        return meets(stored, value)
    }
}

extension JSONValue {
    /// Whether two values are equal; numbers are compared by value, however they are written.
    fileprivate func isSame(as other: JSONValue) -> Bool {
        if self == other { return true }
        guard let first = doubleValue, let second = other.doubleValue else { return false }
        return first == second
    }

    fileprivate var time: Date? { stringValue.flatMap(Timestamp.parse) }
}

extension CatalogItem {
    /// The value of a field, including the id; null if it has none.
    package subscript(field: String) -> JSONValue {
        field == "id" ? .string(id) : values[field] ?? .null
    }
}
