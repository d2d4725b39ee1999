/// - `recently_removed_activity` has sums that are not in `removed_activity` yet (`RemovedActivity`).
/// - `event_removals` has a row within a transaction that removes old events, and only there. It has put their
///   days right itself, so that they are not to be counted again: a note of each row costs as much as its deletion.
enum RecentlyRemovedEventSchema {
    static let sql = """
        CREATE TABLE recently_removed_activity (
            profile_id INTEGER NOT NULL,
            name_id INTEGER NOT NULL,
            count INTEGER NOT NULL,
            first INTEGER NOT NULL,
            last INTEGER NOT NULL,
            PRIMARY KEY (profile_id, name_id)
        ) WITHOUT ROWID;
        CREATE TABLE event_removals (id INTEGER PRIMARY KEY);
        DROP TRIGGER events_deleted;
        CREATE TRIGGER events_deleted AFTER DELETE ON events
        WHEN NOT EXISTS (SELECT TRUE FROM event_removals) BEGIN
            INSERT OR IGNORE INTO changed_quarters
                VALUES (OLD.name_id,
                    OLD.time - (OLD.time % 900000 + 900000) % 900000);
            UPDATE daily_count_marks SET event_id = coalesce((SELECT max(id) FROM events), 0)
                WHERE event_id > coalesce((SELECT max(id) FROM events), 0);
        END;
        """
}

extension PostgresSchema {
    static let recentlyRemovedEvents = """
        CREATE TABLE recently_removed_activity (
            profile_id bigint NOT NULL,
            name_id bigint NOT NULL,
            count bigint NOT NULL,
            first bigint NOT NULL,
            last bigint NOT NULL,
            PRIMARY KEY (profile_id, name_id)
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
