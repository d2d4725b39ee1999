import Model
import Relational

/// Writes the notes for the user index that triggers cannot write.
struct ChangeLogWriter {
    private let database: Database
    private let workspace: WorkspaceID

    init(_ database: Database, in workspace: WorkspaceID) {
        self.database = database
        self.workspace = workspace
    }

    /// Records that a user's activity and list memberships now belong to another user.
    func merged(_ source: ProfileID, into target: ProfileID) throws {
        try database.execute(
            sql: """
                INSERT INTO profile_changes (workspace_id, profile_id, kind, other)
                VALUES (?, ?, 2, ?)
                """,
            arguments: [workspace.rawValue, source.rawValue, target.rawValue]
        )
        let lists = try Int64.fetchAll(
            database,
            sql: "SELECT list_id FROM user_list_members WHERE profile_id = ?",
            arguments: [source.rawValue]
        )
        for list in lists {
            try database.execute(
                sql: "INSERT OR IGNORE INTO user_list_members (list_id, profile_id) VALUES (?, ?)",
                arguments: [list, target.rawValue]
            )
            try wrote(list: list)
        }
    }

    /// Records that of the events of a name, given by its number, those before a time are only
    /// summed up from now on.
    func kept(name: Int64, since milliseconds: Int64) throws {
        try database.execute(
            sql: """
                INSERT INTO profile_changes (workspace_id, profile_id, kind, other)
                VALUES (?, ?, 4, ?)
                """,
            arguments: [workspace.rawValue, name, milliseconds.secondsFromMilliseconds]
        )
    }

    /// The same of what devices told about pushes.
    func keptInteractions(since milliseconds: Int64) throws {
        try database.execute(
            sql: """
                INSERT INTO profile_changes (workspace_id, profile_id, kind, other)
                VALUES (?, 0, 5, ?)
                """,
            arguments: [workspace.rawValue, milliseconds.secondsFromMilliseconds]
        )
    }

    func wrote(list: Int64) throws {
        try database.execute(
            sql: """
                INSERT INTO profile_changes (workspace_id, profile_id, kind) VALUES (?, ?, 3)
                """,
            arguments: [workspace.rawValue, list]
        )
    }
}
