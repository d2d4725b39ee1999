/// What readers outside the server are told, in one order (docs/data-out.md).
enum FactSchema {
    /// - `fact_log` has what no table keeps as a row that is only inserted: the planning and the
    ///   outcomes of messages, a row for many of them with the devices as a list in `detail`; and
    ///   changes of rows, which triggers note so that no writer can omit them. Events, sessions,
    ///   purchases, reports of devices, users, sends and the audit log need no second row. A row that
    ///   cannot be read is passed over, and can still be mended.
    /// - `fact_streams` says up to which row of each table facts have numbers (`FactStream`), and
    ///   under 0 the last number that was given.
    /// - `fact_spans` has the numbers of consecutive rows of a table. SQLite gives the numbers of
    ///   deleted last rows to new ones, so the end of a table takes its spans along.
    /// - `merged_users` says who a merged user is now.
    static let sql = """
        CREATE TABLE fact_log (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            workspace_id INTEGER NOT NULL,
            kind TEXT NOT NULL,
            at INTEGER,
            facts INTEGER NOT NULL DEFAULT 1,
            send_id INTEGER,
            profile_id INTEGER,
            state INTEGER,
            detail TEXT
        );
        CREATE INDEX fact_log_by_user ON fact_log (profile_id) WHERE profile_id IS NOT NULL;
        CREATE TABLE fact_streams (
            stream INTEGER PRIMARY KEY,
            row INTEGER NOT NULL
        );
        INSERT INTO fact_streams VALUES (0, 0), (1, 0), (2, 0), (3, 0), (4, 0), (5, 0), (6, 0), (7, 0);
        CREATE TABLE fact_spans (
            first INTEGER PRIMARY KEY,
            stream INTEGER NOT NULL,
            row INTEGER NOT NULL,
            rows INTEGER NOT NULL,
            facts INTEGER NOT NULL
        );
        CREATE INDEX fact_spans_by_row ON fact_spans (stream, row);
        CREATE TABLE merged_users (
            profile_id INTEGER PRIMARY KEY,
            became INTEGER NOT NULL
        );
        CREATE INDEX merged_users_by_target ON merged_users (became);
        \(end(of: "events", stream: 3))
        \(end(of: "in_app_message_interactions", stream: 4))
        \(end(of: "push_interactions", stream: 7))
        \(consent)
        \(journeys)

        CREATE TRIGGER facts_of_names AFTER UPDATE OF external_id ON profiles
        WHEN OLD.external_id IS NOT NEW.external_id
        BEGIN
            INSERT INTO fact_log (workspace_id, kind, at, profile_id)
            VALUES (NEW.workspace_id, 'user_named', NEW.updated_at, NEW.id);
        END;
        CREATE TRIGGER facts_of_influenced_opens AFTER UPDATE OF influenced_at ON dispatches
        WHEN OLD.influenced_at IS NOT NEW.influenced_at
        BEGIN
            INSERT INTO fact_log (workspace_id, kind, at, send_id, detail)
            SELECT workspace_id, 'influenced_open', NEW.influenced_at, id, json_array(NEW.device_id)
            FROM sends WHERE id = NEW.send_id;
        END;
        CREATE TRIGGER facts_of_news_reads AFTER INSERT ON news_reads
        BEGIN
            INSERT INTO fact_log (workspace_id, kind, at, profile_id, detail)
            SELECT workspace_id, 'news_read', NEW.read_at, NEW.profile_id, NEW.news_id
            FROM news WHERE id = NEW.news_id;
        END;
        CREATE TRIGGER facts_of_earlier_reads AFTER UPDATE OF read_at ON news_reads
        WHEN NEW.read_at < OLD.read_at
        BEGIN
            INSERT INTO fact_log (workspace_id, kind, at, profile_id, detail)
            SELECT workspace_id, 'news_read', NEW.read_at, NEW.profile_id, NEW.news_id
            FROM news WHERE id = NEW.news_id;
        END;
        \(before)
        """

