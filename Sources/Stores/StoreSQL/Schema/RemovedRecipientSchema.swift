/// What is kept of the dispatches of campaigns and journeys whose rows were removed when they were old.
enum RemovedRecipientSchema {
    /// - `removed_recipients` has, of each person and send, what the rows of the person's devices said together:
    ///   different recipients, conversions, experiments, caps and "once for each person" are counted by person.
    ///   `sent_at` and `last_sent_at` are when the first and the last device got it; `was_reached` is 1 if it may
    ///   have reached any.
    /// - `removed_variant_counts` has, of each quarter of an hour, what was sent and opened by platform, variant and
    ///   page, -1 where there is none, because days of all time zones are made of quarters. `tracking_id` is empty
    ///   where the send has none.
    /// - `removed_open_delays` has how many messages of a campaign were opened after so many minutes, begun ones
    ///   included.
    static let sql = """
        CREATE TABLE removed_recipients (
            send_id INTEGER NOT NULL REFERENCES sends (id) ON DELETE CASCADE,
            profile_id INTEGER NOT NULL,
            variant INTEGER,
            was_reached INTEGER NOT NULL,
            sent_at INTEGER,
            last_sent_at INTEGER,
            received_at INTEGER,
            opened_at INTEGER,
            influenced_at INTEGER,
            PRIMARY KEY (send_id, profile_id)
        ) WITHOUT ROWID;
        CREATE TABLE removed_variant_counts (
            campaign_id INTEGER NOT NULL,
            quarter INTEGER NOT NULL,
            tracking_id TEXT NOT NULL,
            platform TEXT NOT NULL,
            variant INTEGER NOT NULL,
            page INTEGER NOT NULL,
            sent INTEGER NOT NULL,
            direct INTEGER NOT NULL,
            total INTEGER NOT NULL,
            bounces INTEGER NOT NULL,
            received INTEGER NOT NULL,
            first_sent_at INTEGER,
            PRIMARY KEY (campaign_id, quarter, tracking_id, platform, variant, page)
        ) WITHOUT ROWID;
        CREATE TABLE removed_open_delays (
            campaign_id INTEGER NOT NULL,
            minutes INTEGER NOT NULL,
            opens INTEGER NOT NULL,
            PRIMARY KEY (campaign_id, minutes)
        ) WITHOUT ROWID;
        """

    /// The same on PostgreSQL.
    static let postgres = """
        CREATE TABLE removed_recipients (
            send_id bigint NOT NULL REFERENCES sends (id) ON DELETE CASCADE,
            profile_id bigint NOT NULL,
            variant bigint,
            was_reached bigint NOT NULL,
            sent_at bigint,
            last_sent_at bigint,
            received_at bigint,
            opened_at bigint,
            influenced_at bigint,
            PRIMARY KEY (send_id, profile_id)
        );
        CREATE TABLE removed_variant_counts (
            campaign_id bigint NOT NULL,
            quarter bigint NOT NULL,
            tracking_id text COLLATE "C" NOT NULL,
            platform text COLLATE "C" NOT NULL,
            variant bigint NOT NULL,
            page bigint NOT NULL,
            sent bigint NOT NULL,
            direct bigint NOT NULL,
            total bigint NOT NULL,
            bounces bigint NOT NULL,
            received bigint NOT NULL,
            first_sent_at bigint,
            PRIMARY KEY (campaign_id, quarter, tracking_id, platform, variant, page)
        );
        CREATE TABLE removed_open_delays (
            campaign_id bigint NOT NULL,
            minutes bigint NOT NULL,
            opens bigint NOT NULL,
            PRIMARY KEY (campaign_id, minutes)
        );
        """
}
