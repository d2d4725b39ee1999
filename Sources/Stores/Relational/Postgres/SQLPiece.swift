/// A part of a statement: a token, or what stands in parentheses.
struct SQLPiece: Hashable {
    enum Kind: Hashable {
        /// A keyword or a name, as `SELECT` or `profiles`.
        case word
        /// A name in quotation marks.
        case quotedName
        case text
        case number
        case bytes
        /// `?`, `?1` or `:name`.
        case parameter
        /// A parameter that is only compared with `NULL`, so that nothing else tells its type.
        case typelessParameter
        case mark
        case group
        /// The name of a function of PostgreSQL or of its schema, which no rule touches any more.
        case function
        /// PostgreSQL's own SQL, which no rule touches any more.
        case finished
    }

    var kind: Kind
    var text: String
    /// The pieces in the parentheses of a group.
    var inside: [SQLPiece] = []

    static func word(_ text: String) -> SQLPiece { SQLPiece(kind: .word, text: text) }
    static func mark(_ text: String) -> SQLPiece { SQLPiece(kind: .mark, text: text) }
    static func finished(_ text: String) -> SQLPiece { SQLPiece(kind: .finished, text: text) }
    static func group(_ inside: [SQLPiece]) -> SQLPiece {
        SQLPiece(kind: .group, text: "", inside: inside)
    }

    /// Whether it is a keyword, which our statements write in capitals: `END` ends a `CASE`, and `end` is
    /// a column.
    func isWord(_ keyword: String) -> Bool { kind == .word && text == keyword }

    func isMark(_ mark: String) -> Bool { kind == .mark && text == mark }

    func isAnyWord(_ keywords: Set<String>) -> Bool { kind == .word && keywords.contains(text) }

    func isAnyMark(_ marks: Set<String>) -> Bool { kind == .mark && marks.contains(text) }

    /// Whether it is a name, as of a column, a table or a function.
    var isName: Bool { kind == .quotedName || kind == .word && text != text.uppercased() }

    /// Whether it is a name or a value that has no parts.
    var isAtom: Bool {
        switch kind {
        case .text, .number, .bytes, .parameter, .typelessParameter, .quotedName, .finished: true
        case .word: isName || text == "NULL" || text == "TRUE" || text == "FALSE"
        case .mark, .group, .function: false
        }
    }

    /// Whether it is a group with a query.
    var isQuery: Bool {
        kind == .group && inside.first?.isAnyWord(["SELECT", "WITH", "VALUES"]) == true
    }
}
