/// Segments, uploaded lists, and the notes from which the user index learns of changes.
enum SegmentSchema {
    /// `profile_changes` has a row for each profile that was written (kind 0), deleted (1) or
    /// merged into `other` (2), and for each list that was written (3, with the list's number in
    /// `profile_id`). Triggers write it, so that no writer can omit it. SQLite reuses the ids of
    /// the last rows once they are deleted; `events_end` and `interactions_end` are the ids from
    /// which on that may have happened.
    static let sql = """
        CREATE TABLE segments (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            workspace_id INTEGER NOT NULL REFERENCES workspaces (id),
            api_id BLOB NOT NULL UNIQUE,
            name TEXT NOT NULL,
            description TEXT NOT NULL,
            definition TEXT NOT NULL,
            author TEXT NOT NULL,
            created_at INTEGER NOT NULL,
            updated_at INTEGER NOT NULL,
            archived_at INTEGER
        );
        CREATE UNIQUE INDEX segments_by_name ON segments (workspace_id, name COLLATE NOCASE)
            WHERE archived_at IS NULL;
        CREATE TABLE segment_sizes (
            segment_id INTEGER NOT NULL REFERENCES segments (id) ON DELETE CASCADE,
            day INTEGER NOT NULL,
            users INTEGER NOT NULL,
            PRIMARY KEY (segment_id, day)
        ) WITHOUT ROWID;
        CREATE TABLE user_lists (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            workspace_id INTEGER NOT NULL REFERENCES workspaces (id),
            name TEXT NOT NULL,
            author TEXT NOT NULL,
            updated_at INTEGER NOT NULL
        );
        CREATE UNIQUE INDEX user_lists_by_name ON user_lists (workspace_id, name COLLATE NOCASE);
        CREATE TABLE user_list_members (
            list_id INTEGER NOT NULL REFERENCES user_lists (id) ON DELETE CASCADE,
            profile_id INTEGER NOT NULL REFERENCES profiles (id) ON DELETE CASCADE,
            PRIMARY KEY (list_id, profile_id)
        ) WITHOUT ROWID;
        CREATE INDEX user_list_members_by_profile ON user_list_members (profile_id);

        CREATE TABLE profile_changes (
            sequence INTEGER PRIMARY KEY,
            workspace_id INTEGER NOT NULL,
            profile_id INTEGER NOT NULL,
            kind INTEGER NOT NULL,
            other INTEGER,
            events_end INTEGER,
            interactions_end INTEGER
        );
        CREATE INDEX profile_merges ON profile_changes (sequence) WHERE kind = 2;
        CREATE TRIGGER profile_inserted AFTER INSERT ON profiles BEGIN
            INSERT INTO profile_changes (workspace_id, profile_id, kind)
            VALUES (NEW.workspace_id, NEW.id, 0);
        END;
        CREATE TRIGGER profile_updated AFTER UPDATE ON profiles BEGIN
            INSERT INTO profile_changes (workspace_id, profile_id, kind)
            VALUES (NEW.workspace_id, NEW.id, 0);
        END;
        CREATE TRIGGER profile_deleted AFTER DELETE ON profiles BEGIN
            INSERT INTO profile_changes
                (workspace_id, profile_id, kind, events_end, interactions_end)
            VALUES (OLD.workspace_id, OLD.id, 1,
                (SELECT coalesce(max(id), 0) FROM events),
                (SELECT coalesce(max(id), 0) FROM push_interactions));
        END;
        CREATE TRIGGER device_inserted AFTER INSERT ON devices BEGIN
            INSERT INTO profile_changes (workspace_id, profile_id, kind)
            VALUES (NEW.workspace_id, NEW.profile_id, 0);
        END;
        CREATE TRIGGER device_updated AFTER UPDATE ON devices
        WHEN NEW.profile_id <> OLD.profile_id OR NEW.platform IS NOT OLD.platform
            OR NEW.model IS NOT OLD.model OR NEW.os_version IS NOT OLD.os_version
            OR NEW.app_version IS NOT OLD.app_version OR NEW.locale IS NOT OLD.locale
            OR NEW.push_token IS NOT OLD.push_token
            OR NEW.push_environment IS NOT OLD.push_environment
            OR NEW.push_authorization IS NOT OLD.push_authorization
        BEGIN
            INSERT INTO profile_changes (workspace_id, profile_id, kind)
            VALUES (NEW.workspace_id, NEW.profile_id, 0);
            INSERT INTO profile_changes (workspace_id, profile_id, kind)
            SELECT OLD.workspace_id, OLD.profile_id, 0 WHERE OLD.profile_id <> NEW.profile_id;
        END;
        CREATE TRIGGER device_deleted AFTER DELETE ON devices BEGIN
            INSERT INTO profile_changes (workspace_id, profile_id, kind)
            VALUES (OLD.workspace_id, OLD.profile_id, 0);
        END;
        """
}