    /// Whoever deletes the last rows of a table takes the numbers of their facts along.
    private static func end(of table: String, stream: Int) -> String {
        let last = "(SELECT coalesce(max(id), 0) FROM \(table))"
        return """
            CREATE TRIGGER facts_of_\(table)_end AFTER DELETE ON \(table) WHEN OLD.id > \(last)
            BEGIN
                UPDATE fact_streams SET row = min(row, \(last)) WHERE stream = \(stream);
                DELETE FROM fact_spans WHERE stream = \(stream) AND row > \(last);
                UPDATE fact_spans SET rows = \(last) - row + 1, facts = \(last) - row + 1
                    WHERE stream = \(stream) AND row + rows - 1 > \(last) AND row = (
                        SELECT max(row) FROM fact_spans WHERE stream = \(stream));
            END;
            """
    }

    private static let consent = """
        CREATE TRIGGER facts_of_push_consent AFTER UPDATE OF push_subscription ON profiles
        WHEN OLD.push_subscription <> NEW.push_subscription
        BEGIN
            INSERT INTO fact_log (workspace_id, kind, at, profile_id, detail)
            VALUES (NEW.workspace_id, 'consent', NEW.updated_at, NEW.id,
                json_object('subject', 'push', 'state', NEW.push_subscription));
        END;
        CREATE TRIGGER facts_of_email_consent AFTER UPDATE OF standard ON profiles
        WHEN OLD.standard <> NEW.standard
            AND CASE WHEN json_valid(OLD.standard) AND json_valid(NEW.standard) THEN
                OLD.standard ->> '$.email_subscribe' IS NOT NEW.standard ->> '$.email_subscribe' END
        BEGIN
            INSERT INTO fact_log (workspace_id, kind, at, profile_id, detail)
            VALUES (NEW.workspace_id, 'consent', NEW.updated_at, NEW.id, json_object(
                'subject', 'email', 'state', NEW.standard ->> '$.email_subscribe'));
        END;
        CREATE TRIGGER facts_of_group_consent AFTER UPDATE OF standard ON profiles
        WHEN OLD.standard <> NEW.standard
            AND CASE WHEN json_valid(OLD.standard) AND json_valid(NEW.standard) THEN
                OLD.standard -> '$.subscription_groups' IS NOT NEW.standard -> '$.subscription_groups' END
        BEGIN
            INSERT INTO fact_log (workspace_id, kind, at, profile_id, detail)
            SELECT NEW.workspace_id, 'consent', NEW.updated_at, NEW.id, json_object(
                'subject', value ->> '$.subscription_group_id',
                'state', value ->> '$.subscription_state')
            FROM json_each(NEW.standard, '$.subscription_groups')
            WHERE value NOT IN (
                SELECT value FROM json_each(OLD.standard, '$.subscription_groups'));
        END;
        CREATE TRIGGER facts_of_first_consent AFTER INSERT ON profiles
        WHEN json_valid(NEW.standard)
            AND (NEW.push_subscription <> 'subscribed' OR NEW.standard <> '{}')
        BEGIN
            \(consentOf("NEW"));
        END;
        """

    /// What a user has said until now.
    private static func consentOf(_ row: String) -> String {
        """
        INSERT INTO fact_log (workspace_id, kind, at, profile_id, detail)
            SELECT \(row).workspace_id, 'consent', \(row).updated_at, \(row).id,
                json_object('subject', 'push', 'state', \(row).push_subscription)
            WHERE \(row).push_subscription <> 'subscribed'
            UNION ALL
            SELECT \(row).workspace_id, 'consent', \(row).updated_at, \(row).id, json_object(
                'subject', 'email', 'state', \(row).standard ->> '$.email_subscribe')
            WHERE \(row).standard ->> '$.email_subscribe' IS NOT NULL
            UNION ALL
            SELECT \(row).workspace_id, 'consent', \(row).updated_at, \(row).id, json_object(
                'subject', value ->> '$.subscription_group_id',
                'state', value ->> '$.subscription_state')
            FROM json_each(\(row).standard, '$.subscription_groups')
        """
    }

