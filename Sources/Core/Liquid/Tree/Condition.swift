/// `left operator right`, followed by the rest of an `and`/`or` chain. It is evaluated from the
/// left and stops as soon as the result is decided.
struct Condition: Sendable {
    enum Operator: Sendable, Equatable {
        case equal, notEqual, less, greater, lessOrEqual, greaterOrEqual, contains
        /// An unknown operator; evaluating it is an error.
        case unknown(String)

        init(_ text: String) {
            self =
                switch text {
                case "==": .equal
                case "!=", "<>": .notEqual
                case "<": .less
                case ">": .greater
                case "<=": .lessOrEqual
                case ">=": .greaterOrEqual
                case "contains": .contains
                default: .unknown(text)
                }
        }
    }

    enum Link: Sendable {
        case and
        case or
    }

    struct Part: Sendable {
        let left: Expression
        let comparison: (Operator, Expression)?
        /// The operator before the next part; `nil` for the last part.
        var link: Link?
    }

    var parts: [Part]
}
