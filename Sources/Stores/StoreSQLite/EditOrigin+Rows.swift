import Foundation
import GRDB
import Model
import Ports

extension EditOrigin {
    /// Refuses what was saved before.
    ///
    /// - Throws: `DraftFinished`.
    func begin(in workspace: WorkspaceID, _ database: Database) throws {
        guard let draft else { return }
        let outcome = try String.fetchOne(
            database,
            sql: "SELECT outcome FROM form_drafts WHERE public_id = ? AND workspace_id = ?",
            arguments: [draft, workspace.rawValue]
        )
        if let outcome { throw DraftFinished(outcome: outcome) }
    }

    /// Refuses to overwrite what somebody else has saved since the editing began.
    ///
    /// - Throws: `StoreError` with code `changed`.
    func check(_ sql: String, _ id: some DatabaseValueConvertible, _ database: Database) throws {
        guard let version else { return }
        let stored = try Int64.fetchOne(database, sql: sql, arguments: [id])
        guard stored == nil || stored == version.milliseconds else {
            throw StoreError(.changed, "somebody has saved it since the editing began")
        }
    }

    /// Notes what the draft has become.
    func finish(as outcome: String, in workspace: WorkspaceID, _ database: Database) throws {
        guard let draft else { return }
        try database.execute(
            sql: "UPDATE form_drafts SET outcome = ? WHERE public_id = ? AND workspace_id = ?",
            arguments: [outcome, draft, workspace.rawValue]
        )
    }
}
