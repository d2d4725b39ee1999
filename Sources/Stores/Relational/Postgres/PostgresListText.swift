import PostgresClient

/// A statement that is run for many lists of values at once: what would be parameters are columns of a table
/// that has a row for each list.
///
/// A query is joined to the table and answers its first row for each list, a change takes the values of its
/// rows from it, and an `INSERT` inserts what it answers.
struct PostgresListText: Sendable, Hashable {
    /// With a gap where the table stands.
    private let pieces: [SQLPiece]
    private let parameters: Int
    /// Whether rows of the answer tell which list they are for; what was inserted does not.
    let hasPositions: Bool

    private static let table = "list"
    private static let number = "list.list_number"
    private static let gap = SQLPiece.finished("")

    /// - Parameter pieces: Of a statement in PostgreSQL's words.
    init?(_ pieces: [SQLPiece], parameters: Int) {
        guard parameters > 0, let verb = pieces.first,
            let pieces = Self.changed(pieces, verb.text)
        else { return nil }
        self.pieces = pieces
        self.parameters = parameters
        hasPositions = !verb.isWord("INSERT")
    }

    private static func changed(_ pieces: [SQLPiece], _ verb: String) -> [SQLPiece]? {
        switch verb {
        case "SELECT": query(pieces)
        case "UPDATE": update(pieces)
        case "INSERT": insert(pieces)
        default: nil
        }
    }

    private static func query(_ pieces: [SQLPiece]) -> [SQLPiece]? {
        guard !pieces.contains(where: { $0.isAnyWord(["LIMIT", "OFFSET"]) }) else { return nil }
        let first: [SQLPiece] = [.word("LIMIT"), .finished("1")]
        return [.finished("SELECT answer.*, \(number) FROM"), gap, .finished("CROSS JOIN LATERAL")]
            + [.group(pieces + first), .finished("AS answer")]
    }

    private static func update(_ pieces: [SQLPiece]) -> [SQLPiece]? {
        guard let condition = pieces.firstIndex(where: { $0.isWord("WHERE") }),
            !pieces.contains(where: { $0.isWord("FROM") })
        else { return nil }
        let isAnswered = pieces.contains { $0.isWord("RETURNING") }
        return pieces[..<condition] + [.word("FROM"), gap] + pieces[condition...]
            + [isAnswered ? .mark(",") : .word("RETURNING"), .finished(number)]
    }

    private static func insert(_ pieces: [SQLPiece]) -> [SQLPiece]? {
        // What follows a conflict knows only the row that was to be inserted.
        let conflict = pieces.firstIndex { $0.isWord("CONFLICT") } ?? pieces.endIndex
        guard !pieces[conflict...].contains(where: hasParameter) else { return nil }
        if let values = pieces.firstIndex(where: { $0.isWord("VALUES") }) {
            let next = values + 1
            guard next < pieces.endIndex, pieces[next].kind == .group,
                !pieces[next].inside.contains(where: { $0.isWord("DEFAULT") }),
                next + 1 == pieces.endIndex || !pieces[next + 1].isMark(",")
            else { return nil }
            return pieces[..<values] + [.word("SELECT")] + pieces[next].inside
                + [.word("FROM"), gap] + pieces[(next + 1)...]
        }
        guard let source = pieces.firstIndex(where: { $0.isWord("FROM") }),
            pieces[..<source].contains(where: { $0.isWord("SELECT") }),
            !pieces.contains(where: { $0.isAnyWord(["UNION", "LIMIT", "GROUP", "ORDER"]) })
        else { return nil }
        return pieces[...source] + [gap, .finished("CROSS JOIN")] + pieces[(source + 1)...]
    }

    private static func hasParameter(_ piece: SQLPiece) -> Bool {
        switch piece.kind {
        case .parameter, .typelessParameter: true
        default: piece.inside.contains(where: hasParameter)
        }
    }

    /// The statement for these lists; `nil` if a parameter has values of several types.
    func statement(for lists: [[PostgresValue]]) -> PostgresListStatement? {
        var values: [PostgresValue] = []
        var columns: [String] = []
        var names: [String] = []
        for parameter in 0..<parameters {
            let column = lists.map { $0[parameter] }
            // One that no list has a value for is of no type: it stays what it is in the statement.
            guard column.contains(where: { $0 != .null }) else {
                names.append("NULL")
                continue
            }
            guard let list = PostgresList(column) else { return nil }
            values.append(.list(list))
            columns.append("list_\(parameter + 1)")
            names.append("\(Self.table).list_\(parameter + 1)")
        }
        guard !values.isEmpty else { return nil }
        let arrays = values.indices.map { "$\($0 + 1)" }.joined(separator: ", ")
        columns.append("list_number")
        let table = """
            unnest(\(arrays)) WITH ORDINALITY AS \(Self.table) (\(columns.joined(separator: ", ")))
            """
        var writer = PostgresWriter { names[$0 - 1] }
        writer.write(pieces.map { $0 == Self.gap ? .finished(table) : $0 })
        return PostgresListStatement(sql: writer.sql, values: values, hasPositions: hasPositions)
    }
}

/// A statement for all lists, and their values.
struct PostgresListStatement {
    var sql: String
    var values: [PostgresValue]
    var hasPositions: Bool

    func rows(of result: PostgresResult) -> [PostgresListRow] {
        let names = hasPositions ? result.columns.dropLast() : result.columns[...]
        let columns = RowValues.Columns(names: Array(names))
        return (0..<result.count).map { row in
            let values = names.indices.map { DatabaseValue(result.value(row, $0)) }
            var position: Int?
            if hasPositions, case .integer(let number) = result.value(row, names.count) {
                position = Int(number) - 1
            }
            return PostgresListRow(
                position: position,
                values: RowValues(columns: columns, values: values)
            )
        }
    }
}

/// A row of the answer to many lists.
struct PostgresListRow {
    /// That of the list it is for, if the statement tells.
    var position: Int?
    var values: RowValues
}
