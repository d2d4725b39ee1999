import Foundation
import GRDB
import Model
import Ports
import Reasons
import Relational

extension SQLStore {
    /// - Throws: `StoreError` with code `unavailable` on PostgreSQL, which has its own tools for it.
    func sqliteFile() throws -> GRDB.DatabasePool {
        guard let file = pool.sqlite else {
            throw StoreError(.unavailable, .noFile, ["path": .text(place.name)])
        }
        return file
    }

    /// Writes a copy of the database to a file that does not exist yet, readable by its owner only.
    package func copy(to path: String) async throws {
        _ = try DatabaseFile(preparing: path)
        try settle()
        try await sqliteFile().writeWithoutTransaction { database in
            try database.execute(sql: "VACUUM INTO ?", arguments: [path])
        }
    }
}

/// Finds and repairs rows that the store cannot read or no count can include: values that earlier
/// versions accepted, and damage to the file.
package struct DatabaseDoctor: Sendable {
    private let store: SQLStore

    package init(_ store: SQLStore) {
        self.store = store
    }

    /// Reads every row; changes nothing.
    package func examine() async throws -> DoctorReport {
        do {
            // Bypasses the store, which would replace SQLite's error for a damaged file with its
            // own.
            return try await store.pool.read { database in
                var report = DoctorReport()
                try Self.checkFile(database, &report)
                // Unreadable pages would abort every other check.
                guard !report.isFileDamaged else { return report }
                for table in try StoredTable.all(database) {
                    try table.check(database, &report)
                }
                try DomainCheck(database: database).run(&report)
                return report
            }
        } catch {
            guard let problem = DatabaseError(error), problem.kind == .damaged else { throw error }
            return Self.damagedFile(problem.message)
        }
    }

    private static func damagedFile(_ reason: String) -> DoctorReport {
        var report = DoctorReport()
        report.isFileDamaged = true
        report.faults = [StoredFault(table: "the file", reason: reason, remedy: .none)]
        return report
    }

    /// Repairs everything that `examine` finds, or nothing.
    ///
    /// - Returns: The findings and the repairs.
    package func mend(now: Date) async throws -> DoctorReport {
        let report = try await examine()
        guard !report.isHealthy, !report.isFileDamaged else { return report }
        try await store.write { database in
            var mender = try RowMender(database: database, now: now)
            for fault in report.faults { try mender.mend(fault) }
        }
        return report
    }

    private static func checkFile(_ database: Relational.Database, _ report: inout DoctorReport)
        throws
    {
        // PostgreSQL checks its own pages.
        guard database.kind == .sqlite else { return }
        let problems = try String.fetchAll(database, sql: "PRAGMA integrity_check(100)")
        for problem in problems where problem != "ok" {
            report.isFileDamaged = true
            report.faults.append(
                StoredFault(table: "the file", reason: problem, remedy: .none)
            )
        }
    }
}
