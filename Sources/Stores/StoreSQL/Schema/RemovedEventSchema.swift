/// What is kept of events whose rows were removed when they were old.
enum RemovedEventSchema {
    /// - `event_names.kept_since`: the rows from that time on are all there. What happened before is
    ///   only summed up, whether its row is still there or not; NULL where nothing is removed.
    /// - `removed_activity` has, of each user and name, what the rows together said.
    /// - `removed_counts` has the rows of each quarter of an hour, because days and hours of all
    ///   time zones are made of quarters.
    /// - A pass removes rows up to `settled`, which is where the table ended (`newest`) when the
    ///   pass before began. Where there was none before, it is what the table had before this step.
    static let sql = """
        ALTER TABLE workspaces ADD COLUMN custom_event_days INTEGER;
        ALTER TABLE event_names ADD COLUMN kept_since INTEGER;
        ALTER TABLE retention_progress ADD COLUMN newest INTEGER;
        ALTER TABLE retention_progress ADD COLUMN settled INTEGER;
        CREATE TABLE removed_activity (
            profile_id INTEGER NOT NULL,
            name_id INTEGER NOT NULL,
            count INTEGER NOT NULL,
            first INTEGER NOT NULL,
            last INTEGER NOT NULL,
            PRIMARY KEY (profile_id, name_id)
        ) WITHOUT ROWID;
        CREATE TABLE removed_counts (
            name_id INTEGER NOT NULL,
            quarter INTEGER NOT NULL,
            count INTEGER NOT NULL,
            last INTEGER NOT NULL,
            PRIMARY KEY (name_id, quarter)
        ) WITHOUT ROWID;
        INSERT OR IGNORE INTO retired_ids SELECT 'settled_events', coalesce(max(id), 0) FROM events;
        """
}
