/// An expression with a value: a literal, a variable path, a range, or (in the messaging dialect) a
/// whole output used inside a tag.
indirect enum Expression: Sendable {
    case literal(LiquidValue)
    /// `blank` as an operand of a comparison.
    case blank
    /// `empty` as an operand of a comparison.
    case empty
    case variable(VariablePath)
    case range(Expression, Expression)
    /// `{{ … }}` inside a tag or an output.
    case nested(Output)

    var literalText: String? {
        if case .literal(.string(let text)) = self { return text }
        return nil
    }
}

/// `name.key[index].first`
final class VariablePath: Sendable {
    enum Root: Sendable {
        case name(LiquidName)
        /// `${name}`
        case attribute(LiquidName)
        /// `group.${name}`: read with a single call to the source of variables.
        case member(LiquidName, group: LiquidName)
        /// `content_blocks.${name}`
        case contentBlock(String)
        /// `[expression]`: the value of the expression is the name.
        case computed(Expression)
        /// `{{ … }}.key`
        case nested(Output)
    }

    enum Step: Sendable {
        case key(PathKey)
        case index(Expression)
    }

    let root: Root
    let steps: [Step]

    init(root: Root, steps: [Step]) {
        self.root = root
        self.steps = steps
    }
}

/// A key after a dot, with its possible meanings besides a property.
struct PathKey: Sendable {
    enum Command: Sendable {
        case size
        case first
        case last
    }

    let name: LiquidName
    let command: Command?
    let loopField: LoopField?
    /// Written `${name}`.
    let isAttribute: Bool

    init(_ text: String, isAttribute: Bool = false) {
        name = LiquidName(text)
        self.isAttribute = isAttribute
        loopField = LoopField(rawValue: text)
        command =
            switch text {
            case "size": .size
            case "first": .first
            case "last": .last
            default: nil
            }
    }
}

/// The properties of `forloop` and `tablerowloop`.
enum LoopField: String, Sendable {
    case index, index0, rindex, rindex0, first, last, length, name, parentloop
    case col, col0, row
    case columnFirst = "col_first"
    case columnLast = "col_last"
}
