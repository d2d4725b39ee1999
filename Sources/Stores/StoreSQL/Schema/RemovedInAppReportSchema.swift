/// What is kept of reports of in-app messages whose rows were removed when they were old.
enum RemovedInAppReportSchema {
    /// - `removed_in_app_subjects` has what was told of: a message, what happened to it, and the
    ///   button and the variant where the reports named one.
    /// - `removed_in_app_reports` has, of each of these and of each user, what the rows together said.
    /// - `removed_in_app_counts` has the rows of each quarter of an hour, because days and hours of
    ///   all time zones are made of quarters.
    static let sql = """
        ALTER TABLE workspaces ADD COLUMN in_app_report_days INTEGER;
        CREATE TABLE removed_in_app_subjects (
            id INTEGER PRIMARY KEY,
            workspace_id INTEGER NOT NULL REFERENCES workspaces (id),
            message_id TEXT NOT NULL,
            kind TEXT NOT NULL,
            button TEXT,
            variant TEXT
        );
        CREATE INDEX removed_in_app_subjects_by_message
            ON removed_in_app_subjects (workspace_id, message_id);
        CREATE TABLE removed_in_app_reports (
            subject_id INTEGER NOT NULL,
            profile_id INTEGER NOT NULL,
            count INTEGER NOT NULL,
            first INTEGER NOT NULL,
            last INTEGER NOT NULL,
            PRIMARY KEY (subject_id, profile_id)
        ) WITHOUT ROWID;
        CREATE TABLE removed_in_app_counts (
            subject_id INTEGER NOT NULL,
            quarter INTEGER NOT NULL,
            count INTEGER NOT NULL,
            PRIMARY KEY (subject_id, quarter)
        ) WITHOUT ROWID;
        """
}
