import Reasons

/// Filters on lists. A value that is not a list counts as a list of one element, `nil` as an empty
/// list, and nested lists are flattened.
enum ArrayFilters {
    static let table: [String: Filter] = [
        "size": Filter(0) { (renderer, input, _) throws(LiquidError) in
            .int(renderer.size(of: input) ?? 0)
        },
        "first": Filter(0) { (renderer, input, _) throws(LiquidError) in
            renderer.first(of: input) ?? .null
        },
        "last": Filter(0) { (renderer, input, _) throws(LiquidError) in
            renderer.last(of: input) ?? .null
        },
        "join": Filter(0...1, join),
        "reverse": Filter(0) { (renderer, input, _) throws(LiquidError) in
            .array(try renderer.elements(input).reversed())
        },
        "concat": Filter(1, concat),
        "compact": Filter(0...1, compact),
        "uniq": Filter(0...1, uniq),
        "map": Filter(1, map),
        "sort": Filter(0...1, sort),
        "sort_natural": Filter(0...1, sortNatural),
        "sum": Filter(0...1, sum),
        "slice": Filter(1...2, slice),
        "default": Filter(0...2, fallback),
    ]

    private static func join(
        _ renderer: inout Renderer,
        _ input: LiquidValue,
        _ arguments: FilterArguments
    ) throws(LiquidError) -> LiquidValue {
        let glue = renderer.plainText(arguments[0] ?? .string(" "))
        let text = ValueText(renderer)
        var bytes: [UInt8] = []
        for (index, element) in try renderer.elements(input).enumerated() {
            let start = bytes.count
            if index > 0 { bytes.append(contentsOf: glue.utf8) }
            text.append(element, to: &bytes)
            try renderer.allow(bytes: bytes.count)
            try renderer.spend(bytes: bytes.count - start)
        }
        return .string(String(decoding: bytes, as: UTF8.self))
    }

    private static func concat(
        _ renderer: inout Renderer,
        _ input: LiquidValue,
        _ arguments: FilterArguments
    ) throws(LiquidError) -> LiquidValue {
        guard case .array(let other) = arguments.required(0) else {
            throw LiquidError(.argument, .concatNeedsArray)
        }
        let elements = try renderer.elements(input)
        try renderer.allow(elements: elements.count + other.count)
        return .array(elements + other)
    }

    private static func compact(
        _ renderer: inout Renderer,
        _ input: LiquidValue,
        _ arguments: FilterArguments
    ) throws(LiquidError) -> LiquidValue {
        let elements = try renderer.elements(input)
        guard let property = arguments[0], !property.isNull else {
            return .array(elements.filter { !$0.isNull })
        }
        var kept: [LiquidValue] = []
        for element in elements {
            guard let value = try renderer.select(property, of: element) else { return .null }
            if !value.isNull { kept.append(element) }
        }
        return .array(kept)
    }

    private static func uniq(
        _ renderer: inout Renderer,
        _ input: LiquidValue,
        _ arguments: FilterArguments
    ) throws(LiquidError) -> LiquidValue {
        let elements = try renderer.elements(input)
        guard elements.count > 1 else { return .array(elements) }
        var seen = ValueSet()
        var kept: [LiquidValue] = []
        for element in elements {
            var key = element
            if let property = arguments[0], !property.isNull {
                guard let value = try renderer.select(property, of: element) else { return .null }
                key = value
            }
            if try seen.insert(key, &renderer) { kept.append(element) }
        }
        return .array(kept)
    }

    private static func map(
        _ renderer: inout Renderer,
        _ input: LiquidValue,
        _ arguments: FilterArguments
    ) throws(LiquidError) -> LiquidValue {
        let property = arguments.required(0)
        var values: [LiquidValue] = []
        for element in try renderer.elements(input) {
            values.append(try renderer.select(property, of: element) ?? .null)
        }
        return .array(values)
    }

    private static func sum(
        _ renderer: inout Renderer,
        _ input: LiquidValue,
        _ arguments: FilterArguments
    ) throws(LiquidError) -> LiquidValue {
        var total = Number.int(0)
        for element in try renderer.elements(input) {
            var value = element
            if let property = arguments[0], !property.isNull {
                value = try renderer.select(property, of: element) ?? .int(0)
            }
            for part in try renderer.elements(value) {
                try renderer.spend(bytes: part.textBytes)
                let number = Numbers.number(part)
                try renderer.spend(Number.stepsOfSum(total, number))
                total = total + number
            }
        }
        return total.value
    }

