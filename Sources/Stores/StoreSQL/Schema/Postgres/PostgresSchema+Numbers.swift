/// The numbers that rows get.
extension PostgresSchema {
    /// Sequences stay ahead of numbers that rows bring along, which a row's own number from the sequence
    /// never is: that costs a look at the sequence for each row.
    static let numbers =
        """
        CREATE FUNCTION follow_given_number() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            PERFORM setval(TG_ARGV[0]::regclass, (to_jsonb(NEW) ->> TG_ARGV[1])::bigint);
            RETURN NEW;
        END $$;

        """
        + numbered.map { table, column in
            """
            CREATE TRIGGER \(table)_numbers BEFORE INSERT ON \(table) FOR EACH ROW
            WHEN (NEW.\(column)
                > coalesce(pg_sequence_last_value('\(table)_\(column)_seq'::regclass), 0))
            EXECUTE FUNCTION follow_given_number('\(table)_\(column)_seq', '\(column)');

            """
        }.joined() + lastNumbers

    /// The tables whose rows have numbers from a sequence, and the columns of these.
    private static let numbered: [(table: String, column: String)] =
        [
            "api_keys", "apps", "audit_log", "campaigns", "catalogs", "dispatch_leases",
            "event_names", "events", "fact_log", "form_drafts", "in_app_message_interactions",
            "in_app_messages", "journey_calls", "journey_entries", "journey_requests",
            "journey_schedules", "journey_steps", "journeys", "members", "news", "passkeys",
            "pending_triggers", "push_interactions", "removed_in_app_subjects", "segments",
            "sends", "set_aside_rows", "sync_jobs", "user_lists", "workspaces",
        ].map { ($0, "id") } + [("profile_changes", "sequence")]

    /// What SQLite's table of this name says of the numbers that the next rows get.
    private static let lastNumbers = """
        CREATE VIEW sqlite_sequence AS
            SELECT 'segments' AS name, last_value AS seq FROM segments_id_seq WHERE is_called
            UNION ALL SELECT 'campaigns', last_value FROM campaigns_id_seq WHERE is_called
            UNION ALL SELECT 'news', last_value FROM news_id_seq WHERE is_called;
        """

    /// The number of the next user or device: that of no row that there is or was.
    static func nextNumber(_ function: String, of table: String) -> String {
        """
        CREATE FUNCTION \(function)() RETURNS bigint LANGUAGE plpgsql AS $$
        BEGIN
            RETURN (
                SELECT greatest(coalesce((SELECT max(id) FROM \(table)), 0), id) + 1
                FROM retired_ids WHERE kind = '\(table)');
        END $$;
        """
    }
}
