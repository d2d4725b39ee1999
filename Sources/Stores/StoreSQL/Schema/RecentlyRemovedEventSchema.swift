/// - `recently_removed_activity` has sums that are not in `removed_activity` yet: those of a range of users that were
///   added together are a part, packed (`PackedActivity`).
/// - `event_removals` has a row within a transaction that removes old events, and only there. It has put their
///   days right itself, so that they are not to be counted again: a note of each row costs as much as its deletion.
enum RecentlyRemovedEventSchema {
    static let sql = """
        CREATE TABLE recently_removed_activity (
            users INTEGER NOT NULL,
            part INTEGER NOT NULL,
            sums BLOB NOT NULL,
            PRIMARY KEY (users, part)
        ) WITHOUT ROWID;
        CREATE TABLE event_removals (id INTEGER PRIMARY KEY);
        """
}

extension PostgresSchema {
    static let recentlyRemovedEvents = """
        CREATE TABLE recently_removed_activity (
            users bigint NOT NULL,
            part bigint NOT NULL,
            sums bytea NOT NULL,
            PRIMARY KEY (users, part)
        );
        CREATE TABLE event_removals (id bigint PRIMARY KEY);
        CREATE OR REPLACE FUNCTION note_deleted_events() RETURNS trigger LANGUAGE plpgsql AS $$
        DECLARE last bigint;
        BEGIN
            IF EXISTS (SELECT 1 FROM event_removals) THEN RETURN NULL; END IF;
            INSERT INTO changed_quarters SELECT DISTINCT name_id, quarter(time) FROM deleted
            ON CONFLICT DO NOTHING;
            IF NOT FOUND AND NOT EXISTS (SELECT 1 FROM deleted) THEN RETURN NULL; END IF;
            last := (SELECT coalesce(max(id), 0) FROM events);
            UPDATE daily_count_marks SET event_id = last WHERE event_id > last;
            RETURN NULL;
        END $$;
        """
}
