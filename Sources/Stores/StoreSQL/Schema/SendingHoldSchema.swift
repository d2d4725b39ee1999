/// One row at most: the current hold or the last one.
enum SendingHoldSchema {
    static let sql = """
        CREATE TABLE sending_hold (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            since INTEGER NOT NULL,
            released_at INTEGER,
            skips_missed INTEGER NOT NULL DEFAULT 0
        );
        """

    /// Holds where work may be handed out.
    static let isReleased = "NOT EXISTS (SELECT 1 FROM sending_hold WHERE released_at IS NULL)"
}
