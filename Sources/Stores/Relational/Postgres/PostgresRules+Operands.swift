extension PostgresRules {
    /// Where the operand before a position begins: a value, a name with its table, a call, a `CASE` or a
    /// group.
    static func operandStart(before end: Int, in pieces: [SQLPiece]) -> Int {
        var start = end - 1
        guard start >= 0 else { return end }
        if pieces[start].isWord("END") {
            var depth = 0
            while start >= 0 {
                if pieces[start].isWord("END") { depth += 1 }
                if pieces[start].isWord("CASE") { depth -= 1 }
                if depth == 0 { return start }
                start -= 1
            }
            return 0
        }
        if pieces[start].kind == .group, start > 0, isFunction(pieces[start - 1]) { start -= 1 }
        while start > 1, pieces[start - 1].isMark("."), pieces[start - 2].isAtom { start -= 2 }
        return start
    }

    /// Where the operand that begins at a position ends: the position behind it.
    static func operandEnd(from start: Int, in pieces: [SQLPiece]) -> Int {
        var end = start
        while end < pieces.count, pieces[end].isAnyMark(["-", "+"]) { end += 1 }
        guard end < pieces.count else { return end }
        if pieces[end].isWord("CASE") {
            var depth = 0
            while end < pieces.count {
                if pieces[end].isWord("CASE") { depth += 1 }
                if pieces[end].isWord("END") { depth -= 1 }
                end += 1
                if depth == 0 { return end }
            }
            return end
        }
        end += 1
        while end + 1 < pieces.count, pieces[end].isMark(".") { end += 2 }
        if end < pieces.count, pieces[end].kind == .group, isFunction(pieces[end - 1]) { end += 1 }
        return end
    }

    static func isFunction(_ piece: SQLPiece) -> Bool {
        piece.kind == .function
            || piece.kind == .word
                && (piece.isName || piece.text == "CAST" || piece.text == "EXISTS")
    }

    /// The arguments of a call.
    static func arguments(_ pieces: [SQLPiece]) -> [[SQLPiece]] {
        pieces.split(omittingEmptySubsequences: false) { $0.isMark(",") }.map(Array.init)
    }

    static func call(_ function: String, _ arguments: [SQLPiece]...) -> [SQLPiece] {
        [
            SQLPiece(kind: .function, text: function),
            .group(Array(arguments.joined(separator: [.mark(",")]))),
        ]
    }
}
