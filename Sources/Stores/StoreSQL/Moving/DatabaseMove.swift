import GRDB
import Model
import Ports
import Reasons
import Relational

/// Moves everything that a database keeps into a new one, be it of SQLite or of PostgreSQL: every row of every
/// table with its numbers, so that ids, tokens, sealed secrets and what waits to be sent stay what they are.
///
/// What is moved is one state of the source, which is not changed. It arrives in one transaction: a move that
/// breaks off leaves nothing behind.
package struct DatabaseMove: Sendable {
    /// How far it is.
    package struct Progress: Sendable, Hashable {
        /// The table whose rows are being moved.
        package var table: String
        /// Number of rows that are moved, of all tables.
        package var rows: Int
        /// Number of rows that there are.
        package var total: Int
    }

    /// Tables that are each database's own: the migrations it has had, and the servers that work on it.
    private static let ownTables: Set<String> = [
        "grdb_migrations", "server_claim", "servers", "shared_changes",
    ]
    /// Number of rows between two reports.
    private static let reportedRows = 10_000

    private let source: SQLStore
    private let target: SQLStore

    /// - Parameters:
    ///   - source: Nobody writes to it meanwhile.
    ///   - target: New, and used by nobody else.
    package init(from source: SQLStore, to target: SQLStore) {
        self.source = source
        self.target = target
    }

    /// - Parameter report: Called at the beginning of each table and now and then. What it throws ends the move.
    /// - Returns: Number of rows by table.
    /// - Throws: `StoreError` with code `exists` if the target holds rows, `unsupported` if the two have not the
    ///   same schema, `unreadable` if a value is not what its column is for and cannot become it.
    @discardableResult
    package func run(
        _ report: @escaping @Sendable (Progress) throws -> Void = { _ in }
    ) async throws -> [String: Int] {
        try source.settle()
        guard let snapshot = try await source.pool.makeSnapshots(1, of: { _ in 0 }).first else {
            throw DatabaseError(.other, "the source gives no snapshot")
        }
        let firstRows = try FirstRows()
        let names = (source: source.place.name, target: target.place.name)
        let counts = try await target.write { database in
            try snapshot.readWaiting { source in
                let transfer = Transfer(source, database, firstRows, names)
                return try transfer.run(report)
            }
        }
        target.identities.removeAll()
        // The rows are there whether this succeeds or not; PostgreSQL does it on its own sooner or later.
        try? await target.pool.gatherStatistics(of: counts.keys.sorted())
        return counts
    }
}

extension DatabaseMove {
    /// A move within one transaction of each database.
    private struct Transfer {
        let source: Relational.Database
        let target: Relational.Database
        let firstRows: FirstRows
        let names: (source: String, target: String)

        init(
            _ source: Relational.Database,
            _ target: Relational.Database,
            _ firstRows: FirstRows,
            _ names: (source: String, target: String)
        ) {
            self.source = source
            self.target = target
            self.firstRows = firstRows
            self.names = names
        }

        func run(_ report: (Progress) throws -> Void) throws -> [String: Int] {
            let tables = try commonTables()
            for table in tables { try requireFirstRows(table.target) }
            let counts = try Dictionary(
                uniqueKeysWithValues: tables.map { ($0.name, try count($0.name, source)) }
            )
            var progress = Progress(table: "", rows: 0, total: counts.values.reduce(0, +))
            try target.loadingRows(of: tables.map(\.name)) {
                for table in tables where firstRows.hasAny(in: table.name) {
                    try target.execute(sql: "DELETE FROM \"\(table.name)\"")
                }
                for table in tables {
                    progress.table = table.name
                    try report(progress)
                    try copy(table, &progress, report)
                }
            }
            try target.setLastNumbers(source.lastNumbers())
            for table in tables {
                let (there, here) = (counts[table.name] ?? 0, try count(table.name, target))
                guard there == here else {
                    throw StoreError(
                        .unavailable,
                        .movedInPart,
                        ["table": .text(table.name), "source": "\(there)", "target": "\(here)"]
                    )
                }
            }
            return counts
        }

        private func count(_ table: String, _ database: Relational.Database) throws -> Int {
            try Int.fetchOnly(database, sql: "SELECT count(*) FROM \"\(table)\"")
        }

        // MARK: Before

        /// The tables of both, those that others refer to before them.
        private func commonTables() throws -> [MovedTable] {
            let steps = "SELECT identifier FROM grdb_migrations"
            let (there, here) = (
                try String.fetchSet(source, sql: steps), try String.fetchSet(target, sql: steps)
            )
            if let step = there.symmetricDifference(here).sorted().first { throw otherSchema(step) }
            var layouts: [String: TableLayout] = [:]
            for layout in try source.tableLayouts()
            where !DatabaseMove.ownTables.contains(layout.name) {
                layouts[layout.name] = layout
            }
            var tables: [MovedTable] = []
            for layout in try target.tableLayouts()
            where !DatabaseMove.ownTables.contains(layout.name) {
                guard
                    let table = layouts.removeValue(forKey: layout.name).flatMap({
                        MovedTable(from: $0, to: layout)
                    })
                else { throw otherSchema(layout.name) }
                tables.append(table)
            }
            if let missing = layouts.keys.min() { throw otherSchema(missing) }
            return try inOrder(tables)
        }

        private func otherSchema(_ difference: String) -> StoreError {
            StoreError(
                .unsupported,
                .otherSchema,
                [
                    "source": .text(names.source), "target": .text(names.target),
                    "difference": .text(difference),
                ]
            )
        }

        private func inOrder(_ tables: [MovedTable]) throws -> [MovedTable] {
            var ordered: [MovedTable] = []
            var rest = tables
            var known: Set<String> = []
            while !rest.isEmpty {
                let next = rest.filter { known.isSuperset(of: $0.target.parents) }
                guard !next.isEmpty else { throw otherSchema(rest[0].name) }
                ordered += next
                known.formUnion(next.map(\.name))
                rest.removeAll { known.contains($0.name) }
            }
            return ordered
        }

        private func requireFirstRows(_ table: TableLayout) throws {
            guard try !firstRows.areAll(of: table, target) else { return }
            throw StoreError(
                .exists,
                .notEmpty,
                ["path": .text(names.target), "table": .text(table.name)]
            )
        }

        // MARK: Rows

        private func copy(
            _ table: MovedTable,
            _ progress: inout Progress,
            _ report: (Progress) throws -> Void
        ) throws {
            let rows = try RawCursor(source, sql: table.query)
            try target.copy(
                rows,
                into: table.name,
                columns: table.columns.map(\.name)
            ) { row, column, value in
                guard let value = value.fitting(table.columns[column].kind) else {
                    throw misfit(table, row, column)
                }
                return value
            } onRow: {
                progress.rows += 1
                if progress.rows.isMultiple(of: DatabaseMove.reportedRows) { try report(progress) }
            }
        }

        private func misfit(_ table: MovedTable, _ row: RawRows, _ column: Int) -> StoreError {
            StoreError(
                .unreadable,
                .cannotBeMoved,
                [
                    "column": .text("\(table.name).\(table.columns[column].name)"),
                    "row": .text(table.place(of: row)),
                    "value": .text(row.withValue(column) { $0.words }),
                    "kind": .text(table.columns[column].kind.words),
                    "path": .text(names.source),
                ]
            )
        }
    }
}
