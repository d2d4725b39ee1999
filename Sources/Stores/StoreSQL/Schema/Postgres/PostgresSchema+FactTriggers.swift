/// Triggers that note facts, so that no writer can omit them.
///
/// PostgreSQL runs those of one change in the order of their names. A number in the name makes that the
/// order in which SQLite runs them.
extension PostgresSchema {
    /// What users agree to. Only a text with the name of a member can have the member, and no writer
    /// escapes letters: most changes are passed over without being read.
    static let consentFacts = """
        CREATE FUNCTION fact_of_push_consent() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            INSERT INTO fact_log (workspace_id, kind, at, profile_id, detail)
            VALUES (NEW.workspace_id, 'consent', NEW.updated_at, NEW.id,
                consent('push', NEW.push_subscription));
            RETURN NULL;
        END $$;
        CREATE TRIGGER facts_4_of_push_consent AFTER UPDATE OF push_subscription ON profiles FOR EACH ROW
        WHEN (OLD.push_subscription <> NEW.push_subscription)
        EXECUTE FUNCTION fact_of_push_consent();

        CREATE FUNCTION fact_of_email_consent() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            IF NOT json_valid(OLD.standard) OR NOT json_valid(NEW.standard)
                OR json_text(OLD.standard, '{email_subscribe}')
                    IS NOT DISTINCT FROM json_text(NEW.standard, '{email_subscribe}')
            THEN RETURN NULL; END IF;
            INSERT INTO fact_log (workspace_id, kind, at, profile_id, detail)
            VALUES (NEW.workspace_id, 'consent', NEW.updated_at, NEW.id,
                consent('email', json_text(NEW.standard, '{email_subscribe}')));
            RETURN NULL;
        END $$;
        CREATE TRIGGER facts_3_of_email_consent AFTER UPDATE OF standard ON profiles FOR EACH ROW
        WHEN (OLD.standard <> NEW.standard AND (strpos(OLD.standard, '"email_subscribe"') > 0
            OR strpos(NEW.standard, '"email_subscribe"') > 0))
        EXECUTE FUNCTION fact_of_email_consent();

        CREATE FUNCTION facts_of_changed_groups() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            IF NOT json_valid(OLD.standard) OR NOT json_valid(NEW.standard)
                OR json_part(OLD.standard, '{subscription_groups}')
                    IS NOT DISTINCT FROM json_part(NEW.standard, '{subscription_groups}')
            THEN RETURN NULL; END IF;
            INSERT INTO fact_log (workspace_id, kind, at, profile_id, detail)
            SELECT NEW.workspace_id, 'consent', NEW.updated_at, NEW.id,
                consent(json_text(value, '{subscription_group_id}'),
                    json_text(value, '{subscription_state}'))
            FROM json_each(NEW.standard, '$.subscription_groups')
            WHERE value NOT IN (SELECT value FROM json_each(OLD.standard, '$.subscription_groups'));
            RETURN NULL;
        END $$;
        CREATE TRIGGER facts_2_of_group_consent AFTER UPDATE OF standard ON profiles FOR EACH ROW
        WHEN (OLD.standard <> NEW.standard AND (strpos(OLD.standard, '"subscription_groups"') > 0
            OR strpos(NEW.standard, '"subscription_groups"') > 0))
        EXECUTE FUNCTION facts_of_changed_groups();

        CREATE FUNCTION facts_of_new_user() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            IF NOT json_valid(NEW.standard) THEN RETURN NULL; END IF;
            INSERT INTO fact_log (workspace_id, kind, at, profile_id, detail)
            SELECT NEW.workspace_id, 'consent', NEW.updated_at, NEW.id, said.detail
            FROM (
                SELECT consent('push', NEW.push_subscription) AS detail
                WHERE NEW.push_subscription <> 'subscribed'
                UNION ALL
                SELECT consent('email', email) FROM json_text(NEW.standard, '{email_subscribe}') AS email
                WHERE email IS NOT NULL
                UNION ALL
                SELECT consent(json_text(value, '{subscription_group_id}'),
                    json_text(value, '{subscription_state}'))
                FROM json_each(NEW.standard, '$.subscription_groups')
            ) AS said;
            RETURN NULL;
        END $$;
        CREATE TRIGGER facts_of_first_consent AFTER INSERT ON profiles FOR EACH ROW
        WHEN (NEW.push_subscription <> 'subscribed' OR strpos(NEW.standard, '"email_subscribe"') > 0
            OR strpos(NEW.standard, '"subscription_groups"') > 0)
        EXECUTE FUNCTION facts_of_new_user();
        """

