import Foundation
import Model
import Ports
import Relational

extension EditOrigin {
    /// Rejects a draft that has already been saved.
    ///
    /// - Throws: `DraftFinishedError`.
    func begin(in workspace: WorkspaceID, _ database: Database) throws {
        guard let draft else { return }
        let outcome = try String.fetchOne(
            database,
            sql: "SELECT outcome FROM form_drafts WHERE public_id = ? AND workspace_id = ?",
            arguments: [draft, workspace.rawValue]
        )
        if let outcome { throw DraftFinishedError(outcome: outcome) }
    }

    /// Rejects the edit if another member saved the object after the editing began.
    ///
    /// - Throws: `StoreError` with code `changed`.
    func check(_ sql: String, _ id: some DatabaseValueConvertible, _ database: Database) throws {
        guard let version else { return }
        let stored = try Int64.fetchOne(database, sql: sql, arguments: [id])
        guard stored == nil || stored == version.milliseconds else {
            throw StoreError(.changed, .savedMeanwhile)
        }
    }

    /// Records the outcome of the draft.
    func finish(as outcome: String, in workspace: WorkspaceID, _ database: Database) throws {
        guard let draft else { return }
        try database.execute(
            sql: "UPDATE form_drafts SET outcome = ? WHERE public_id = ? AND workspace_id = ?",
            arguments: [outcome, draft, workspace.rawValue]
        )
    }
}
