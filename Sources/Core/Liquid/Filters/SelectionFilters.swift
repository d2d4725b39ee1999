/// Filters that pick elements by a property: `where`, `reject`, `find` and their kin.
enum SelectionFilters {
    static let table: [String: Filter] = [
        "where": Filter(1...2) { (renderer, input, arguments) throws(LiquidError) in
            try chosen(&renderer, input, arguments, matching: true)
        },
        "reject": Filter(1...2) { (renderer, input, arguments) throws(LiquidError) in
            try chosen(&renderer, input, arguments, matching: false)
        },
        "has": Filter(1...2) { (renderer, input, arguments) throws(LiquidError) in
            switch try search(&renderer, input, arguments) {
            case .found: .bool(true)
            case .missing: .bool(false)
            case .unaskable: .null
            }
        },
        "find": Filter(1...2) { (renderer, input, arguments) throws(LiquidError) in
            guard case .found(let element, _) = try search(&renderer, input, arguments) else {
                return .null
            }
            return element
        },
        "find_index": Filter(1...2) { (renderer, input, arguments) throws(LiquidError) in
            guard case .found(_, let index) = try search(&renderer, input, arguments) else {
                return .null
            }
            return .int(index)
        },
    ]

    private enum Search {
        case found(LiquidValue, index: Int)
        case missing
        /// An element before the first match does not support properties.
        case unaskable
    }

    /// Whether an element has the property, or has it with the value; `nil` if it does not support
    /// properties.
    private static func matches(
        _ element: LiquidValue,
        _ arguments: FilterArguments,
        _ renderer: inout Renderer
    ) throws(LiquidError) -> Bool? {
        guard let value = try renderer.select(arguments.required(0), of: element) else {
            return nil
        }
        guard let target = arguments[1], !target.isNull else { return value.isTruthy }
        return try renderer.areEqual(value, target)
    }

    private static func chosen(
        _ renderer: inout Renderer,
        _ input: LiquidValue,
        _ arguments: FilterArguments,
        matching wanted: Bool
    ) throws(LiquidError) -> LiquidValue {
        var kept: [LiquidValue] = []
        for element in try renderer.elements(input) {
            guard let matches = try matches(element, arguments, &renderer) else { return .null }
            if matches == wanted { kept.append(element) }
        }
        return .array(kept)
    }

    private static func search(
        _ renderer: inout Renderer,
        _ input: LiquidValue,
        _ arguments: FilterArguments
    ) throws(LiquidError) -> Search {
        for (index, element) in try renderer.elements(input).enumerated() {
            guard let matches = try matches(element, arguments, &renderer) else {
                return .unaskable
            }
            if matches { return .found(element, index: index) }
        }
        return .missing
    }
}
