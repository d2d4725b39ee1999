import Reasons

extension Renderer {
    mutating func isTrue(_ condition: Condition) throws(LiquidError) -> Bool {
        note(steps: condition.parts.count)
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
            default: return try contains(try evaluate(part.left), try evaluate(right))
            }
        case .unknown(let name):
            throw LiquidError(.argument, .unknownOperator, ["name": "\(name)"])
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
        case (.blank, let other), (let other, .blank): return try isBlank(try evaluate(other))
        case (.empty, let other), (let other, .empty): return isEmpty(try evaluate(other))
        default: return try areEqual(try evaluate(left), try evaluate(right))
        }
    }

    mutating func isBlank(_ value: LiquidValue) throws(LiquidError) -> Bool {
        switch value {
        case .null: return true
        case .bool(let flag): return !flag
        case .string(let text):
            try spend(bytes: text.utf8.count)
            return text.utf8.allSatisfy(\.isWhitespace)
        default: return isEmpty(value)
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

    mutating func areEqual(
        _ left: LiquidValue,
        _ right: LiquidValue
    ) throws(LiquidError) -> Bool {
        switch (left, right) {
        case (.null, .null): return true
        case (.bool(let left), .bool(let right)): return left == right
        case (.int(let left), .int(let right)): return left == right
        case (.float(let left), .float(let right)): return left == right
        case (.int(let left), .float(let right)): return Double(left) == right
        case (.float(let left), .int(let right)): return left == Double(right)
        case (.big, .int), (.int, .big), (.big, .big), (.big, .float), (.float, .big):
            return try order(left, right) == 0
        case (.string(let left), .string(let right)):
            guard left.utf8.count == right.utf8.count else { return false }
            try spend(bytes: left.utf8.count)
            return left.hasSameBytes(as: right)
        case (.array(let left), .array(let right)):
            guard left.count == right.count else { return false }
            for (left, right) in zip(left, right) {
                try spend(1)
                guard try areEqual(left, right) else { return false }
            }
            return true
        case (.object(let left), .object(let right)):
            if left === right { return true }
            guard left.count == right.count else { return false }
            for (name, value) in zip(left.names, left.values) {
                try spend(1)
                guard let other = right[name], try areEqual(value, other) else { return false }
            }
            return true
        case (.range(let left), .range(let right)): return left == right
        case (.time(let left), .time(let right)): return left.isSameInstant(as: right)
        case (.drop(let left), .drop(let right)): return left === right
        case (.loop(let left), .loop(let right)): return left == right
        case (.scope(let left), .scope(let right)): return left == right
        default: return false
        }
    }

    private mutating func contains(
        _ left: LiquidValue,
        _ right: LiquidValue
    ) throws(LiquidError) -> Bool {
        guard right.isTruthy else { return false }
        switch left {
        case .string(let text):
            let part = plainText(right)
            try spend(bytes: 2 * (text.utf8.count + part.utf8.count))
            return ByteSearch.contains(text, part)
        case .array(let elements):
            for element in elements {
                try spend(1)
                if try areEqual(element, right) { return true }
            }
            return false
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

    private mutating func isOrdered(
        _ comparison: Condition.Operator,
        _ left: LiquidValue,
        _ right: LiquidValue
    ) throws(LiquidError) -> Bool {
        guard left.isComparable, right.isComparable else { return false }
        guard let order = try order(left, right) else {
            if case .float(let value) = left, value.isNaN { return false }
            if case .float(let value) = right, value.isNaN { return false }
            throw LiquidError(
                .argument,
                .noComparison,
                ["first": "\(left.className)", "second": "\(comparedText(right))"]
            )
        }
        switch comparison {
        case .less: return order < 0
        case .greater: return order > 0
        case .lessOrEqual: return order <= 0
        default: return order >= 0
        }
    }

    /// Negative, zero or positive; `nil` if the two cannot be ordered.
    mutating func order(_ left: LiquidValue, _ right: LiquidValue) throws(LiquidError) -> Int? {
        switch (left, right) {
        case (.int(let left), .int(let right)): return left < right ? -1 : (left > right ? 1 : 0)
        case (.float(let left), .float(let right)): return Self.order(left, right)
        case (.int(let left), .float(let right)): return Self.order(Double(left), right)
        case (.float(let left), .int(let right)): return Self.order(left, Double(right))
        case (.big, .int), (.int, .big), (.big, .big):
            try spend(BigInteger.stepsOfSum)
            return BigInteger.order(Numbers.number(left), Numbers.number(right))
        case (.big(let left), .float(let right)):
            try spend(BigInteger.stepsOfText)
            return Self.order(left.double, right)
        case (.float(let left), .big(let right)):
            try spend(BigInteger.stepsOfText)
            return Self.order(left, right.double)
        case (.string(let left), .string(let right)):
            try spend(bytes: 2 * min(left.utf8.count, right.utf8.count))
            return left.byteOrder(to: right)
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

    /// The name that the reference uses for the right side of a failed comparison.
    private mutating func comparedText(_ value: LiquidValue) -> String {
        switch value {
        case .int, .float: plainText(value)
        default: value.className
        }
    }
}

extension LiquidValue {
    /// Whether the value supports `<` and the like.
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
