extension PostgresSchema {
    /// What is kept of reports of pushes whose rows were removed (`RemovedPushReportSchema`).
    static let removedPushReports = """
        ALTER TABLE workspaces ADD COLUMN push_report_days bigint;
        CREATE TABLE removed_push_subjects (
            id bigint PRIMARY KEY,
            workspace_id bigint NOT NULL REFERENCES workspaces (id),
            kind text COLLATE "C" NOT NULL,
            message text COLLATE "C" NOT NULL,
            UNIQUE (workspace_id, kind, message)
        );
        CREATE TABLE removed_push_reports (
            profile_id bigint NOT NULL,
            subject_id bigint NOT NULL,
            count bigint NOT NULL,
            first bigint NOT NULL,
            last bigint NOT NULL,
            PRIMARY KEY (profile_id, subject_id)
        );
        CREATE TABLE removed_push_arrivals (
            profile_id bigint NOT NULL,
            time bigint NOT NULL,
            send_id bigint NOT NULL,
            device_id bigint NOT NULL,
            PRIMARY KEY (profile_id, time, send_id, device_id)
        );
        INSERT INTO retired_ids
            SELECT 'settled_push_reports', coalesce(max(id), 0) FROM push_interactions;
        """
}
