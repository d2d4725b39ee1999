/// What is kept of reports of pushes whose rows were removed when they were old.
enum RemovedPushReportSchema {
    /// - `removed_push_subjects` has what was told of: what happened, and to which message, as
    ///   `MessageActivities` names it.
    /// - `removed_push_reports` has, of each of these and of each user, what the rows together said.
    /// - `removed_push_arrivals` has when each push came, because sessions that are told later may
    ///   still be influenced by it.
    /// - A pass removes rows up to where the table ended when the pass before began. Where there was
    ///   none before, it is what the table had before this step (`retired_ids`).
    static let sql = """
        ALTER TABLE workspaces ADD COLUMN push_report_days INTEGER;
        CREATE TABLE removed_push_subjects (
            id INTEGER PRIMARY KEY,
            workspace_id INTEGER NOT NULL REFERENCES workspaces (id),
            kind TEXT NOT NULL,
            message TEXT NOT NULL,
            UNIQUE (workspace_id, kind, message)
        );
        CREATE TABLE removed_push_reports (
            profile_id INTEGER NOT NULL,
            subject_id INTEGER NOT NULL,
            count INTEGER NOT NULL,
            first INTEGER NOT NULL,
            last INTEGER NOT NULL,
            PRIMARY KEY (profile_id, subject_id)
        ) WITHOUT ROWID;
        CREATE TABLE removed_push_arrivals (
            profile_id INTEGER NOT NULL,
            time INTEGER NOT NULL,
            send_id INTEGER NOT NULL,
            device_id INTEGER NOT NULL,
            PRIMARY KEY (profile_id, time, send_id, device_id)
        ) WITHOUT ROWID;
        INSERT OR IGNORE INTO retired_ids
            SELECT 'settled_push_reports', coalesce(max(id), 0) FROM push_interactions;
        """
}
