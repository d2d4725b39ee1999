/// `sort` and `sort_natural`: `nil` comes last.
extension ArrayFilters {
    static func sort(
        _ renderer: inout Renderer,
        _ input: LiquidValue,
        _ arguments: FilterArguments
    ) throws(LiquidError) -> LiquidValue {
        try sorted(&renderer, input, arguments) { (left, right, renderer) throws(LiquidError) in
            if let order = try renderer.sortOrder(left, right) { return order }
            if left.isNull { return 1 }
            if right.isNull { return -1 }
            throw LiquidError(.argument, .notSorted)
        }
    }

    static func sortNatural(
        _ renderer: inout Renderer,
        _ input: LiquidValue,
        _ arguments: FilterArguments
    ) throws(LiquidError) -> LiquidValue {
        try sorted(&renderer, input, arguments) { (key, renderer) throws(LiquidError) in
            guard !key.isNull else { return .null }
            let text = renderer.plainText(key)
            try renderer.spend(bytes: text.utf8.count)
            return .string(foldedCase(text))
        } by: { (left, right, renderer) throws(LiquidError) in
            if case .string = left, case .string = right {
                return try renderer.order(left, right) ?? 0
            }
            return (left.isNull ? 1 : 0) - (right.isNull ? 1 : 0)
        }
    }

    /// The text with its 26 letters in lowercase, as the reference compares.
    private static func foldedCase(_ text: String) -> String {
        String(decoding: text.utf8.map { $0 &- 65 < 26 ? $0 | 0x20 : $0 }, as: UTF8.self)
    }

    private static func sorted(
        _ renderer: inout Renderer,
        _ input: LiquidValue,
        _ arguments: FilterArguments,
        of form: (LiquidValue, inout Renderer) throws(LiquidError) -> LiquidValue = {
            (key, _) throws(LiquidError) in key
        },
        by order: (LiquidValue, LiquidValue, inout Renderer) throws(LiquidError) -> Int
    ) throws(LiquidError) -> LiquidValue {
        let elements = try renderer.elements(input)
        // The reference reads the property only to compare.
        guard elements.count > 1 else {
            let isAskable = arguments[0].map { !$0.isNull } ?? false
            if isAskable, let only = elements.first, !only.hasProperties { return .null }
            return .array(elements)
        }
        var keys = elements
        if let property = arguments[0], !property.isNull {
            keys = []
            for element in elements {
                guard let key = try renderer.select(property, of: element) else { return .null }
                keys.append(key)
            }
        }
        for index in keys.indices { keys[index] = try form(keys[index], &renderer) }
        var failure: LiquidError?
        let ranks = elements.indices.sorted { left, right in
            // After an error the order no longer matters, so use the cheapest comparison.
            guard failure == nil else { return left < right }
            do throws(LiquidError) {
                try renderer.spend(1)
                let result = try order(keys[left], keys[right], &renderer)
                return result == 0 ? left < right : result < 0
            } catch {
                failure = error
                return left < right
            }
        }
        if let failure { throw failure }
        return .array(ranks.map { elements[$0] })
    }
}

extension Renderer {
    /// Ruby's `<=>`: `nil` for values that cannot be ordered.
    mutating func sortOrder(
        _ left: LiquidValue,
        _ right: LiquidValue
    ) throws(LiquidError) -> Int? {
        if let order = try order(left, right) { return order }
        if case .array(let left) = left, case .array(let right) = right {
            for (left, right) in zip(left, right) {
                try spend(1)
                guard let order = try sortOrder(left, right) else { return nil }
                if order != 0 { return order }
            }
            return left.count < right.count ? -1 : (left.count > right.count ? 1 : 0)
        }
        return try areEqual(left, right) ? 0 : nil
    }
}

/// The set of values seen so far, compared like hash keys.
struct ValueSet {
    private var texts: Set<String> = []
    private var integers: Set<Int> = []
    private var others: [LiquidValue] = []

    /// `false` if the value was already in the set.
    mutating func insert(
        _ value: LiquidValue,
        _ renderer: inout Renderer
    ) throws(LiquidError) -> Bool {
        switch value {
        case .string(let text):
            try renderer.spend(bytes: 2 * text.utf8.count)
            return texts.insert(text).inserted
        case .int(let number): return integers.insert(number).inserted
        default:
            for other in others {
                try renderer.spend(1)
                if try renderer.areSame(other, value) { return false }
            }
            others.append(value)
            return true
        }
    }
}
