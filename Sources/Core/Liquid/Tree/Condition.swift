/// `left operator right`, followed by the rest of an `and`/`or` chain, evaluated from the left
/// and stopping as soon as a part decides.
struct Condition: Sendable {
    enum Operator: Sendable, Equatable {
        case equal, notEqual, less, greater, lessOrEqual, greaterOrEqual, contains
        /// An operator the language does not have; evaluating it is an error.
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
        /// How the next part is joined; `nil` for the last.
        var link: Link?
    }

    var parts: [Part]
}
