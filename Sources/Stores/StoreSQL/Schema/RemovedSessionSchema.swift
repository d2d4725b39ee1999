/// What is kept of sessions whose rows were removed when they were old, beside what is kept of all
/// events (`RemovedEventSchema`).
enum RemovedSessionSchema {
    /// - `removed_sessions` has, of each user and app, what the rows together said; app 0 stands for
    ///   sessions that did not record theirs.
    /// - `removed_active_users` has the active users of days whose sessions are no longer all there,
    ///   as they were when they were counted for the last time, in days of a time zone.
    /// - `removed_active_spans` says of which days: from a moment until before another one. A day
    ///   of theirs without a count had no active users.
    static let sql = """
        ALTER TABLE workspaces ADD COLUMN session_days INTEGER;
        CREATE TABLE removed_sessions (
            profile_id INTEGER NOT NULL,
            app_id INTEGER NOT NULL,
            count INTEGER NOT NULL,
            first INTEGER NOT NULL,
            last INTEGER NOT NULL,
            PRIMARY KEY (profile_id, app_id)
        ) WITHOUT ROWID;
        CREATE TABLE removed_active_users (
            workspace_id INTEGER NOT NULL REFERENCES workspaces (id),
            time_zone TEXT NOT NULL,
            window INTEGER NOT NULL,
            day INTEGER NOT NULL,
            users INTEGER NOT NULL,
            PRIMARY KEY (workspace_id, time_zone, window, day)
        ) WITHOUT ROWID;
        CREATE TABLE removed_active_spans (
            workspace_id INTEGER NOT NULL REFERENCES workspaces (id),
            time_zone TEXT NOT NULL,
            since INTEGER NOT NULL,
            until INTEGER NOT NULL,
            PRIMARY KEY (workspace_id, time_zone, since)
        ) WITHOUT ROWID;
        """
}
