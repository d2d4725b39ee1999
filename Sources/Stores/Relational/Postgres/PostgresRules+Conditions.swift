extension PostgresRules {
    /// What may follow a condition.
    private static let ends: Set<String> = [
        "AND", "AS", "CROSS", "DO", "ELSE", "END", "EXCEPT", "FROM", "GROUP", "HAVING", "INNER",
        "JOIN",
        "LEFT", "LIMIT", "ON", "OR", "ORDER", "RETURNING", "THEN", "UNION", "WHEN", "WHERE",
        "WINDOW",
    ]

    /// What stands alone as a condition, as a column with 0 or 1 does, is asked for its truth.
    ///
    /// - Returns: The positions of the groups that are conditions.
    static func loneConditions(_ pieces: inout [SQLPiece], isCondition: Bool) -> Set<Int> {
        var conditions: Set<Int> = []
        var place = ConditionPlace(isDue: isCondition)
        var position = 0
        while position < pieces.count {
            let piece = pieces[position]
            if place.isDue, !piece.isWord("NOT") {
                place.isDue = false
                let end = operandEnd(from: position, in: pieces)
                let isAlone =
                    end >= pieces.count || pieces[end].isAnyWord(ends) || pieces[end].isMark(",")
                if isAlone, piece.kind == .group, !piece.isQuery {
                    conditions.insert(position)
                    position = end
                    continue
                }
                if isAlone, isValue(piece) {
                    let value = Array(pieces[position..<end])
                    pieces.replaceSubrange(position..<end, with: call("truth", value))
                    position += 2
                    continue
                }
            }
            let next = position + 1 < pieces.count ? pieces[position + 1] : nil
            place.pass(piece, next)
            position += 1
        }
        return conditions
    }

    private static func isValue(_ piece: SQLPiece) -> Bool {
        switch piece.kind {
        case .word: piece.isName || piece.text == "CASE" || piece.text == "CAST"
        case .group, .quotedName, .number, .parameter, .function: true
        case .text, .bytes, .typelessParameter, .mark, .finished: false
        }
    }
}

/// Tells where in a statement a condition begins.
private struct ConditionPlace {
    /// Whether the next piece begins a condition.
    var isDue: Bool
    /// Whether the next `AND` is that of a `BETWEEN`.
    private var isRange = false
    /// For each `CASE` around the place, whether its `WHEN`s are conditions.
    private var cases: [Bool] = []

    init(isDue: Bool) { self.isDue = isDue }

    mutating func pass(_ piece: SQLPiece, _ next: SQLPiece?) {
        guard piece.kind == .word else { return }
        switch piece.text {
        case "CASE": cases.append(next?.isWord("WHEN") == true)
        case "END": _ = cases.popLast()
        case "WHERE", "HAVING", "OR": isDue = true
        case "ON": isDue = next?.isWord("CONFLICT") != true
        case "WHEN": isDue = cases.last == true
        case "AND":
            isDue = !isRange
            isRange = false
        case "BETWEEN": isRange = true
        case "NOT":
            // `SELECT NOT is_test`, but not `x NOT IN (1)`.
            let others: Set<String> = ["IN", "ILIKE", "BETWEEN", "NULL", "EXISTS", "MATERIALIZED"]
            isDue = isDue || next?.isAnyWord(others) != true && next?.kind != .finished
        default: break
        }
    }
}
