import Foundation
import Model

/// The files of the folder that was applied to a workspace last, which say what its rows are to be.
package protocol FolderFileStore: Sendable {
    func hasFolderFiles(in workspace: WorkspaceID) async throws -> Bool
    /// In the order of their paths.
    func folderFiles(in workspace: WorkspaceID) async throws -> [FolderFile]
    /// The path of the file that describes a row.
    func folderPath(of row: WrittenRow, in workspace: WorkspaceID) async throws -> String?
    /// Forgets them, with an audit record if there were some.
    ///
    /// - Returns: How many rows were described.
    func removeFolderFiles(in workspace: WorkspaceID, noting record: AuditRecord) async throws
        -> Int
}
