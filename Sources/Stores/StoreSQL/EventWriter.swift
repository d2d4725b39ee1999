import Foundation
import Model
import Ports
import Relational

/// Writes the rows of events: the server's most frequent statement.
final class EventWriter {
    private struct Name: Hashable {
        var workspace: WorkspaceID
        var name: String
    }

    private let database: Database
    private let statement: RepeatedStatement
    private var names: [Name: Int64] = [:]

    init(_ database: Database) throws {
        self.database = database
        statement = try RepeatedStatement(
            database,
            sql: """
                INSERT INTO events (name_id, time, profile_id, properties, app_id)
                VALUES (?, ?, ?, ?, ?)
                """,
            parameters: 5
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
        statement.bind(nameID, to: 1)
        statement.bind(time.milliseconds, to: 2)
        statement.bind(profile.rawValue, to: 3)
        // 0 means no app; NULL marks events stored before apps were recorded.
        statement.bind(app?.rawValue ?? 0, to: 5)
        try statement.run(properties.isEmpty ? nil : properties.text, as: 4)
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
        let new = try Int64.fetchOnly(
            database,
            sql: "INSERT INTO event_names (workspace_id, name) VALUES (?, ?) RETURNING id",
            arguments: [workspace.rawValue, name]
        )
        names[key] = new
        return new
    }
}