    private static let journeys = """
        CREATE TRIGGER facts_of_entries AFTER INSERT ON journey_entries
        BEGIN
            \(entry("journey_entered", "NEW.entered_at", "TRUE"));
            \(entry("journey_converted", "NEW.converted_at", "NEW.converted_at IS NOT NULL"));
            \(entry("journey_left", "NEW.ended_at", "NEW.end IS NOT NULL"));
        END;
        CREATE TRIGGER facts_of_conversions AFTER UPDATE OF converted_at ON journey_entries
        WHEN OLD.converted_at IS NULL AND NEW.converted_at IS NOT NULL
        BEGIN
            \(entry("journey_converted", "NEW.converted_at", "TRUE"));
        END;
        CREATE TRIGGER facts_of_ends AFTER UPDATE OF end ON journey_entries
        WHEN OLD.end IS NULL AND NEW.end IS NOT NULL
        BEGIN
            \(entry("journey_left", "NEW.ended_at", "TRUE"));
        END;
        CREATE TRIGGER facts_of_passages AFTER INSERT ON journey_passages
        BEGIN
            INSERT INTO fact_log (workspace_id, kind, at, detail)
            SELECT workspace_id, 'journey_step', NEW.left_at, json_array(NEW.entry_id, NEW.number)
            FROM journey_entries JOIN journeys ON journeys.id = journey_id
            WHERE journey_entries.id = NEW.entry_id;
        END;
        """

    private static func entry(_ kind: String, _ at: String, _ condition: String) -> String {
        """
        INSERT INTO fact_log (workspace_id, kind, at, detail)
            SELECT workspace_id, '\(kind)', \(at), json_array(NEW.id)
            FROM journeys WHERE id = NEW.journey_id AND \(condition)
        """
    }