    private static func slice(
        _ renderer: inout Renderer,
        _ input: LiquidValue,
        _ arguments: FilterArguments
    ) throws(LiquidError) -> LiquidValue {
        let offset = try Numbers.integer(arguments.required(0))
        var length = 1
        if let value = arguments[1], value.isTruthy {
            length = try Numbers.integer(value)
        }
        func range(_ count: Int) -> Range<Int>? {
            let start = offset < 0 ? offset &+ count : offset
            guard start >= 0, start <= count, length >= 0 else { return nil }
            return start..<start + min(length, count - start)
        }
        if case .array(let elements) = input {
            return .array(range(elements.count).map { Array(elements[$0]) } ?? [])
        }
        let characters = renderer.plainText(input).unicodeScalars
        guard let range = range(characters.count) else { return .string("") }
        return .string(
            String(
                String.UnicodeScalarView(characters.dropFirst(range.lowerBound).prefix(range.count))
            )
        )
    }

    private static func fallback(
        _ renderer: inout Renderer,
        _ input: LiquidValue,
        _ arguments: FilterArguments
    ) throws(LiquidError) -> LiquidValue {
        var allowsFalse = false
        if case .object(let options)? = arguments[1] {
            allowsFalse = options["allow_false"]?.isTruthy ?? false
        }
        let isMissing = allowsFalse ? input.isNull : !input.isTruthy
        guard isMissing || renderer.isEmpty(input) else { return input }
        return arguments[0] ?? .string("")
    }
}

extension Renderer {
    /// The elements on which an array filter works.
    mutating func elements(_ value: LiquidValue) throws(LiquidError) -> [LiquidValue] {
        switch value {
        case .null: return []
        case .array(let elements):
            try allow(elements: elements.count)
            let isFlat = !elements.contains { element in
                if case .array = element { return true }
                return false
            }
            if isFlat { return elements }
            var flat: [LiquidValue] = []
            try flatten(elements, into: &flat)
            return flat
        case .range(let range):
            try allow(elements: range.count)
            return (0..<range.count).map { .int(range.first + $0) }
        case .drop(let drop): return drop.elements ?? [value]
        default: return [value]
        }
    }

    private mutating func flatten(
        _ elements: [LiquidValue],
        into flat: inout [LiquidValue]
    ) throws(LiquidError) {
        try allow(elements: elements.count + flat.count)
        for element in elements {
            if case .array(let inner) = element {
                try flatten(inner, into: &flat)
            } else {
                flat.append(element)
            }
        }
    }

    /// Ruby's `element[property]`: the value of a hash, the matching part of a text, a bit of an
    /// integer. `nil` for other elements.
    mutating func select(
        _ property: LiquidValue,
        of element: LiquidValue
    ) throws(LiquidError) -> LiquidValue? {
        switch (element, property) {
        case (.object(let object), .string(let name)): return object[name] ?? .null
        case (.object, _): return .null
        case (.drop(let drop), .string(let name)):
            return drop.value(named: LiquidName(name)) ?? .null
        case (.loop, .string(let name)), (.scope, .string(let name)):
            return self.property(LiquidName(name), of: element) ?? .null
        case (.string(let text), .string(let part)):
            try spend(bytes: 2 * (text.utf8.count + part.utf8.count))
            return ByteSearch.contains(text, part) ? property : .null
        case (.string(let text), .int(let index)):
            try spend(bytes: text.utf8.count)
            return character(of: text, at: index)
        case (.string(let text), .float(let index)):
            try spend(bytes: text.utf8.count)
            return character(of: text, at: Numbers.integer(index))
        case (.string(let text), .range(let range)):
            try spend(bytes: 2 * text.utf8.count)
            return part(of: text, range)
        case (.int(let number), .int(let bit)): return .int(bit < 0 ? 0 : (number >> bit) & 1)
        case (.int(let number), .float(let bit)):
            return .int(bit < 0 ? 0 : (number >> Numbers.integer(bit)) & 1)
        case (.int(let number), .range(let range)):
            let bits = number >> range.first
            return .int(
                range.count == 0 || range.count > 62 ? bits : bits & ((1 << range.count) - 1)
            )
        case (.int(let number), .big(let bit)):
            return .int(!bit.isNegative && number < 0 ? 1 : 0)
        case (.string, _), (.int, _), (.big, _):
            throw LiquidError(
                .argument,
                .noProperty,
                ["name": "\(plainText(property))"]
            )
        default: return nil
        }
    }

    private func character(of text: String, at index: Int) -> LiquidValue {
        let characters = text.unicodeScalars
        let position = index < 0 ? index + characters.count : index
        guard position >= 0, position < characters.count else { return .null }
        return .string(String(characters.dropFirst(position).prefix(1)))
    }

    private func part(of text: String, _ range: LiquidRange) -> LiquidValue {
        let characters = text.unicodeScalars
        let first = range.first < 0 ? range.first + characters.count : range.first
        let last = range.last < 0 ? range.last + characters.count : range.last
        guard first >= 0, first <= characters.count else { return .null }
        let count = max(0, min(last, characters.count - 1) - first + 1)
        return .string(String(characters.dropFirst(first).prefix(count)))
    }
}

extension LiquidValue {
    /// Whether the reference defines `[]` for the value.
    var hasProperties: Bool {
        switch self {
        case .null, .bool, .float, .range, .time: false
        default: true
        }
    }
}
