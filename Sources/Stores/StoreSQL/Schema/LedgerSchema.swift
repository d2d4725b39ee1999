/// The second schema of dispatches: lanes, leases for whole claims, and stored counts.
enum LedgerSchema {
    /// - A dispatch names its lane, so that the dispatches of a suspended lane add no cost to a claim.
    /// - One lease covers all dispatches of a claim; a dispatch stores only the id of its lease.
    ///   The lease's range of devices finds them again without another index.
    /// - `send_counts` and `send_receipts` are sums over `dispatches`: they are written in the same
    ///   transaction as the rows and can be recomputed from them.
    static let sql = """
        DROP INDEX dispatches_due;
        DROP INDEX dispatches_leased;
        ALTER TABLE dispatches DROP COLUMN lease_owner;
        ALTER TABLE dispatches ADD COLUMN lane INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE dispatches ADD COLUMN lease_id INTEGER;
        UPDATE dispatches SET state = 0, due_at = 0 WHERE state = 1;
        UPDATE dispatches SET lane = coalesce((SELECT devices.app_id * 8 + CASE devices.push_provider
            WHEN 'apns' THEN 1 WHEN 'fcm' THEN 2 WHEN 'webpush' THEN 3 ELSE 0 END FROM devices
            WHERE devices.id = dispatches.device_id), 0) WHERE state = 0;
        CREATE INDEX dispatches_due ON dispatches (send_id, lane, due_at) WHERE state = 0;

        CREATE TABLE dispatch_leases (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            send_id INTEGER NOT NULL REFERENCES sends (id) ON DELETE CASCADE,
            owner TEXT NOT NULL,
            ends_at INTEGER NOT NULL,
            first_device INTEGER NOT NULL,
            last_device INTEGER NOT NULL,
            open_rows INTEGER NOT NULL
        );

        CREATE TABLE send_counts (
            send_id INTEGER NOT NULL REFERENCES sends (id) ON DELETE CASCADE,
            state INTEGER NOT NULL,
            reason TEXT NOT NULL,
            rows INTEGER NOT NULL,
            PRIMARY KEY (send_id, state, reason)
        ) WITHOUT ROWID;
        INSERT INTO send_counts
            SELECT send_id, state, coalesce(reason, ''), count(*) FROM dispatches GROUP BY 1, 2, 3;

        CREATE TABLE send_receipts (
            send_id INTEGER PRIMARY KEY REFERENCES sends (id) ON DELETE CASCADE,
            received INTEGER NOT NULL,
            opened INTEGER NOT NULL,
            influenced INTEGER NOT NULL,
            dismissed INTEGER NOT NULL
        );
        INSERT INTO send_receipts
            SELECT send_id, count(received_at), count(opened_at),
                count(CASE WHEN opened_at IS NULL THEN influenced_at END), count(dismissed_at)
            FROM dispatches GROUP BY send_id;
        CREATE TRIGGER dispatches_receipts
            AFTER UPDATE OF received_at, opened_at, influenced_at, dismissed_at ON dispatches
        BEGIN
            INSERT INTO send_receipts VALUES (new.send_id,
                (new.received_at IS NOT NULL) - (old.received_at IS NOT NULL),
                (new.opened_at IS NOT NULL) - (old.opened_at IS NOT NULL),
                (new.influenced_at IS NOT NULL AND new.opened_at IS NULL)
                    - (old.influenced_at IS NOT NULL AND old.opened_at IS NULL),
                (new.dismissed_at IS NOT NULL) - (old.dismissed_at IS NOT NULL))
            ON CONFLICT (send_id) DO UPDATE SET received = received + excluded.received,
                opened = opened + excluded.opened, influenced = influenced + excluded.influenced,
                dismissed = dismissed + excluded.dismissed;
        END;

        ALTER TABLE workspaces ADD COLUMN pushes_per_minute INTEGER;
        ALTER TABLE sends ADD COLUMN pushes_per_minute INTEGER
            GENERATED ALWAYS AS (content ->> '$.messagesPerMinute') VIRTUAL;
        CREATE TABLE push_tokens (
            kind TEXT NOT NULL,
            id INTEGER NOT NULL,
            tokens REAL NOT NULL,
            updated_at INTEGER NOT NULL,
            PRIMARY KEY (kind, id)
        ) WITHOUT ROWID;
        CREATE TABLE closed_lanes (
            owner TEXT NOT NULL,
            lane INTEGER NOT NULL,
            reason TEXT NOT NULL,
            since INTEGER NOT NULL,
            until INTEGER NOT NULL,
            PRIMARY KEY (owner, lane)
        ) WITHOUT ROWID;
        """
}
