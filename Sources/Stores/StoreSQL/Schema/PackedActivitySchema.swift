/// - `recently_removed_activity` has sums that are not in `removed_activity` yet: those of a range of users that were
///   added together are a part, packed (`PackedActivity`). Before, it had a row for each.
/// - Whoever deletes events notes it (`EventDeletion`): a trigger costs nearly as much as the deletion of a row.
enum PackedActivitySchema {
    /// What a pass had not added when the update came.
    private static let rest = """
        INSERT INTO removed_activity (profile_id, name_id, count, first, last)
        SELECT profile_id, name_id, count, first, last FROM recently_removed_activity WHERE TRUE
        ON CONFLICT (profile_id, name_id) DO UPDATE SET
            count = removed_activity.count + excluded.count,
        """

    static let sql = """
        \(rest)
            first = min(removed_activity.first, excluded.first),
            last = max(removed_activity.last, excluded.last);
        DROP TABLE recently_removed_activity;
        CREATE TABLE recently_removed_activity (
            users INTEGER NOT NULL,
            part INTEGER NOT NULL,
            sums BLOB NOT NULL,
            PRIMARY KEY (users, part)
        ) WITHOUT ROWID;
        DROP TRIGGER events_deleted;
        DROP TABLE event_removals;
        """

    static let postgres = """
        \(rest)
            first = least(removed_activity.first, excluded.first),
            last = greatest(removed_activity.last, excluded.last);
        DROP TABLE recently_removed_activity;
        CREATE TABLE recently_removed_activity (
            users bigint NOT NULL,
            part bigint NOT NULL,
            sums bytea NOT NULL,
            PRIMARY KEY (users, part)
        );
        DROP TRIGGER events_deleted ON events;
        DROP FUNCTION note_deleted_events();
        DROP TABLE event_removals;
        """
}
