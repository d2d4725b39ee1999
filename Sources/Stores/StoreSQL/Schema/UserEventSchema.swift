/// The index of events by user (`UserEventIndex`).
///
/// - A block is of rows that follow one another, from `first` to `last`: `size` of them when it was written, of
///   which `kept` have not been removed since.
/// - `places` has where in a block the rows of a bucket's users are (`EventPlaces`).
/// - Where the last rows are deleted, SQLite gives their numbers to the next ones: these are not in a block yet. A
///   removal never deletes the last row.
enum UserEventSchema {
    static let sql = """
        CREATE TABLE user_event_blocks (
            block INTEGER PRIMARY KEY,
            first INTEGER NOT NULL,
            last INTEGER NOT NULL,
            size INTEGER NOT NULL,
            kept INTEGER NOT NULL
        );
        CREATE TABLE user_event_places (
            bucket INTEGER NOT NULL,
            block INTEGER NOT NULL,
            places BLOB NOT NULL,
            PRIMARY KEY (bucket, block)
        ) WITHOUT ROWID;
        CREATE INDEX user_event_blocks_by_end ON user_event_blocks (last);
        DROP TRIGGER events_deleted;
        CREATE TRIGGER events_deleted AFTER DELETE ON events
        WHEN NOT EXISTS (SELECT TRUE FROM event_removals) BEGIN
            INSERT OR IGNORE INTO changed_quarters
                VALUES (OLD.name_id,
                    OLD.time - (OLD.time % 900000 + 900000) % 900000);
            UPDATE daily_count_marks SET event_id = coalesce((SELECT max(id) FROM events), 0)
                WHERE event_id > coalesce((SELECT max(id) FROM events), 0);
            DELETE FROM user_event_blocks
                WHERE last > coalesce((SELECT max(id) FROM events), 0)
                    AND first > coalesce((SELECT max(id) FROM events), 0);
            UPDATE user_event_blocks SET last = coalesce((SELECT max(id) FROM events), 0)
                WHERE last > coalesce((SELECT max(id) FROM events), 0);
        END;
        """
}

extension PostgresSchema {
    static let userEvents = """
        CREATE TABLE user_event_blocks (
            block bigint PRIMARY KEY,
            first bigint NOT NULL,
            last bigint NOT NULL,
            size bigint NOT NULL,
            kept bigint NOT NULL
        );
        CREATE TABLE user_event_places (
            bucket bigint NOT NULL,
            block bigint NOT NULL,
            places bytea NOT NULL,
            PRIMARY KEY (bucket, block)
        );
        CREATE INDEX user_event_blocks_by_end ON user_event_blocks (last);
        """
}
