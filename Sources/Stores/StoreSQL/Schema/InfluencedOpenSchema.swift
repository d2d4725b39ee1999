/// The rows from which influenced opens are computed.
enum InfluencedOpenSchema {
    /// - `user_sessions` has the sessions of each user in chronological order: events have no index
    ///   by user.
    /// - `is_unreported` is 1 for pushes that cannot be acknowledged; their acceptance counts as
    ///   their arrival.
    /// - Receipts belong to the addressed user, whoever is logged in when they are reported.
    static let sql = """
        CREATE TABLE user_sessions (
            profile_id INTEGER NOT NULL REFERENCES profiles (id) ON DELETE CASCADE,
            number INTEGER NOT NULL,
            time INTEGER NOT NULL,
            PRIMARY KEY (profile_id, number)
        ) WITHOUT ROWID;
        INSERT INTO user_sessions
            SELECT profile_id, row_number() OVER (PARTITION BY profile_id ORDER BY time, events.id),
                time
            FROM event_names CROSS JOIN events ON name_id = event_names.id
            WHERE name = '$session_start' AND profile_id IN (SELECT id FROM profiles)
            ORDER BY 1, 2;
        ALTER TABLE dispatches ADD COLUMN is_unreported INTEGER;
        CREATE INDEX dispatches_unreported ON dispatches (profile_id, accepted_at)
            WHERE is_unreported = 1 AND accepted_at IS NOT NULL;
        CREATE INDEX dispatches_by_open ON dispatches (coalesce(opened_at, influenced_at))
            WHERE coalesce(opened_at, influenced_at) IS NOT NULL;
        UPDATE push_interactions SET profile_id = (
                SELECT dispatches.profile_id FROM dispatches
                WHERE dispatches.send_id = push_interactions.send_id
                    AND dispatches.device_id = push_interactions.device_id)
            WHERE kind = 'received' AND EXISTS (
                SELECT 1 FROM dispatches
                WHERE dispatches.send_id = push_interactions.send_id
                    AND dispatches.device_id = push_interactions.device_id
                    AND dispatches.profile_id NOT IN (0, push_interactions.profile_id));
        """
}
