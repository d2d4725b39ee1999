/// The rules of `PostgresDialect`, in the order in which they apply to the pieces between two
/// parentheses. Each rule leaves the pieces of groups alone, to which all rules apply afterwards.
enum PostgresRules {
    /// - Parameter isCondition: Whether the pieces are a condition, or several.
    static func translated(_ pieces: [SQLPiece], isCondition: Bool = false) -> [SQLPiece] {
        var pieces = pieces
        if pieces.last?.isMark(";") == true { pieces.removeLast() }
        leaveOutIndexHints(&pieces)
        ignoreConflicts(&pieces)
        joinInAnyOrder(&pieces)
        nameQueries(&pieces)
        listsAsArrays(&pieces)
        casts(&pieces)
        functions(&pieces)
        readJSON(&pieces)
        compareWithoutCase(&pieces)
        like(&pieces)
        isDistinct(&pieces)
        for (position, mark) in pieces.enumerated() where mark.isMark("==") {
            pieces[position].text = "="
        }
        let conditions = loneConditions(&pieces, isCondition: isCondition)
        quoteNames(&pieces)
        for position in pieces.indices where pieces[position].kind == .group {
            pieces[position].inside = translated(
                pieces[position].inside,
                isCondition: conditions.contains(position)
            )
        }
        return pieces
    }

    // MARK: Statements

    /// `INDEXED BY` and `NOT INDEXED`: PostgreSQL chooses its own plans.
    private static func leaveOutIndexHints(_ pieces: inout [SQLPiece]) {
        var position = 0
        while position + 1 < pieces.count {
            if pieces[position].isWord("INDEXED"), pieces[position + 1].isWord("BY") {
                pieces.removeSubrange(position...min(position + 2, pieces.count - 1))
            } else if pieces[position].isWord("NOT"), pieces[position + 1].isWord("INDEXED") {
                pieces.removeSubrange(position...position + 1)
            } else {
                position += 1
            }
        }
    }

    /// `INSERT OR IGNORE` is `INSERT … ON CONFLICT DO NOTHING`.
    private static func ignoreConflicts(_ pieces: inout [SQLPiece]) {
        guard let start = position(of: ["INSERT", "OR", "IGNORE"], in: pieces) else { return }
        pieces.removeSubrange(start + 1...start + 2)
        let end = pieces.firstIndex { $0.isWord("RETURNING") } ?? pieces.endIndex
        pieces.insert(.finished("ON CONFLICT DO NOTHING"), at: end)
    }

    /// `CROSS JOIN … ON`, which in SQLite keeps the order of the tables, is a `JOIN`.
    private static func joinInAnyOrder(_ pieces: inout [SQLPiece]) {
        let ends: Set<String> = [
            "JOIN", "LEFT", "CROSS", "WHERE", "GROUP", "ORDER", "LIMIT", "UNION", "HAVING",
        ]
        var position = pieces.count - 2
        while position >= 0 {
            defer { position -= 1 }
            guard pieces[position].isWord("CROSS"), pieces[position + 1].isWord("JOIN") else {
                continue
            }
            let end = pieces[(position + 2)...].firstIndex {
                $0.isAnyWord(ends) || $0.isWord("ON") || $0.isMark(",")
            }
            if let end, pieces[end].isWord("ON") { pieces.remove(at: position) }
        }
    }

    /// A query in `FROM` has to have a name.
    private static func nameQueries(_ pieces: inout [SQLPiece]) {
        let ends: Set<String> = [
            "WHERE", "GROUP", "ORDER", "LIMIT", "UNION", "HAVING", "SELECT", "SET", "WINDOW",
        ]
        var result: [SQLPiece] = []
        var isSource = false
        var count = 0
        for (position, piece) in pieces.enumerated() {
            result.append(piece)
            if piece.isWord("FROM") {
                isSource = true
            } else if piece.isAnyWord(ends) {
                isSource = false
            }
            guard isSource, piece.isQuery, position > 0,
                pieces[position - 1].isAnyWord(["FROM", "JOIN"]) || pieces[position - 1].isMark(",")
            else { continue }
            let next = position + 1 < pieces.count ? pieces[position + 1] : nil
            if next?.isWord("AS") == true || next?.isName == true { continue }
            count += 1
            result += [.word("AS"), .word("query_\(count)")]
        }
        pieces = result
    }

    // MARK: Lists

    /// `IN (SELECT value FROM json_each(…))`, where a list of values is given as JSON, is a look-up of
    /// the values of an array, for which an index serves.
    private static func listsAsArrays(_ pieces: inout [SQLPiece]) {
        var position = pieces.count - 2
        while position >= 0 {
            defer { position -= 1 }
            guard pieces[position].isWord("IN"), pieces[position + 1].kind == .group,
                let array = array(of: pieces[position + 1].inside)
            else { continue }
            let isNegated = position > 0 && pieces[position - 1].isWord("NOT")
            pieces.replaceSubrange(
                (isNegated ? position - 1 : position)...position + 1,
                with: [.finished(isNegated ? "<> ALL" : "= ANY"), .group(array)]
            )
        }
    }

    private static func array(of query: [SQLPiece]) -> [SQLPiece]? {
        guard let list = query.last, list.kind == .group, list.inside.count == 1,
            let source = list.inside.first, source.isAtom
        else { return nil }
        let start = query.dropLast()
        if start.map(\.text) == ["SELECT", "value", "FROM", "json_each"] {
            return [SQLPiece(kind: .function, text: "json_texts"), list]
        }
        guard start.count == 5, start[0].isWord("SELECT"), start[1].isWord("CAST"),
            start[2].inside.map(\.text) == ["value", "AS", "INTEGER"],
            start[3].isWord("FROM"), start[4].isWord("json_each")
        else { return nil }
        return [SQLPiece(kind: .function, text: "json_integers"), list]
    }

    // MARK: Names

    /// Words of PostgreSQL that columns of ours have as names.
    private static let reserved: Set<String> = [
        "all", "analyse", "analyze", "and", "any", "array", "as", "asc", "both", "case", "cast",
        "check", "collate", "column", "constraint", "create", "default", "desc", "distinct", "do",
        "else", "end", "except", "fetch", "for", "foreign", "from", "grant", "group", "having",
        "in",
        "into", "lateral", "leading", "limit", "offset", "on", "only", "or", "order", "placing",
        "primary", "references", "select", "some", "table", "then", "to", "trailing", "union",
        "unique", "user", "using", "variadic", "when", "where", "window", "with",
    ]

    private static func quoteNames(_ pieces: inout [SQLPiece]) {
        for position in pieces.indices where pieces[position].isAnyWord(reserved) {
            pieces[position] = SQLPiece(kind: .quotedName, text: "\"\(pieces[position].text)\"")
        }
    }

    // MARK: Helpers

    static func position(of words: [String], in pieces: [SQLPiece]) -> Int? {
        guard pieces.count >= words.count else { return nil }
        return (0...(pieces.count - words.count)).first { start in
            words.indices.allSatisfy { pieces[start + $0].isWord(words[$0]) }
        }
    }
}