    /// What had happened before facts were noted.
    static let before = """
        \(messages("message", "min", "device_id > 0"));
        \(messages("message_outcome", "max", "device_id > 0 AND state > 1"));
        INSERT INTO fact_log (workspace_id, kind, at, send_id, detail)
            SELECT workspace_id, 'message_anonymized', updated_at, send_id,
                json_object('device', device_id)
            FROM dispatches JOIN sends ON sends.id = send_id WHERE device_id < 0;
        INSERT INTO fact_log (workspace_id, kind, at, send_id, detail)
            SELECT workspace_id, 'influenced_open', influenced_at, send_id, json_array(device_id)
            FROM dispatches JOIN sends ON sends.id = send_id
            WHERE influenced_at IS NOT NULL AND device_id > 0;
        INSERT INTO fact_log (workspace_id, kind, at, facts, send_id, detail)
            SELECT workspace_id, 'control_member', min(due_at), count(*), send_id,
                json_group_array(profile_id)
            FROM campaign_entries JOIN sends ON sends.id = send_id WHERE is_control
            GROUP BY send_id;
        INSERT INTO fact_log (workspace_id, kind, at, facts, send_id, detail)
            SELECT workspace_id, 'withheld', min(due_at), count(*), send_id,
                json_group_array(profile_id)
            FROM withheld_messages JOIN sends ON sends.id = send_id GROUP BY send_id;
        INSERT INTO fact_log (workspace_id, kind, at, profile_id, detail)
            SELECT workspace_id, 'news_read', read_at, profile_id, news_id
            FROM news_reads JOIN news ON news.id = news_id;
        INSERT INTO fact_log (workspace_id, kind, at, profile_id, detail)
            SELECT workspace_id, 'consent', updated_at, id,
                json_object('subject', 'push', 'state', push_subscription)
            FROM profiles WHERE push_subscription <> 'subscribed';
        INSERT INTO fact_log (workspace_id, kind, at, profile_id, detail)
            SELECT workspace_id, 'consent', updated_at, id,
                json_object('subject', 'email', 'state', standard ->> '$.email_subscribe')
            FROM profiles
            WHERE CASE WHEN json_valid(standard) THEN standard ->> '$.email_subscribe' END IS NOT NULL;
        INSERT INTO fact_log (workspace_id, kind, at, profile_id, detail)
            SELECT workspace_id, 'consent', updated_at, profiles.id, json_object(
                'subject', value ->> '$.subscription_group_id',
                'state', value ->> '$.subscription_state')
            FROM profiles CROSS JOIN json_each(
                CASE WHEN json_valid(standard) THEN standard ELSE '{}' END, '$.subscription_groups');
        INSERT INTO fact_log (workspace_id, kind, at, detail)
            SELECT workspace_id, 'journey_entered', entered_at, json_array(journey_entries.id)
            FROM journey_entries JOIN journeys ON journeys.id = journey_id;
        INSERT INTO fact_log (workspace_id, kind, at, detail)
            SELECT workspace_id, 'journey_step', left_at,
                json_array(entry_id, journey_passages.number)
            FROM journey_passages JOIN journey_entries ON journey_entries.id = entry_id
            JOIN journeys ON journeys.id = journey_id;
        INSERT INTO fact_log (workspace_id, kind, at, detail)
            SELECT workspace_id, 'journey_converted', converted_at, json_array(journey_entries.id)
            FROM journey_entries JOIN journeys ON journeys.id = journey_id
            WHERE converted_at IS NOT NULL;
        INSERT INTO fact_log (workspace_id, kind, at, detail)
            SELECT workspace_id, 'journey_left', ended_at, json_array(journey_entries.id)
            FROM journey_entries JOIN journeys ON journeys.id = journey_id WHERE end IS NOT NULL;
        CREATE TEMP TABLE told_of_messages AS
            SELECT send_id, device_id, min(time) AS received,
                min(CASE kind WHEN 'opened' THEN time END) AS opened,
                min(CASE kind WHEN 'dismissed' THEN time END) AS dismissed
            FROM push_interactions GROUP BY send_id, device_id;
        CREATE INDEX temp.told_by_message ON told_of_messages (send_id, device_id);
        \(forgotten("received"));
        \(forgotten("opened"));
        \(forgotten("dismissed"));
        DROP TABLE temp.told_of_messages;
        """

    /// What messages go on counting although who told it has been deleted.
    private static func forgotten(_ interaction: String) -> String {
        """
        INSERT INTO fact_log (workspace_id, kind, at, send_id, detail)
            SELECT workspace_id, 'push_interaction', \(interaction)_at, dispatches.send_id,
                json_object('device', dispatches.device_id, 'interaction', '\(interaction)',
                    'page', CASE '\(interaction)' WHEN 'opened' THEN opened_page END)
            FROM dispatches JOIN sends ON sends.id = dispatches.send_id
            LEFT JOIN temp.told_of_messages AS told ON told.send_id = dispatches.send_id
                AND told.device_id = dispatches.device_id
            WHERE dispatches.device_id > 0 AND \(interaction)_at IS NOT NULL
                AND (told.\(interaction) IS NULL OR told.\(interaction) > \(interaction)_at)
        """
    }

    /// A row for at most a thousand messages of a send, with the same outcome.
    private static func messages(_ kind: String, _ at: String, _ condition: String) -> String {
        """
        INSERT INTO fact_log (workspace_id, kind, at, facts, send_id, state, detail)
            SELECT workspace_id, '\(kind)', \(at)(batch.updated_at), count(*), batch.send_id,
                batch.ending, json_group_array(batch.device_id)
            FROM (
                SELECT *, (row_number() OVER (PARTITION BY send_id, ending ORDER BY device_id) - 1)
                    / 1000 AS part
                FROM (
                    SELECT send_id, device_id, updated_at,
                        CASE '\(kind)' WHEN 'message' THEN NULL ELSE state END AS ending
                    FROM dispatches WHERE \(condition)
                )
            ) AS batch JOIN sends ON sends.id = batch.send_id
            GROUP BY batch.send_id, batch.ending, batch.part
        """
    }
}
