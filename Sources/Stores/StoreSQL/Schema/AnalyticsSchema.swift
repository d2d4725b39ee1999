/// Daily counts: caches of rows, with the cursors up to which rows are counted.
enum AnalyticsSchema {
    /// `item` and `currency` are empty except for purchases, which also have a row for each product
    /// and currency. `changed_quarters` has the quarters of an hour in which events were deleted or
    /// moved to another user. The id of the last event is reused once it is deleted, so the cursors
    /// move back before it.
    static let sql = """
        CREATE TABLE daily_counts (
            name_id INTEGER NOT NULL,
            day INTEGER NOT NULL,
            item TEXT NOT NULL,
            currency TEXT NOT NULL,
            count REAL NOT NULL,
            amount REAL NOT NULL,
            PRIMARY KEY (name_id, day, item, currency)
        ) WITHOUT ROWID;
        CREATE TABLE daily_active_users (
            workspace_id INTEGER NOT NULL REFERENCES workspaces (id),
            window INTEGER NOT NULL,
            day INTEGER NOT NULL,
            users INTEGER NOT NULL,
            PRIMARY KEY (workspace_id, window, day)
        ) WITHOUT ROWID;
        CREATE TABLE daily_count_marks (
            workspace_id INTEGER PRIMARY KEY REFERENCES workspaces (id),
            time_zone TEXT NOT NULL,
            event_id INTEGER NOT NULL,
            version INTEGER NOT NULL
        );
        CREATE TABLE changed_quarters (
            name_id INTEGER NOT NULL,
            quarter INTEGER NOT NULL,
            PRIMARY KEY (name_id, quarter)
        ) WITHOUT ROWID;
        CREATE TRIGGER events_deleted AFTER DELETE ON events BEGIN
            INSERT OR IGNORE INTO changed_quarters
                VALUES (OLD.name_id,
                    OLD.time - (OLD.time % 900000 + 900000) % 900000);
            UPDATE daily_count_marks SET event_id = coalesce((SELECT max(id) FROM events), 0)
                WHERE event_id > coalesce((SELECT max(id) FROM events), 0);
        END;
        CREATE TRIGGER events_moved AFTER UPDATE OF profile_id ON events BEGIN
            INSERT OR IGNORE INTO changed_quarters
                VALUES (OLD.name_id,
                    OLD.time - (OLD.time % 900000 + 900000) % 900000);
        END;
        """
}
