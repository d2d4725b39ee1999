/// Triggers that keep what is counted or searched in step with the rows.
///
/// Where SQLite's trigger runs for each row when it is deleted, but writes what holds once all of them
/// are, one here runs for the statement: the last number of a table has to be looked for among deleted
/// rows.
extension PostgresSchema {
    /// For the user index: who has changed.
    static let changeNotes = """
        CREATE FUNCTION note_profile() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            INSERT INTO profile_changes (workspace_id, profile_id, kind)
            VALUES (NEW.workspace_id, NEW.id, 0);
            RETURN NULL;
        END $$;
        CREATE TRIGGER profile_inserted AFTER INSERT ON profiles
        FOR EACH ROW EXECUTE FUNCTION note_profile();
        CREATE TRIGGER profile_updated AFTER UPDATE ON profiles
        FOR EACH ROW EXECUTE FUNCTION note_profile();

        CREATE FUNCTION note_deleted_profile() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            INSERT INTO profile_changes
                (workspace_id, profile_id, kind, events_end, interactions_end)
            VALUES (OLD.workspace_id, OLD.id, 1,
                (SELECT coalesce(max(id), 0) FROM events),
                (SELECT coalesce(max(id), 0) FROM push_interactions));
            RETURN NULL;
        END $$;
        CREATE TRIGGER profile_deleted AFTER DELETE ON profiles
        FOR EACH ROW EXECUTE FUNCTION note_deleted_profile();

        CREATE FUNCTION note_inserted_device() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            INSERT INTO profile_changes (workspace_id, profile_id, kind)
            VALUES (NEW.workspace_id, NEW.profile_id, 0);
            RETURN NULL;
        END $$;
        CREATE TRIGGER device_inserted AFTER INSERT ON devices
        FOR EACH ROW EXECUTE FUNCTION note_inserted_device();

        CREATE FUNCTION note_deleted_device() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            INSERT INTO profile_changes (workspace_id, profile_id, kind)
            VALUES (OLD.workspace_id, OLD.profile_id, 0);
            RETURN NULL;
        END $$;
        CREATE TRIGGER device_deleted AFTER DELETE ON devices
        FOR EACH ROW EXECUTE FUNCTION note_deleted_device();

        CREATE FUNCTION note_changed_device() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            INSERT INTO profile_changes (workspace_id, profile_id, kind)
            VALUES (NEW.workspace_id, NEW.profile_id, 0);
            IF OLD.profile_id <> NEW.profile_id THEN
                INSERT INTO profile_changes (workspace_id, profile_id, kind)
                VALUES (OLD.workspace_id, OLD.profile_id, 0);
            END IF;
            RETURN NULL;
        END $$;
        CREATE TRIGGER device_updated AFTER UPDATE ON devices FOR EACH ROW
        WHEN (\(isChangedDevice))
        EXECUTE FUNCTION note_changed_device();

        -- A device that only reported may have become its user's latest.
        CREATE FUNCTION note_reporting_device() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            INSERT INTO profile_changes (workspace_id, profile_id, kind)
            SELECT NEW.workspace_id, NEW.profile_id, 0 WHERE EXISTS (
                SELECT 1 FROM devices WHERE profile_id = NEW.profile_id AND id <> NEW.id
                    AND updated_at BETWEEN least(OLD.updated_at, NEW.updated_at)
                        AND greatest(OLD.updated_at, NEW.updated_at));
            RETURN NULL;
        END $$;
        CREATE TRIGGER device_updated_only AFTER UPDATE ON devices FOR EACH ROW
        WHEN (NEW.updated_at <> OLD.updated_at AND NOT (\(isChangedDevice)))
        EXECUTE FUNCTION note_reporting_device();

        CREATE FUNCTION let_journeys_look() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            UPDATE journey_entries SET needs_look = 1
                WHERE profile_id = NEW.id AND awaits = 2 AND "end" IS NULL AND needs_look <> 1;
            RETURN NULL;
        END $$;
        CREATE TRIGGER journey_entries_profile AFTER UPDATE ON profiles
        FOR EACH ROW EXECUTE FUNCTION let_journeys_look();
        """

