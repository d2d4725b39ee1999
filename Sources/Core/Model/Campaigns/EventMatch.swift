import Foundation
import NoroshiWire

/// Matches events by kind and by conditions on their properties, which must all hold.
package struct EventMatch: Sendable, Hashable, Codable {
    package enum Kind: Sendable, Hashable, Codable {
        case custom(name: String)
        /// Any purchase if `nil`, otherwise one of this product.
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

    /// Whether every event with that name matches, whatever its properties.
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
    /// Ignored by `exists` and `doesNotExist`.
    package var value: JSONValue

    package init(_ property: String, _ comparison: Comparison, _ value: JSONValue = .null) {
        self.property = property
        self.comparison = comparison
        self.value = value
    }

    /// Whether the condition holds. A property of another type than the value satisfies only
    /// `notEqual`.
    package func holds(for found: JSONValue?) -> Bool {
        // Not `nil` literally: a JSON value can be created from that literal, and is then `null`.
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

    /// Compares whole numbers exactly: a floating-point number cannot distinguish large ones.
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
