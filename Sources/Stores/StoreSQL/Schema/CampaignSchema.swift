/// Campaigns, and the columns about them in sends and dispatches.
///
/// `campaign_entries` has a row for each user of each launch, including the control group, so that
/// a user's history is one range of its key.
enum CampaignSchema {
    static let sql = """
        CREATE TABLE campaigns (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            workspace_id INTEGER NOT NULL REFERENCES workspaces (id),
            api_id BLOB NOT NULL UNIQUE,
            state TEXT NOT NULL,
            name TEXT NOT NULL,
            content TEXT NOT NULL,
            is_triggered INTEGER NOT NULL,
            is_over INTEGER NOT NULL DEFAULT 0,
            next_due_at INTEGER,
            activated_at INTEGER,
            first_sent_at INTEGER,
            last_sent_at INTEGER,
            created_at INTEGER NOT NULL,
            updated_at INTEGER NOT NULL
        );
        CREATE INDEX campaigns_by_workspace ON campaigns (workspace_id, id);
        CREATE INDEX campaigns_active ON campaigns (next_due_at) WHERE state = 'active';
        CREATE TABLE campaign_occurrences (
            campaign_id INTEGER NOT NULL REFERENCES campaigns (id) ON DELETE CASCADE,
            key TEXT NOT NULL,
            due_at INTEGER NOT NULL,
            send_id INTEGER,
            skip_reason TEXT,
            created_at INTEGER NOT NULL,
            PRIMARY KEY (campaign_id, key)
        ) WITHOUT ROWID;
        CREATE TABLE campaign_tracking_ids (
            workspace_id INTEGER NOT NULL REFERENCES workspaces (id),
            tracking_id TEXT NOT NULL,
            campaign_id INTEGER NOT NULL,
            created_at INTEGER NOT NULL,
            PRIMARY KEY (workspace_id, tracking_id)
        ) WITHOUT ROWID;
        CREATE TABLE workspace_limits (
            workspace_id INTEGER PRIMARY KEY REFERENCES workspaces (id),
            content TEXT NOT NULL
        );

        ALTER TABLE sends ADD COLUMN campaign_id INTEGER;
        ALTER TABLE sends ADD COLUMN tracking_id TEXT;
        -- 0: at delivery, 1: to be listed, 2: listed.
        ALTER TABLE sends ADD COLUMN extraction INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE sends ADD COLUMN extraction_cursor INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE sends ADD COLUMN paused_from TEXT;
        CREATE INDEX sends_by_campaign ON sends (campaign_id, id) WHERE campaign_id IS NOT NULL;
        CREATE INDEX sends_to_extract ON sends (id) WHERE extraction = 1;
        ALTER TABLE dispatches ADD COLUMN variant INTEGER;

        CREATE TABLE campaign_entries (
            profile_id INTEGER NOT NULL REFERENCES profiles (id) ON DELETE CASCADE,
            send_id INTEGER NOT NULL,
            campaign_id INTEGER NOT NULL,
            variant INTEGER,
            is_control INTEGER NOT NULL,
            counts_for_caps INTEGER NOT NULL,
            due_at INTEGER NOT NULL,
            PRIMARY KEY (profile_id, send_id)
        ) WITHOUT ROWID;
        CREATE INDEX campaign_entries_control ON campaign_entries (campaign_id)
            WHERE is_control;
        CREATE TABLE send_exclusions (
            send_id INTEGER NOT NULL REFERENCES sends (id) ON DELETE CASCADE,
            reason TEXT NOT NULL,
            users INTEGER NOT NULL,
            PRIMARY KEY (send_id, reason)
        ) WITHOUT ROWID;
        CREATE TABLE send_recipients (
            send_id INTEGER NOT NULL REFERENCES sends (id) ON DELETE CASCADE,
            profile_id INTEGER NOT NULL,
            PRIMARY KEY (send_id, profile_id)
        ) WITHOUT ROWID;
        CREATE TABLE send_properties (
            send_id INTEGER NOT NULL REFERENCES sends (id) ON DELETE CASCADE,
            profile_id INTEGER NOT NULL REFERENCES profiles (id) ON DELETE CASCADE,
            properties TEXT NOT NULL,
            PRIMARY KEY (send_id, profile_id)
        ) WITHOUT ROWID;
        CREATE INDEX send_properties_by_profile ON send_properties (profile_id);

        CREATE TABLE trigger_cursor (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            position INTEGER NOT NULL
        );
        INSERT INTO trigger_cursor SELECT 1, coalesce(max(id), 0) FROM events;
        CREATE TABLE pending_triggers (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            campaign_id INTEGER NOT NULL REFERENCES campaigns (id) ON DELETE CASCADE,
            profile_id INTEGER NOT NULL REFERENCES profiles (id) ON DELETE CASCADE,
            event_id INTEGER NOT NULL,
            triggered_at INTEGER NOT NULL,
            due_at INTEGER NOT NULL,
            properties TEXT NOT NULL,
            UNIQUE (profile_id, campaign_id, event_id)
        );
        CREATE INDEX pending_triggers_due ON pending_triggers (campaign_id, due_at);
        """
}
