extension Renderer {
    mutating func isTrue(_ condition: Condition) throws(LiquidError) -> Bool {
        var result = false
        for part in condition.parts {
            result = try isTrue(part)
            switch part.link {
            case .or where result: return true
            case .and where !result: return false
            default: break
            }
        }
        return result
    }

    private mutating func isTrue(_ part: Condition.Part) throws(LiquidError) -> Bool {
        guard let (comparison, right) = part.comparison else {
            switch part.left {
            case .blank, .empty: return true
            default: return try evaluate(part.left).isTruthy
            }
        }
        switch comparison {
        case .equal: return try areEqual(part.left, right)
        case .notEqual: return try !areEqual(part.left, right)
        case .contains:
            switch part.left {
            case .blank, .empty: return false
            default: return contains(try evaluate(part.left), try evaluate(right))
            }
        case .unknown(let name):
            throw LiquidError(.argument, "Unknown operator \(name)")
        case .less, .greater, .lessOrEqual, .greaterOrEqual:
            switch (part.left, right) {
            case (.blank, _), (.empty, _), (_, .blank), (_, .empty): return false
            default:
                return try isOrdered(comparison, try evaluate(part.left), try evaluate(right))
            }
        }
    }

    mutating func areEqual(
        _ left: Expression,
        _ right: Expression
    ) throws(LiquidError) -> Bool {
        switch (left, right) {
        case (.blank, .blank), (.blank, .empty), (.empty, .blank), (.empty, .empty): return false
        case (.blank, let other), (let other, .blank): return isBlank(try evaluate(other))
        case (.empty, let other), (let other, .empty): return isEmpty(try evaluate(other))
        default: return areEqual(try evaluate(left), try evaluate(right))
        }
    }

    func isBlank(_ value: LiquidValue) -> Bool {
        switch value {
        case .null: true
        case .bool(let flag): !flag
        case .string(let text): text.utf8.allSatisfy(\.isWhitespace)
        default: isEmpty(value)
        }
    }

    func isEmpty(_ value: LiquidValue) -> Bool {
        switch value {
        case .string(let text): text.isEmpty
        case .array(let elements): elements.isEmpty
        case .object(let object): object.count == 0
        default: false
        }
    }

    func areEqual(_ left: LiquidValue, _ right: LiquidValue) -> Bool {
        switch (left, right) {
        case (.null, .null): return true
        case (.bool(let left), .bool(let right)): return left == right
        case (.int(let left), .int(let right)): return left == right
        case (.float(let left), .float(let right)): return left == right
        case (.int(let left), .float(let right)): return Double(left) == right
        case (.float(let left), .int(let right)): return left == Double(right)
        case (.big, .int), (.int, .big), (.big, .big), (.big, .float), (.float, .big):
            return Self.order(left, right) == 0
        case (.string(let left), .string(let right)): return left.hasSameBytes(as: right)
        case (.array(let left), .array(let right)):
            guard left.count == right.count else { return false }
            return zip(left, right).allSatisfy { areEqual($0, $1) }
        case (.object(let left), .object(let right)):
            if left === right { return true }
            guard left.count == right.count else { return false }
            return left.names.indices.allSatisfy { index in
                right[left.names[index]].map { areEqual(left.values[index], $0) } ?? false
            }
        case (.range(let left), .range(let right)): return left == right
        case (.time(let left), .time(let right)): return left.isSameInstant(as: right)
        case (.drop(let left), .drop(let right)): return left === right
        case (.loop(let left), .loop(let right)): return left == right
        case (.scope(let left), .scope(let right)): return left == right
        default: return false
        }
    }

    private func contains(_ left: LiquidValue, _ right: LiquidValue) -> Bool {
        guard right.isTruthy else { return false }
        switch left {
        case .string(let text): return ByteSearch.contains(text, plainText(right))
        case .array(let elements): return elements.contains { areEqual($0, right) }
        case .object(let object):
            guard case .string(let name) = right else { return false }
            return object[name] != nil
        case .range(let range):
            switch right {
            case .int(let value): return value >= range.first && value <= range.last
            case .float(let value):
                return value >= Double(range.first) && value <= Double(range.last)
            default: return false
            }
        default: return false
        }
    }

    private func isOrdered(
        _ comparison: Condition.Operator,
        _ left: LiquidValue,
        _ right: LiquidValue
    ) throws(LiquidError) -> Bool {
        guard left.isComparable, right.isComparable else { return false }
        guard let order = Self.order(left, right) else {
            if case .float(let value) = left, value.isNaN { return false }
            if case .float(let value) = right, value.isNaN { return false }
            throw LiquidError(
                .argument,
                "comparison of \(left.className) with \(comparedText(right)) failed"
            )
        }
        switch comparison {
        case .less: return order < 0
        case .greater: return order > 0
        case .lessOrEqual: return order <= 0
        default: return order >= 0
        }
    }

    /// Below, at or above zero; `nil` when the two have no order.
    static func order(_ left: LiquidValue, _ right: LiquidValue) -> Int? {
        switch (left, right) {
        case (.int(let left), .int(let right)): return left < right ? -1 : (left > right ? 1 : 0)
        case (.float(let left), .float(let right)): return order(left, right)
        case (.int(let left), .float(let right)): return order(Double(left), right)
        case (.float(let left), .int(let right)): return order(left, Double(right))
        case (.big, .int), (.int, .big), (.big, .big):
            return BigInteger.order(Numbers.number(left), Numbers.number(right))
        case (.big(let left), .float(let right)): return order(left.double, right)
        case (.float(let left), .big(let right)): return order(left, right.double)
        case (.string(let left), .string(let right)): return left.byteOrder(to: right)
        case (.time(let left), .time(let right)):
            let (left, right) = (left.instant, right.instant)
            return left < right ? -1 : (left > right ? 1 : 0)
        default: return nil
        }
    }

    private static func order(_ left: Double, _ right: Double) -> Int? {
        guard !left.isNaN, !right.isNaN else { return nil }
        return left < right ? -1 : (left > right ? 1 : 0)
    }

    /// How the reference names the right side of a comparison that failed.
    private func comparedText(_ value: LiquidValue) -> String {
        switch value {
        case .int, .float: plainText(value)
        default: value.className
        }
    }
}

extension LiquidValue {
    /// Whether `<` and the like can be asked of it.
    fileprivate var isComparable: Bool {
        switch self {
        case .int, .big, .float, .string, .time: true
        default: false
        }
    }

    /// The name the reference has for such values.
    var className: String {
        switch self {
        case .null: "NilClass"
        case .bool(let flag): flag ? "TrueClass" : "FalseClass"
        case .int, .big: "Integer"
        case .float: "Float"
        case .string: "String"
        case .array: "Array"
        case .object: "Hash"
        case .range: "Range"
        case .time: "Time"
        case .drop, .loop, .scope: "Liquid::Drop"
        }
    }
}
