/// Journeys, the people in them, and the steps that they have left.
///
/// The message of a push step is a campaign of its own, which `journey_step_id` keeps out of lists.
enum JourneySchema {
    static let sql = """
        CREATE TABLE journeys (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            workspace_id INTEGER NOT NULL REFERENCES workspaces (id),
            api_id BLOB NOT NULL UNIQUE,
            state TEXT NOT NULL,
            paused_from TEXT,
            name TEXT NOT NULL,
            draft TEXT NOT NULL,
            version INTEGER,
            is_changed INTEGER NOT NULL DEFAULT 0,
            started_at INTEGER,
            resumed_at INTEGER,
            -- The last event that was read for it; stands still while it is paused.
            event_cursor INTEGER NOT NULL DEFAULT 0,
            first_entry_at INTEGER,
            last_entry_at INTEGER,
            next_look_at INTEGER,
            look_cursor INTEGER NOT NULL DEFAULT 0,
            knows_members INTEGER NOT NULL DEFAULT 0,
            lease_owner TEXT,
            lease_ends_at INTEGER NOT NULL DEFAULT 0,
            created_at INTEGER NOT NULL,
            updated_at INTEGER NOT NULL
        );
        CREATE INDEX journeys_by_workspace ON journeys (workspace_id, id);
        CREATE INDEX journeys_running ON journeys (id) WHERE state IN ('active', 'draining');
        CREATE TABLE journey_versions (
            journey_id INTEGER NOT NULL REFERENCES journeys (id) ON DELETE CASCADE,
            number INTEGER NOT NULL,
            definition TEXT NOT NULL,
            published_at INTEGER NOT NULL,
            publisher TEXT NOT NULL,
            PRIMARY KEY (journey_id, number)
        ) WITHOUT ROWID;
        CREATE TABLE journey_steps (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            journey_id INTEGER NOT NULL REFERENCES journeys (id) ON DELETE CASCADE,
            step BLOB NOT NULL,
            campaign_id INTEGER,
            UNIQUE (journey_id, step)
        );
        ALTER TABLE campaigns ADD COLUMN journey_step_id INTEGER;
        ALTER TABLE sends ADD COLUMN journey_step_id INTEGER;

        -- The position is in the row; a row whose end is not NULL has none.
        CREATE TABLE journey_entries (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            journey_id INTEGER NOT NULL REFERENCES journeys (id) ON DELETE CASCADE,
            profile_id INTEGER NOT NULL REFERENCES profiles (id) ON DELETE CASCADE,
            number INTEGER NOT NULL,
            version INTEGER NOT NULL,
            entered_at INTEGER NOT NULL,
            properties TEXT NOT NULL,
            step_id INTEGER NOT NULL,
            passage INTEGER NOT NULL,
            arrived_at INTEGER NOT NULL,
            due_at INTEGER,
            awaits INTEGER NOT NULL,
            needs_look INTEGER NOT NULL DEFAULT 0,
            end TEXT,
            ended_at INTEGER,
            converted_at INTEGER,
            UNIQUE (profile_id, journey_id, number)
        );
        CREATE UNIQUE INDEX journey_entries_inside ON journey_entries (profile_id, journey_id)
            WHERE end IS NULL;
        CREATE INDEX journey_entries_due ON journey_entries (journey_id, due_at)
            WHERE end IS NULL AND due_at IS NOT NULL;
        CREATE INDEX journey_entries_to_look ON journey_entries (journey_id)
            WHERE needs_look = 1 AND end IS NULL;
        CREATE INDEX journey_entries_for_profile ON journey_entries (profile_id)
            WHERE awaits = 2 AND end IS NULL;
        CREATE INDEX journey_entries_by_step ON journey_entries (journey_id, step_id, end);
        CREATE INDEX journey_entries_by_version ON journey_entries (journey_id, version)
            WHERE end IS NULL;
        CREATE INDEX journey_entries_by_time ON journey_entries (journey_id, entered_at);
        CREATE INDEX journey_entries_converted ON journey_entries (journey_id, converted_at)
            WHERE converted_at IS NOT NULL;
        CREATE TRIGGER journey_entries_profile AFTER UPDATE ON profiles
        BEGIN
            UPDATE journey_entries SET needs_look = 1
                WHERE profile_id = new.id AND awaits = 2 AND end IS NULL;
        END;
        CREATE TABLE journey_passages (
            entry_id INTEGER NOT NULL REFERENCES journey_entries (id) ON DELETE CASCADE,
            number INTEGER NOT NULL,
            step_id INTEGER NOT NULL,
            version INTEGER NOT NULL,
            arrived_at INTEGER NOT NULL,
            left_at INTEGER NOT NULL,
            outcome INTEGER NOT NULL,
            path INTEGER,
            send_id INTEGER,
            PRIMARY KEY (entry_id, number)
        ) WITHOUT ROWID;
        CREATE INDEX journey_passages_by_step ON journey_passages (step_id, outcome, path);

        CREATE TABLE journey_requests (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            journey_id INTEGER NOT NULL REFERENCES journeys (id) ON DELETE CASCADE,
            profile_id INTEGER NOT NULL REFERENCES profiles (id) ON DELETE CASCADE,
            properties TEXT NOT NULL,
            created_at INTEGER NOT NULL
        );
        CREATE INDEX journey_requests_by_journey ON journey_requests (journey_id, id);
        CREATE INDEX journey_requests_by_profile ON journey_requests (profile_id);
        CREATE TABLE journey_members (
            journey_id INTEGER NOT NULL REFERENCES journeys (id) ON DELETE CASCADE,
            profile_id INTEGER NOT NULL REFERENCES profiles (id) ON DELETE CASCADE,
            PRIMARY KEY (journey_id, profile_id)
        ) WITHOUT ROWID;
        CREATE INDEX journey_members_by_profile ON journey_members (profile_id);

        CREATE TABLE journey_calls (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            workspace_id INTEGER NOT NULL REFERENCES workspaces (id),
            entry_id INTEGER NOT NULL REFERENCES journey_entries (id) ON DELETE CASCADE,
            passage INTEGER NOT NULL,
            step_id INTEGER NOT NULL,
            version INTEGER NOT NULL,
            state INTEGER NOT NULL DEFAULT 0,
            attempts INTEGER NOT NULL DEFAULT 0,
            due_at INTEGER NOT NULL,
            status INTEGER,
            reason TEXT,
            created_at INTEGER NOT NULL,
            UNIQUE (entry_id, passage)
        );
        CREATE INDEX journey_calls_due ON journey_calls (due_at) WHERE state = 0;
        CREATE INDEX journey_calls_failed ON journey_calls (step_id) WHERE state = 2;
        CREATE TABLE journey_grants (
            entry_id INTEGER NOT NULL REFERENCES journey_entries (id) ON DELETE CASCADE,
            passage INTEGER NOT NULL,
            message BLOB NOT NULL,
            until INTEGER NOT NULL,
            PRIMARY KEY (entry_id, passage)
        ) WITHOUT ROWID;
        CREATE TABLE journey_messages (
            message BLOB NOT NULL,
            journey_id INTEGER NOT NULL REFERENCES journeys (id) ON DELETE CASCADE,
            PRIMARY KEY (message, journey_id)
        ) WITHOUT ROWID;
        """
}
