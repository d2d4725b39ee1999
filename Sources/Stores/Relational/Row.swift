/// A row of a query's result. One that a cursor gives is valid until the next one.
package struct Row {
    @usableFromInline
    enum Source {
        /// Where SQLite's statement stands: nothing is read that nobody asks for.
        case sqlite(SQLiteRows)
        case values(RowValues)
    }

    @usableFromInline let source: Source

    init(source: Source) { self.source = source }

    // Known to other modules, where it is made for the type that is asked for: without that a generic value
    // would be made on the way, for each column of each row.
    @inlinable
    package subscript<Value: DatabaseValueConvertible>(_ index: Int) -> Value {
        if case .sqlite(let rows) = source,
            let value = Value.value(rows.statement, Int32(truncatingIfNeeded: index))
        {
            return value
        }
        return required(index)
    }

    @inlinable
    package subscript<Value: DatabaseValueConvertible>(_ index: Int) -> Value? {
        if case .sqlite(let rows) = source {
            return Value.value(rows.statement, Int32(truncatingIfNeeded: index))
        }
        return optional(index)
    }

    @usableFromInline
    func required<Value: DatabaseValueConvertible>(_ index: Int) -> Value {
        switch source {
        case .sqlite(let rows): Value.required(rows, Int32(index))
        case .values(let row): Value.required(row.values[index], "column \(index)")
        }
    }

    @usableFromInline
    func optional<Value: DatabaseValueConvertible>(_ index: Int) -> Value? {
        switch source {
        case .sqlite(let rows): Value.value(rows.statement, Int32(index))
        case .values(let row): Value.optional(row.values[index], "column \(index)")
        }
    }

    package subscript<Value: DatabaseValueConvertible>(_ name: String) -> Value {
        switch source {
        case .sqlite(let rows): Value.required(rows, Int32(rows.columns.index(of: name)))
        case .values(let row): Value.required(row[name], name)
        }
    }

    package subscript<Value: DatabaseValueConvertible>(_ name: String) -> Value? {
        switch source {
        case .sqlite(let rows): Value.value(rows.statement, Int32(rows.columns.index(of: name)))
        case .values(let row): Value.optional(row[name], name)
        }
    }

    package var columnNames: [String] {
        switch source {
        case .sqlite(let rows): rows.columns.names
        case .values(let row): row.columns.names
        }
    }

    package func hasColumn(_ name: String) -> Bool { columnNames.contains(name) }

    package var databaseValues: [DatabaseValue] {
        switch source {
        case .sqlite(let rows): rows.values
        case .values(let row): row.values
        }
    }
}

/// A row's values and the names that all rows of its result share.
@usableFromInline
struct RowValues {
    /// Few enough that looking through them is faster than a table of them.
    struct Columns: Sendable {
        let names: [String]

        /// As in SQLite, the first of two columns of one name answers.
        func index(of name: String) -> Int {
            guard let index = names.firstIndex(of: name) else {
                preconditionFailure("the query has no column \(name), but \(names)")
            }
            return index
        }
    }

    let columns: Columns
    let values: [DatabaseValue]

    subscript(_ name: String) -> DatabaseValue { values[columns.index(of: name)] }
}
