/// In-app messages; users' interactions with them are in `in_app_message_interactions`.
enum InAppMessageSchema {
    static let sql = """
        CREATE TABLE in_app_messages (
            id INTEGER PRIMARY KEY,
            workspace_id INTEGER NOT NULL REFERENCES workspaces (id),
            api_id BLOB NOT NULL UNIQUE,
            name TEXT NOT NULL,
            state TEXT NOT NULL,
            segment_id INTEGER,
            message TEXT NOT NULL,
            created_at INTEGER NOT NULL,
            updated_at INTEGER NOT NULL,
            UNIQUE (workspace_id, name)
        );
        CREATE INDEX in_app_messages_by_state ON in_app_messages (workspace_id, state, id);
        """

    /// An audience besides a saved segment, and a covering index that counts by day.
    static let reportsSQL = """
        ALTER TABLE in_app_messages ADD COLUMN filter TEXT;
        DROP INDEX in_app_message_interactions_by_message;
        CREATE INDEX in_app_message_interactions_by_message ON in_app_message_interactions
            (workspace_id, message_id, kind, time, button, profile_id);
        """

    /// The control group and the variants of a message, and the variant in each reported
    /// interaction.
    static let variantsSQL = """
        ALTER TABLE in_app_messages ADD COLUMN experiment TEXT;
        ALTER TABLE in_app_message_interactions ADD COLUMN variant TEXT;
        DROP INDEX in_app_message_interactions_by_message;
        CREATE INDEX in_app_message_interactions_by_message ON in_app_message_interactions
            (workspace_id, message_id, kind, time, button, profile_id, variant);
        -- In the order of the reports, for lists of the latest.
        CREATE INDEX in_app_message_interactions_by_report ON in_app_message_interactions
            (workspace_id, message_id);
        """

    /// What a user did is found by the user: each page of one, each merge and each deletion went through all
    /// reports.
    static let reportsByUserSQL = """
        CREATE INDEX in_app_message_interactions_by_profile
            ON in_app_message_interactions (profile_id, time);
        """

    /// What users should do after a message was shown.
    static let goalSQL = "ALTER TABLE in_app_messages ADD COLUMN goal TEXT;"
}
