import Foundation
import NoroshiWire

/// Which events are meant: a kind, and conditions on their properties that must all hold.
package struct EventMatch: Sendable, Hashable, Codable {
    package enum Kind: Sendable, Hashable, Codable {
        case custom(name: String)
        /// Any purchase, or one of this product.
        case purchase(product: String?)
        case sessionStart
    }

    package var kind: Kind
    package var conditions: [PropertyCondition]

    package init(_ kind: Kind, conditions: [PropertyCondition] = []) {
        self.kind = kind
        self.conditions = conditions
    }

    /// The name under which such events are stored.
    package var eventName: String {
        switch kind {
        case .custom(let name): name
        case .purchase: "$purchase"
        case .sessionStart: "$session_start"
        }
    }

    /// Whether every event of that name counts, whatever its properties.
    package var countsEveryEvent: Bool {
        if case .purchase(.some) = kind { return false }
        return conditions.isEmpty
    }

    package func matches(name: String, properties: [String: JSONValue]) -> Bool {
        guard name == eventName else { return false }
        if case .purchase(let product?) = kind,
            properties["product_id"]?.stringValue != product
        {
            return false
        }
        return conditions.allSatisfy { $0.holds(for: properties[$0.property]) }
    }
}

/// A condition on one property of an event.
package struct PropertyCondition: Sendable, Hashable, Codable {
    package enum Comparison: String, Sendable, Hashable, Codable, CaseIterable {
        case equals
        case notEqual = "not_equal"
        case greaterThan = "greater_than"
        case greaterThanOrEqual = "greater_than_or_equal_to"
        case lessThan = "less_than"
        case lessThanOrEqual = "less_than_or_equal_to"
        case contains
        case exists
        case doesNotExist = "does_not_exist"
    }

    package var property: String
    package var comparison: Comparison
    /// Not used by `exists` and `doesNotExist`.
    package var value: JSONValue

    package init(_ property: String, _ comparison: Comparison, _ value: JSONValue = .null) {
        self.property = property
        self.comparison = comparison
        self.value = value
    }

    /// A property of another kind than the value fulfils only `notEqual`.
    package func holds(for found: JSONValue?) -> Bool {
        // Not `nil` of a value: a JSON value can be made of the literal, and is then `null`.
        let present: JSONValue? = if let found, found != .null { found } else { Optional.none }
        switch comparison {
        case .exists: return present != nil
        case .doesNotExist: return present == nil
        case .equals: return present.map(isEqual) ?? false
        case .notEqual: return !(present.map(isEqual) ?? false)
        case .contains:
            switch present {
            case .string(let text)?: return value.stringValue.map(text.contains) ?? false
            case .array(let elements)?: return elements.contains(where: isEqual)
            default: return false
            }
        case .greaterThan: return compare(present) { $0 == .orderedDescending }
        case .greaterThanOrEqual: return compare(present) { $0 != .orderedAscending }
        case .lessThan: return compare(present) { $0 == .orderedAscending }
        case .lessThanOrEqual: return compare(present) { $0 != .orderedDescending }
        }
    }

    private func isEqual(_ other: JSONValue) -> Bool {
        if case .integer(let left) = other, case .integer(let right) = value {
            return left == right
        }
        if let left = other.doubleValue, let right = value.doubleValue { return left == right }
        return other == value
    }

    /// Whole numbers are compared as they are: a floating-point number does not tell large ones apart.
    private func compare(
        _ found: JSONValue?,
        _ holds: (ComparisonResult) -> Bool
    ) -> Bool {
        func order<Number: Comparable>(_ left: Number, _ right: Number) -> ComparisonResult {
            left < right ? .orderedAscending : left > right ? .orderedDescending : .orderedSame
        }
        if case .integer(let left)? = found, case .integer(let right) = value {
            return holds(order(left, right))
        }
        guard let left = found?.doubleValue, let right = value.doubleValue else { return false }
        return holds(order(left, right))
    }
}
