/// - `recently_removed_activity` has sums that are not in `removed_activity` yet: those of a range of users that were
///   added together are a part, packed (`PackedActivity`).
/// - Whoever deletes events notes it (`EventDeletion`): a trigger costs nearly as much as the deletion of a row.
enum RecentlyRemovedEventSchema {
    static let sql = """
        CREATE TABLE recently_removed_activity (
            users INTEGER NOT NULL,
            part INTEGER NOT NULL,
            sums BLOB NOT NULL,
            PRIMARY KEY (users, part)
        ) WITHOUT ROWID;
        DROP TRIGGER events_deleted;
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
        DROP TRIGGER events_deleted ON events;
        DROP FUNCTION note_deleted_events();
        """
}
