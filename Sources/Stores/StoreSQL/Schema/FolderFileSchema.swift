/// The files of the folder that was applied to a workspace last.
enum FolderFileSchema {
    /// `kind` and `row_id` are of the row that a file describes; `text` is NULL if it was too long.
    static let sql = """
        CREATE TABLE folder_files (
            workspace_id INTEGER NOT NULL REFERENCES workspaces (id),
            path TEXT NOT NULL,
            kind TEXT,
            row_id TEXT,
            text TEXT,
            UNIQUE (workspace_id, path)
        );
        CREATE INDEX folder_files_by_row ON folder_files (workspace_id, kind, row_id)
            WHERE kind IS NOT NULL;
        """
}
