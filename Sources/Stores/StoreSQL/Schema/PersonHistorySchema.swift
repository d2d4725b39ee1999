/// History belongs to the user who was addressed or acted, whoever uses the device now.
enum PersonHistorySchema {
    /// - `dispatches_by_profile` finds the dispatches of a user in a send. It is not ordered by
    ///   user: planning a send would have to write a page for every few users.
    /// - `push_interactions_by_profile` replaces the index by device.
    /// - `nameless_became` is the user whom an installation's anonymous user became at the first
    ///   login, if the external id was new; 0 if it was not, NULL before the first login. Records
    ///   of an anonymous user from before `nameless_until` belong to that user, however late they
    ///   arrive.
    /// - `former_anonymous_ids` has the anonymous identifiers of users who have been merged.
    static let sql = """
        CREATE INDEX dispatches_by_profile ON dispatches (send_id, profile_id);
        DROP INDEX push_interactions_by_device;
        CREATE INDEX push_interactions_by_profile ON push_interactions (profile_id, time);
        ALTER TABLE devices ADD COLUMN nameless_became INTEGER;
        ALTER TABLE devices ADD COLUMN nameless_until INTEGER;
        CREATE TABLE former_anonymous_ids (
            workspace_id INTEGER NOT NULL REFERENCES workspaces (id),
            anonymous_id BLOB NOT NULL,
            profile_id INTEGER NOT NULL REFERENCES profiles (id) ON DELETE CASCADE,
            PRIMARY KEY (workspace_id, anonymous_id)
        ) WITHOUT ROWID;
        CREATE INDEX former_anonymous_ids_by_profile ON former_anonymous_ids (profile_id);
        UPDATE devices SET nameless_became = 0
            WHERE profile_id IN (SELECT id FROM profiles WHERE external_id IS NOT NULL);
        """
}
