/// The members of the workspace's control group who would have got a send, so that it can be said
/// later, whoever is in the group then.
enum WithheldMessageSchema {
    static let sql = """
        CREATE TABLE withheld_messages (
            profile_id INTEGER NOT NULL,
            send_id INTEGER NOT NULL REFERENCES sends (id) ON DELETE CASCADE,
            due_at INTEGER NOT NULL,
            PRIMARY KEY (profile_id, send_id)
        ) WITHOUT ROWID;
        CREATE INDEX withheld_messages_by_send ON withheld_messages (send_id);
        """
}
