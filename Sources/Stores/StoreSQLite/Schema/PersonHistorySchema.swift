/// History belongs to the person who was addressed or acted, whoever has the device now.
enum PersonHistorySchema {
    /// - `dispatches_by_profile` finds the rows of a user in a send. It is not in the order of the
    ///   users: a send that is planned would have to write a page for every few of them.
    /// - `push_interactions_by_profile` takes the place of the index by device.
    /// - `nameless_became` is the user whom an installation's nameless one became: that of the
    ///   first name it was used with, where the name was new; 0 where it was not, null before.
    ///   What the installation says of a nameless user from before `nameless_until` is of that
    ///   user, however late it comes.
    /// - `former_anonymous_ids` has what installations called users who have been merged.
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
