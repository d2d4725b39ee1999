import Foundation
import Model
import Ports
import Reasons
import Relational

/// Restores users from an export who do not exist here.
struct UserRestorer {
    let restored: RestoredUser
    let workspace: WorkspaceID
    let database: Database

    /// Inserts the user of the export, without attributes.
    func insert(externalID: String?) throws -> Profile {
        var profile = Profile(
            id: ProfileID(0),
            workspace: workspace,
            publicID: restored.publicID,
            externalID: externalID,
            anonymousID: restored.anonymousID,
            createdAt: restored.createdAt
        )
        profile.sessionCount = restored.sessionCount
        profile.firstSessionAt = restored.firstSessionAt
        profile.lastSessionAt = restored.lastSessionAt
        profile.id = try profile.insert(into: database)
        for alias in restored.aliases {
            try database.execute(
                sql: """
                    INSERT OR IGNORE INTO aliases (workspace_id, label, name, profile_id)
                    VALUES (?, ?, ?, ?)
                    """,
                arguments: [workspace.rawValue, alias.label, alias.name, profile.id.rawValue]
            )
        }
        return profile
    }

    /// Inserts the user's devices whose apps exist.
    ///
    /// - Returns: The other devices, as problems.
    func insertDevices(
        of profile: ProfileID,
        _ apps: inout NamedApps
    ) throws -> [FieldProblem] {
        var problems: [FieldProblem] = []
        for own in restored.devices {
            guard let app = try apps.app(own.app, in: workspace, database) else {
                problems.append(
                    FieldProblem("devices", .noAppHere, ["app": .text(own.app)])
                )
                continue
            }
            var device = own.device
            device.app = app
            device.profile = profile
            try device.insert(into: database, workspace)
        }
        return problems
    }
}
