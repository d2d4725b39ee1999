import Model
import Relational

/// The apps that requests name, each looked up once per transaction.
struct NamedApps {
    private struct Key: Hashable {
        var workspace: WorkspaceID
        var name: String
    }

    private var known: [Key: AppID?] = [:]

    /// The app with this SDK key or bundle identifier.
    static func find(
        _ name: String,
        in workspace: WorkspaceID,
        _ database: Database
    ) throws -> (id: AppID, platform: String)? {
        try Row.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT id, platform FROM apps
                    WHERE workspace_id = ?1 AND (sdk_key = ?2 OR bundle_id = ?2)
                    ORDER BY sdk_key = ?2 DESC, id LIMIT 1
                    """
            ),
            arguments: [workspace.rawValue, name]
        ).map { (AppID($0["id"]), $0["platform"]) }
    }

    mutating func app(
        _ name: String,
        in workspace: WorkspaceID,
        _ database: Database
    ) throws -> AppID? {
        let key = Key(workspace: workspace, name: name)
        if let known = known[key] { return known }
        let found = try Self.find(name, in: workspace, database)?.id
        known[key] = .some(found)
        return found
    }
}
