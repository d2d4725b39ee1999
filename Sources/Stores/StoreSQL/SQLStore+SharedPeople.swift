import Model
import Ports
import Relational

extension SQLStore: SharedPeopleStore {
    package func keepOnly(_ share: PeopleShare) async throws {
        try await write { [identities] database in
            try identities.forgetAll(database)
            for table in ["profiles", "devices"] {
                let last = try Int64.fetchOne(database, sql: "SELECT max(id) FROM \(table)")
                if let last { try RowIDAllocator.retire(last, of: table, database) }
            }
            // The profiles are last: the rows that depend on them are gone then.
            for (table, column) in Self.ownedRows + [("profiles", "id")] {
                try database.execute(
                    sql: "DELETE FROM \(table) WHERE \(column) > 0 AND \(column) % ? <> ?",
                    arguments: [share.count, share.number]
                )
            }
            try CampaignRows.keepCursorsBehindRows(database)
        }
    }

    /// Tables whose rows belong to one user, with the column that says to whom.
    private static var ownedRows: [(table: String, column: String)] {
        ProfileColumns.all.filter { column in
            switch column.handling {
            case .mark, .note: false
            default: true
            }
        }.map { ($0.table, $0.column) }
    }

    package func passOver(users: Int, devices: Int) async throws {
        try await write { database in
            for (table, count) in [("profiles", users), ("devices", devices)] where count > 0 {
                try database.execute(
                    sql: """
                        UPDATE retired_ids SET id = \(RowIDAllocator.next(table)) + ? - 1
                        WHERE kind = ?
                        """,
                    arguments: [count, table]
                )
            }
        }
    }
}