    /// Names, opens and reads.
    static let userFacts = """
        CREATE FUNCTION fact_of_name() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            INSERT INTO fact_log (workspace_id, kind, at, profile_id)
            VALUES (NEW.workspace_id, 'user_named', NEW.updated_at, NEW.id);
            RETURN NULL;
        END $$;
        CREATE TRIGGER facts_1_of_names AFTER UPDATE OF external_id ON profiles FOR EACH ROW
        WHEN (OLD.external_id IS DISTINCT FROM NEW.external_id)
        EXECUTE FUNCTION fact_of_name();

        CREATE FUNCTION fact_of_influenced_open() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            INSERT INTO fact_log (workspace_id, kind, at, send_id, detail)
            SELECT workspace_id, 'influenced_open', NEW.influenced_at, id, '[' || NEW.device_id || ']'
            FROM sends WHERE id = NEW.send_id;
            RETURN NULL;
        END $$;
        CREATE TRIGGER facts_of_influenced_opens AFTER UPDATE OF influenced_at ON dispatches
        FOR EACH ROW WHEN (OLD.influenced_at IS DISTINCT FROM NEW.influenced_at)
        EXECUTE FUNCTION fact_of_influenced_open();

        CREATE FUNCTION fact_of_news_read() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            INSERT INTO fact_log (workspace_id, kind, at, profile_id, detail)
            SELECT workspace_id, 'news_read', NEW.read_at, NEW.profile_id, NEW.news_id::text
            FROM news WHERE id = NEW.news_id;
            RETURN NULL;
        END $$;
        CREATE TRIGGER facts_of_news_reads AFTER INSERT ON news_reads
        FOR EACH ROW EXECUTE FUNCTION fact_of_news_read();
        CREATE TRIGGER facts_of_earlier_reads AFTER UPDATE OF read_at ON news_reads
        FOR EACH ROW WHEN (NEW.read_at < OLD.read_at)
        EXECUTE FUNCTION fact_of_news_read();
        """

    /// The ways of users through journeys.
    static let journeyFacts = """
        CREATE FUNCTION facts_of_entry() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            INSERT INTO fact_log (workspace_id, kind, at, detail)
            SELECT workspace_id, fact.kind, fact.at, '[' || NEW.id || ']'
            FROM journeys, (
                VALUES (1, 'journey_entered', NEW.entered_at, TRUE),
                    (2, 'journey_converted', NEW.converted_at, NEW.converted_at IS NOT NULL),
                    (3, 'journey_left', NEW.ended_at, NEW."end" IS NOT NULL)
            ) AS fact (place, kind, at, is_true)
            WHERE journeys.id = NEW.journey_id AND is_true ORDER BY place;
            RETURN NULL;
        END $$;
        CREATE TRIGGER facts_of_entries AFTER INSERT ON journey_entries
        FOR EACH ROW EXECUTE FUNCTION facts_of_entry();

        CREATE FUNCTION fact_of_conversion() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            INSERT INTO fact_log (workspace_id, kind, at, detail)
            SELECT workspace_id, 'journey_converted', NEW.converted_at, '[' || NEW.id || ']'
            FROM journeys WHERE id = NEW.journey_id;
            RETURN NULL;
        END $$;
        CREATE TRIGGER facts_2_of_conversions AFTER UPDATE OF converted_at ON journey_entries FOR EACH ROW
        WHEN (OLD.converted_at IS NULL AND NEW.converted_at IS NOT NULL)
        EXECUTE FUNCTION fact_of_conversion();

        CREATE FUNCTION fact_of_end() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            INSERT INTO fact_log (workspace_id, kind, at, detail)
            SELECT workspace_id, 'journey_left', NEW.ended_at, '[' || NEW.id || ']'
            FROM journeys WHERE id = NEW.journey_id;
            RETURN NULL;
        END $$;
        CREATE TRIGGER facts_1_of_ends AFTER UPDATE OF "end" ON journey_entries FOR EACH ROW
        WHEN (OLD."end" IS NULL AND NEW."end" IS NOT NULL)
        EXECUTE FUNCTION fact_of_end();

        CREATE FUNCTION fact_of_passage() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            INSERT INTO fact_log (workspace_id, kind, at, detail)
            SELECT workspace_id, 'journey_step', NEW.left_at,
                '[' || NEW.entry_id || ',' || NEW.number || ']'
            FROM journey_entries JOIN journeys ON journeys.id = journey_id
            WHERE journey_entries.id = NEW.entry_id;
            RETURN NULL;
        END $$;
        CREATE TRIGGER facts_of_passages AFTER INSERT ON journey_passages
        FOR EACH ROW EXECUTE FUNCTION fact_of_passage();
        """

    /// Whoever deletes the last rows of a table takes the numbers of their facts along.
    static let ends = [
        end(of: "events", stream: 3), end(of: "in_app_message_interactions", stream: 4),
        end(of: "push_interactions", stream: 7),
    ].joined(separator: "\n")

    private static func end(of table: String, stream: Int) -> String {
        """
        CREATE FUNCTION note_end_of_\(table)() RETURNS trigger LANGUAGE plpgsql AS $$
        DECLARE
            highest bigint := (SELECT max(id) FROM deleted);
            last bigint;
        BEGIN
            IF highest IS NULL THEN RETURN NULL; END IF;
            last := (SELECT coalesce(max(id), 0) FROM \(table));
            IF highest <= last THEN RETURN NULL; END IF;
            UPDATE fact_streams SET row = least(row, last) WHERE stream = \(stream);
            DELETE FROM fact_spans WHERE stream = \(stream) AND row > last;
            UPDATE fact_spans SET rows = last - row + 1, facts = last - row + 1
                WHERE stream = \(stream) AND row + rows - 1 > last AND row = (
                    SELECT max(row) FROM fact_spans WHERE stream = \(stream));
            RETURN NULL;
        END $$;
        CREATE TRIGGER facts_of_\(table)_end AFTER DELETE ON \(table)
        REFERENCING OLD TABLE AS deleted
        FOR EACH STATEMENT EXECUTE FUNCTION note_end_of_\(table)();
        """
    }
}
