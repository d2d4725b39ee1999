extension Row {
    package static func fetchCursor(
        _ database: Database,
        sql: String,
        arguments: StatementArguments = StatementArguments()
    ) throws -> RowCursor {
        try RowCursor(database.makeStatement(sql: sql), arguments)
    }

    package static func fetchCursor(
        _ statement: Statement,
        arguments: StatementArguments = StatementArguments()
    ) throws -> RowCursor {
        try RowCursor(statement, arguments)
    }

    package static func fetchAll(
        _ database: Database,
        sql: String,
        arguments: StatementArguments = StatementArguments()
    ) throws -> [Row] {
        try fetchAll(database.makeStatement(sql: sql), arguments: arguments)
    }

    package static func fetchAll(
        _ statement: Statement,
        arguments: StatementArguments = StatementArguments()
    ) throws -> [Row] {
        switch statement.source {
        case .sqlite(let statement):
            let rows = try SQLiteRows(statement, arguments)
            var all: [Row] = []
            while try rows.next() {
                all.append(
                    Row(source: .values(RowValues(columns: rows.columns, values: rows.values)))
                )
            }
            return all
        case .postgres(let text, let session):
            let rows = try session.rows(text, arguments)
            var all: [Row] = []
            while let row = rows.next() { all.append(Row(source: .values(row))) }
            return all
        }
    }

    package static func fetchOne(
        _ database: Database,
        sql: String,
        arguments: StatementArguments = StatementArguments()
    ) throws -> Row? {
        try fetchOne(database.makeStatement(sql: sql), arguments: arguments)
    }

    package static func fetchOne(
        _ statement: Statement,
        arguments: StatementArguments = StatementArguments()
    ) throws -> Row? {
        switch statement.source {
        case .sqlite(let statement):
            let rows = try SQLiteRows(statement, arguments)
            guard try rows.next() else { return nil }
            return Row(source: .values(RowValues(columns: rows.columns, values: rows.values)))
        case .postgres(let text, let session):
            return try session.rows(text, arguments).next().map { Row(source: .values($0)) }
        }
    }
}

extension DatabaseValueConvertible {
    package static func fetchAll(
        _ database: Database,
        sql: String,
        arguments: StatementArguments = StatementArguments()
    ) throws -> [Self] {
        try fetchAll(database.makeStatement(sql: sql), arguments: arguments)
    }

    package static func fetchAll(
        _ statement: Statement,
        arguments: StatementArguments = StatementArguments()
    ) throws -> [Self] {
        let rows = try RowCursor(statement, arguments)
        var all: [Self] = []
        while let row = try rows.next() { all.append(row[0]) }
        return all
    }

    /// The first column of the first row; `nil` if there is none, or it holds `NULL`.
    package static func fetchOne(
        _ database: Database,
        sql: String,
        arguments: StatementArguments = StatementArguments()
    ) throws -> Self? {
        try fetchOne(database.makeStatement(sql: sql), arguments: arguments)
    }

    package static func fetchOne(
        _ statement: Statement,
        arguments: StatementArguments = StatementArguments()
    ) throws -> Self? {
        let rows = try RowCursor(statement, arguments)
        return try rows.next().flatMap { $0[0] }
    }
}

extension DatabaseValueConvertible where Self: Hashable {
    package static func fetchSet(
        _ database: Database,
        sql: String,
        arguments: StatementArguments = StatementArguments()
    ) throws -> Set<Self> {
        Set(try fetchAll(database, sql: sql, arguments: arguments))
    }

    package static func fetchSet(
        _ statement: Statement,
        arguments: StatementArguments = StatementArguments()
    ) throws -> Set<Self> {
        Set(try fetchAll(statement, arguments: arguments))
    }
}
