import Foundation
import GRDB
import GRDBSQLite
import Model
import Ports

/// Writes the rows of events: the server's most frequent statement.
///
/// The values are bound with SQLite's own functions, because GRDB's argument boxes would cost as
/// much as the insertion.
final class EventWriter {
    private struct Name: Hashable {
        var workspace: WorkspaceID
        var name: String
    }

    private let database: Database
    private let statement: Statement
    private var names: [Name: Int64] = [:]

    init(_ database: Database) throws {
        self.database = database
        statement = try database.cachedStatement(
            sql: """
                INSERT INTO events (name_id, time, profile_id, properties, app_id)
                VALUES (?, ?, ?, ?, ?)
                """
        )
    }

    func insert(
        _ name: String,
        _ properties: EventProperties,
        _ time: Date,
        _ profile: ProfileID,
        _ workspace: WorkspaceID,
        app: AppID? = nil
    ) throws {
        let nameID = try id(of: name, in: workspace)
        let insert = statement.sqliteStatement
        sqlite3_reset(insert)
        sqlite3_bind_int64(insert, 1, nameID)
        sqlite3_bind_int64(insert, 2, time.milliseconds)
        sqlite3_bind_int64(insert, 3, profile.rawValue)
        // 0 means no app; NULL marks events stored before apps were recorded.
        sqlite3_bind_int64(insert, 5, app?.rawValue ?? 0)
        let result: CInt
        if properties.isEmpty {
            sqlite3_bind_null(insert, 4)
            result = sqlite3_step(insert)
        } else {
            var text = properties.text
            result = text.withUTF8 { bytes in
                bytes.withMemoryRebound(to: CChar.self) { characters in
                    // Without a destructor SQLite makes no copy; the step ends before the bytes are
                    // freed.
                    _ = sqlite3_bind_text(
                        insert,
                        4,
                        characters.baseAddress,
                        CInt(characters.count),
                        nil
                    )
                    return sqlite3_step(insert)
                }
            }
            sqlite3_bind_null(insert, 4)
        }
        sqlite3_reset(insert)
        guard result == SQLITE_DONE else {
            throw DatabaseError(resultCode: ResultCode(rawValue: result))
        }
    }

    private func id(of name: String, in workspace: WorkspaceID) throws -> Int64 {
        let key = Name(workspace: workspace, name: name)
        if let known = names[key] { return known }
        let stored = try Int64.fetchOne(
            try database.cachedStatement(
                sql: "SELECT id FROM event_names WHERE workspace_id = ? AND name = ?"
            ),
            arguments: [workspace.rawValue, name]
        )
        if let stored {
            names[key] = stored
            return stored
        }
        try database.execute(
            sql: "INSERT INTO event_names (workspace_id, name) VALUES (?, ?)",
            arguments: [workspace.rawValue, name]
        )
        names[key] = database.lastInsertedRowID
        return database.lastInsertedRowID
    }
}
