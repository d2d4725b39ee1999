/// Subscription groups.
enum SubscriptionSchema {
    /// Subscriptions are an attribute of the profile; a group has only its name here.
    static let sql = """
        CREATE TABLE subscription_groups (
            public_id BLOB PRIMARY KEY,
            workspace_id INTEGER NOT NULL REFERENCES workspaces (id),
            name TEXT NOT NULL,
            channel TEXT NOT NULL,
            created_at INTEGER NOT NULL,
            UNIQUE (workspace_id, name)
        ) WITHOUT ROWID;
        """
}
