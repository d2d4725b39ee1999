import Relational

extension DatabaseValueConvertible {
    /// The value of a query that always has one, as a count does; it is an error if there is none.
    static func fetchOnly(
        _ database: Database,
        sql: String,
        arguments: StatementArguments = StatementArguments()
    ) throws -> Self {
        try fetchOnly(database.makeStatement(sql: sql), arguments: arguments)
    }

    static func fetchOnly(_ statement: Statement, arguments: StatementArguments) throws -> Self {
        guard let value = try fetchOne(statement, arguments: arguments) else {
            throw DatabaseError.nothing(found: statement.sql)
        }
        return value
    }
}

extension Row {
    /// The row of a query that always has one, as totals do; it is an error if there is none.
    static func fetchOnly(
        _ database: Database,
        sql: String,
        arguments: StatementArguments
    ) throws -> Row {
        guard let row = try fetchOne(database, sql: sql, arguments: arguments) else {
            throw DatabaseError.nothing(found: sql)
        }
        return row
    }
}

extension Database {
    /// The highest number among the rows of a table; 0 if there are none.
    func last(_ column: String = "id", of table: String) throws -> Int64 {
        try Int64.fetchOne(cachedStatement(sql: "SELECT max(\(column)) FROM \(table)")) ?? 0
    }
}

extension DatabaseError {
    fileprivate static func nothing(found sql: String) -> DatabaseError {
        DatabaseError(.mismatch, "the query found nothing: \(sql)")
    }
}
