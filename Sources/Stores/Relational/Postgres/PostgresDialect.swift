/// Translates the SQL that the store writes for SQLite into that of PostgreSQL.
///
/// There is one text for both. A rule here is for what the two merely spell differently, and holds for
/// every statement; what they understand differently is written in the store in such a way that both
/// mean the same. Functions that PostgreSQL lacks are part of its schema, as `json_each` of a text is.
///
/// Keywords are written in capitals and names in small letters, by which they are told apart: `END` ends
/// a `CASE`, and `end` is a column.
package enum PostgresDialect {
    package static func translate(_ sql: String) -> PostgresStatementText {
        let pieces = PostgresRules.translated(SQLReader.pieces(of: sql))
        let verbs: Set<String> = ["SELECT", "VALUES", "INSERT", "UPDATE", "DELETE"]
        let verb = pieces.first { $0.isAnyWord(verbs) }?.text
        var writer = PostgresWriter()
        writer.write(pieces)
        return PostgresStatementText(
            sql: writer.sql,
            parameters: writer.parameters,
            writes: verb.map { $0 != "SELECT" && $0 != "VALUES" } ?? false,
            lists: PostgresListText(pieces, parameters: writer.parameters.count)
        )
    }
}

/// Puts pieces together, and numbers the parameters.
struct PostgresWriter {
    /// What stands for a parameter.
    private let parameter: (Int) -> String
    private(set) var sql = ""
    private(set) var parameters: [String?] = []
    private var numbers: [String: Int] = [:]
    /// Whether the next piece follows without a space.
    private var isAttached = true

    init(parameter: @escaping (Int) -> String = { "$\($0)" }) {
        self.parameter = parameter
    }

    mutating func write(_ pieces: [SQLPiece]) {
        for (position, piece) in pieces.enumerated() {
            // A call, a cast.
            if piece.kind == .group, position > 0, PostgresRules.isFunction(pieces[position - 1]) {
                isAttached = true
            }
            if piece.kind == .finished, piece.text.hasPrefix("::") { isAttached = true }
            write(piece)
        }
    }

    private mutating func write(_ piece: SQLPiece) {
        switch piece.kind {
        case .group:
            append("(")
            isAttached = true
            write(piece.inside)
            sql += ")"
            isAttached = false
        case .mark where piece.text == "." || piece.text == "," || piece.text == ";":
            sql += piece.text
            isAttached = piece.text == "."
        case .parameter: append(parameter(number(of: piece.text)))
        case .typelessParameter: append("\(parameter(add(piece.text)))::text")
        case .word, .quotedName, .text, .number, .bytes, .mark, .function, .finished:
            append(piece.text)
        }
    }

    private mutating func append(_ text: String) {
        if !isAttached { sql += " " }
        sql += text
        isAttached = false
    }

    /// A name that is used twice is one parameter.
    private mutating func number(of parameter: String) -> Int {
        if parameter == "?" { return add(parameter) }
        if let number = Int(parameter.dropFirst()) {
            while parameters.count < number { parameters.append(nil) }
            return number
        }
        if let number = numbers[parameter] { return number }
        let number = add(parameter)
        numbers[parameter] = number
        return number
    }

    private mutating func add(_ parameter: String) -> Int {
        parameters.append(parameter.hasPrefix(":") ? String(parameter.dropFirst()) : nil)
        return parameters.count
    }
}
