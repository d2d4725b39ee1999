import Foundation
import Model
import Ports
import Relational

extension SQLStore: FolderFileStore {
    package func hasFolderFiles(in workspace: WorkspaceID) async throws -> Bool {
        try await read {
            try Bool.fetchOne(
                $0,
                sql: "SELECT EXISTS (SELECT 1 FROM folder_files WHERE workspace_id = ?)",
                arguments: [workspace.rawValue]
            ) ?? false
        }
    }

    package func folderFiles(in workspace: WorkspaceID) async throws -> [FolderFile] {
        try await read { try Self.folderFiles(in: workspace, $0) }
    }

    package func folderPath(
        of row: WrittenRow,
        in workspace: WorkspaceID
    ) async throws -> String? {
        try await read {
            try String.fetchOne(
                $0,
                sql: """
                    SELECT path FROM folder_files
                    WHERE workspace_id = ? AND kind = ? AND row_id = ?
                    """,
                arguments: [workspace.rawValue, row.kind, row.id]
            )
        }
    }

    package func removeFolderFiles(
        in workspace: WorkspaceID,
        noting record: AuditRecord
    ) async throws -> Int {
        try await write { database in
            let files = try Self.folderFiles(in: workspace, database)
            guard !files.isEmpty else { return 0 }
            try Self.replaceFolderFiles([], in: workspace, database)
            try Self.addAudit(record, in: workspace, database)
            return files.filter { $0.row != nil }.count
        }
    }

    private static func folderFiles(
        in workspace: WorkspaceID,
        _ database: Database
    ) throws -> [FolderFile] {
        try Row.fetchAll(
            database,
            sql: """
                SELECT path, kind, row_id, text FROM folder_files
                WHERE workspace_id = ? ORDER BY path
                """,
            arguments: [workspace.rawValue]
        ).map { row in
            let kind: String? = row["kind"]
            return FolderFile(
                path: row["path"],
                row: kind.map { WrittenRow(kind: $0, id: row["row_id"]) },
                text: row["text"]
            )
        }
    }

    /// Writes nothing if the same ones are there.
    static func replaceFolderFiles(
        _ files: [FolderFile],
        in workspace: WorkspaceID,
        _ database: Database
    ) throws {
        let former = try folderFiles(in: workspace, database)
        guard Set(former) != Set(files) else { return }
        try database.execute(
            sql: "DELETE FROM folder_files WHERE workspace_id = ?",
            arguments: [workspace.rawValue]
        )
        for file in files {
            try database.execute(
                sql: "INSERT INTO folder_files VALUES (?, ?, ?, ?, ?)",
                arguments: [
                    workspace.rawValue, file.path, file.row?.kind, file.row?.id, file.text,
                ]
            )
        }
    }
}