    private static let isChangedDevice = """
        NEW.profile_id <> OLD.profile_id OR NEW.platform IS DISTINCT FROM OLD.platform
            OR NEW.model IS DISTINCT FROM OLD.model
            OR NEW.os_version IS DISTINCT FROM OLD.os_version
            OR NEW.app_version IS DISTINCT FROM OLD.app_version
            OR NEW.locale IS DISTINCT FROM OLD.locale
            OR NEW.time_zone IS DISTINCT FROM OLD.time_zone
            OR NEW.push_token IS DISTINCT FROM OLD.push_token
            OR NEW.push_environment IS DISTINCT FROM OLD.push_environment
            OR NEW.push_authorization IS DISTINCT FROM OLD.push_authorization
        """

    /// What devices report of pushes, and which counts of events are to be made anew.
    static let reportCounts = """
        CREATE FUNCTION count_receipts() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            INSERT INTO send_receipts VALUES (NEW.send_id,
                (NEW.received_at IS NOT NULL)::int - (OLD.received_at IS NOT NULL)::int,
                (NEW.opened_at IS NOT NULL)::int - (OLD.opened_at IS NOT NULL)::int,
                (NEW.influenced_at IS NOT NULL AND NEW.opened_at IS NULL)::int
                    - (OLD.influenced_at IS NOT NULL AND OLD.opened_at IS NULL)::int,
                (NEW.dismissed_at IS NOT NULL)::int - (OLD.dismissed_at IS NOT NULL)::int)
            ON CONFLICT (send_id) DO UPDATE
                SET received = send_receipts.received + excluded.received,
                    opened = send_receipts.opened + excluded.opened,
                    influenced = send_receipts.influenced + excluded.influenced,
                    dismissed = send_receipts.dismissed + excluded.dismissed;
            RETURN NULL;
        END $$;
        -- Reports that change no count write none: many of them are of the same send.
        CREATE TRIGGER dispatches_receipts
        AFTER UPDATE OF received_at, opened_at, influenced_at, dismissed_at ON dispatches FOR EACH ROW
        WHEN ((NEW.received_at IS NULL) <> (OLD.received_at IS NULL)
            OR (NEW.opened_at IS NULL) <> (OLD.opened_at IS NULL)
            OR (NEW.influenced_at IS NULL) <> (OLD.influenced_at IS NULL)
            OR (NEW.dismissed_at IS NULL) <> (OLD.dismissed_at IS NULL))
        EXECUTE FUNCTION count_receipts();

        CREATE FUNCTION quarter(moment bigint) RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE
        RETURN moment - (moment % 900000 + 900000) % 900000;
        CREATE FUNCTION note_deleted_events() RETURNS trigger LANGUAGE plpgsql AS $$
        DECLARE last bigint;
        BEGIN
            INSERT INTO changed_quarters SELECT DISTINCT name_id, quarter(time) FROM deleted
            ON CONFLICT DO NOTHING;
            IF NOT FOUND AND NOT EXISTS (SELECT 1 FROM deleted) THEN RETURN NULL; END IF;
            last := (SELECT coalesce(max(id), 0) FROM events);
            UPDATE daily_count_marks SET event_id = last WHERE event_id > last;
            RETURN NULL;
        END $$;
        CREATE TRIGGER events_deleted AFTER DELETE ON events
        REFERENCING OLD TABLE AS deleted
        FOR EACH STATEMENT EXECUTE FUNCTION note_deleted_events();

        CREATE FUNCTION note_moved_event() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            INSERT INTO changed_quarters VALUES (OLD.name_id, quarter(OLD.time))
            ON CONFLICT DO NOTHING;
            RETURN NULL;
        END $$;
        CREATE TRIGGER events_moved AFTER UPDATE OF profile_id ON events
        FOR EACH ROW EXECUTE FUNCTION note_moved_event();
        """
}
