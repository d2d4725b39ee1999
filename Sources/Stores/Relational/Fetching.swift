import GRDB

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
            return try GRDB.Row.fetchAll(statement, arguments: arguments.forSQLite)
                .map { Row(source: .sqlite($0)) }
        case .postgres(let text, let session):
            let rows = try session.rows(text, arguments)
            var all: [Row] = []
            while let row = rows.next() { all.append(Row(source: .postgres(row))) }
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
            try GRDB.Row.fetchOne(statement, arguments: arguments.forSQLite)
                .map { Row(source: .sqlite($0)) }
        case .postgres(let text, let session):
            try session.rows(text, arguments).next().map { Row(source: .postgres($0)) }
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
        try Row.fetchOne(statement, arguments: arguments).flatMap { $0[0] }
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
