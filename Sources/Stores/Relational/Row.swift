import GRDB

/// A row of a query's result. One that a cursor gives is valid until the next one.
package struct Row {
    enum Source {
        case sqlite(GRDB.Row)
        case postgres(PostgresRowValues)
    }

    let source: Source

    package subscript<Value: DatabaseValueConvertible>(_ index: Int) -> Value {
        switch source {
        case .sqlite(let row): Value.value(in: row, at: index)
        case .postgres(let row): Value.required(row.values[index], "column \(index)")
        }
    }

    package subscript<Value: DatabaseValueConvertible>(_ index: Int) -> Value? {
        switch source {
        case .sqlite(let row): Value.optionalValue(in: row, at: index)
        case .postgres(let row): Value.optional(row.values[index], "column \(index)")
        }
    }

    package subscript<Value: DatabaseValueConvertible>(_ name: String) -> Value {
        switch source {
        case .sqlite(let row): Value.value(in: row, named: name)
        case .postgres(let row): Value.required(row[name], name)
        }
    }

    package subscript<Value: DatabaseValueConvertible>(_ name: String) -> Value? {
        switch source {
        case .sqlite(let row): Value.optionalValue(in: row, named: name)
        case .postgres(let row): Value.optional(row[name], name)
        }
    }

    package var columnNames: [String] {
        switch source {
        case .sqlite(let row): Array(row.columnNames)
        case .postgres(let row): row.columns.names
        }
    }

    package func hasColumn(_ name: String) -> Bool {
        switch source {
        case .sqlite(let row): row.hasColumn(name)
        case .postgres(let row): row.columns.index[name] != nil
        }
    }

    package var databaseValues: [DatabaseValue] {
        switch source {
        case .sqlite(let row): row.databaseValues.map(DatabaseValue.init)
        case .postgres(let row): row.values
        }
    }
}

/// A row's values and the names that all rows of its result share.
struct PostgresRowValues {
    final class Columns: Sendable {
        let names: [String]
        let index: [String: Int]

        init(_ names: [String]) {
            self.names = names
            // As in SQLite, the first of two columns of one name answers.
            index = Dictionary(zip(names, names.indices)) { first, _ in first }
        }
    }

    let columns: Columns
    let values: [DatabaseValue]

    subscript(_ name: String) -> DatabaseValue {
        guard let index = columns.index[name] else {
            preconditionFailure("the query has no column \(name), but \(columns.names)")
        }
        return values[index]
    }
}
