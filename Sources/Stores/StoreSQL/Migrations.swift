import GRDB

/// The migrations of the schema. A released migration is never edited: add another one.
enum Migrations {
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        for (name, sql) in steps {
            migrator.registerMigration(name) { database in try database.execute(sql: sql) }
        }
        return migrator
    }

    /// In order of creation; a name is never reused.
    static let steps: [(name: String, sql: String)] = [
        ("1 first schema", firstSchema),
        ("2 identities", identities),
        ("campaigns", CampaignSchema.sql),
        ("segments", SegmentSchema.sql),
        ("news", NewsSchema.sql),
        ("audit log", AuditSchema.sql),
        ("block list", BlockedNameSchema.sql),
        ("sdk authentication", SDKAuthenticationSchema.sql),
        ("message content", MessageContentSchema.sql),
        ("ledger lanes, leases and counts", LedgerSchema.sql),
        ("daily counts", AnalyticsSchema.sql),
        ("subscriptions", SubscriptionSchema.sql),
        ("key use", APIKeyUsageSchema.sql),
        ("lookup", AliasIndexSchema.sql),
        ("in-app messages", InAppMessageSchema.sql),
        ("request keys", IdempotencyKeySchema.sql),
        ("in-app message reports", InAppMessageSchema.reportsSQL),
        ("in-app message variants", InAppMessageSchema.variantsSQL),
        ("frozen audiences", RecipientSnapshotSchema.sql),
        ("rows set aside", SetAsideSchema.sql),
        ("names of sends", SendNameSchema.sql),
        ("export links", ExportLinkSchema.sql),
        ("apps of events", EventAppSchema.sql),
        ("proved devices", ProvedDeviceSchema.sql),
        ("catalog selections", CatalogSelectionSchema.sql),
        ("member directory", MemberDirectorySchema.sql),
        ("sync jobs", SyncJobSchema.sql),
        ("preference centers", PreferenceCenterSchema.sql),
        ("store probe", ProbeSchema.sql),
        ("sign-in attempts", SignInSchema.sql),
        ("history of persons", PersonHistorySchema.sql),
        ("influenced opens", InfluencedOpenSchema.sql),
        ("form drafts", FormDraftSchema.sql),
        ("campaign variants", CampaignVariantSchema.sql),
        ("reports of devices", DeviceReportSchema.sql),
        ("workspace settings", WorkspaceSettingsSchema.sql),
        ("drafts of all forms", DraftsOfAllFormsSchema.sql),
        ("names of news", NewsNameSchema.sql),
        ("platforms of gone devices", GoneDeviceSchema.sql),
        ("identities of in-app variants", InAppVariantSchema.sql),
        ("sending hold", SendingHoldSchema.sql),
        ("pages of push stories", StoryPageSchema.sql),
        ("record ids without an age", RecordAgeSchema.sql),
        ("withheld messages", WithheldMessageSchema.sql),
        ("saved reports", SavedReportSchema.sql),
        ("journeys", JourneySchema.sql),
        ("request keys of journeys", JourneyRequestKeySchema.sql),
        ("ends in journeys", JourneyEndSchema.sql),
        ("schedules of journeys", JourneyScheduleSchema.sql),
        ("sessions of members", ConsoleSessionSchema.sql),
        ("second factors", SecondFactorSchema.sql),
        ("passkeys", PasskeySchema.sql),
        ("pushes that are tests", TestSendSchema.sql),
        ("goals of in-app messages", InAppMessageSchema.goalSQL),
        ("retention", RetentionSchema.sql),
        ("ends of keys", APIKeyExpirySchema.sql),
        ("facts", FactSchema.sql),
        ("webhooks of facts", FactWebhookSchema.sql),
        ("files of folders", FolderFileSchema.sql),
        ("OpenID Connect", OpenIDSchema.sql),
        ("memberships", MembershipSchema.sql),
        ("removed events", RemovedEventSchema.sql),
        ("removed sessions", RemovedSessionSchema.sql),
        ("removed in-app reports", RemovedInAppReportSchema.sql),
        ("removed reports of pushes", RemovedPushReportSchema.sql),
        ("ends of launches", LaunchEndSchema.sql),
        ("closed ledgers", ClosedLedgerSchema.sql),
        ("servers", ServerSchema.sql),
        ("key of secrets", SecretKeySchema.sql),
        ("content blocks of sends", SendBlockSchema.sql),
        ("roles of servers", ServerRoleSchema.sql),
        ("rehearsals", RehearsalSchema.sql),
        ("contents of launches", LaunchContentSchema.sql),
        ("recently removed events", RecentlyRemovedEventSchema.sql),
        ("events of users", UserEventSchema.sql),
        ("packed sums of removed events", PackedActivitySchema.sql),
        ("deleted events at the end", EventEndSchema.sql),
        ("in-app message reports by user", InAppMessageSchema.reportsByUserSQL),
        ("recipients of removed messages", RemovedRecipientSchema.sql),
        ("events by quarter", EventQuarterSchema.sql),
        ("estimates of new rows", EstimateSchema.sql),
    ]

    /// `retired_ids` keeps the highest id of a deleted row: SQLite would reuse it for the next row,
    /// and a scheduled send would reach a different user.
    private static let identities = """
        CREATE TABLE retired_ids (
            kind TEXT PRIMARY KEY,
            id INTEGER NOT NULL
        ) WITHOUT ROWID;
        INSERT INTO retired_ids VALUES ('profiles', 0), ('devices', 0);
        CREATE TABLE former_external_ids (
            workspace_id INTEGER NOT NULL REFERENCES workspaces (id),
            external_id TEXT NOT NULL,
            profile_id INTEGER NOT NULL REFERENCES profiles (id) ON DELETE CASCADE,
            PRIMARY KEY (workspace_id, external_id)
        ) WITHOUT ROWID;
        CREATE INDEX former_external_ids_by_profile ON former_external_ids (profile_id);
        """

    /// Times are milliseconds since 1970; ids created outside the database are 16-byte blobs.
    private static let firstSchema = """
        CREATE TABLE workspaces (
            id INTEGER PRIMARY KEY,
            name TEXT NOT NULL,
            time_zone TEXT NOT NULL,
            created_at INTEGER NOT NULL
        );
        CREATE TABLE apps (
            id INTEGER PRIMARY KEY,
            workspace_id INTEGER NOT NULL REFERENCES workspaces (id),
            name TEXT NOT NULL,
            platform TEXT NOT NULL,
            bundle_id TEXT NOT NULL,
            sdk_key TEXT NOT NULL UNIQUE,
            created_at INTEGER NOT NULL
        );
        CREATE TABLE credentials (
            app_id INTEGER NOT NULL REFERENCES apps (id),
            provider TEXT NOT NULL,
            box BLOB NOT NULL,
            updated_at INTEGER NOT NULL,
            PRIMARY KEY (app_id, provider)
        ) WITHOUT ROWID;
        CREATE TABLE api_keys (
            id INTEGER PRIMARY KEY,
            workspace_id INTEGER NOT NULL REFERENCES workspaces (id),
            name TEXT NOT NULL,
            secret_hash BLOB NOT NULL UNIQUE,
            permissions TEXT NOT NULL,
            created_at INTEGER NOT NULL,
            revoked_at INTEGER
        );
        CREATE UNIQUE INDEX api_keys_by_name ON api_keys (workspace_id, name)
            WHERE revoked_at IS NULL;
        CREATE TABLE members (
            id INTEGER PRIMARY KEY,
            workspace_id INTEGER NOT NULL REFERENCES workspaces (id),
            name TEXT NOT NULL,
            email TEXT NOT NULL UNIQUE COLLATE NOCASE,
            password_hash TEXT NOT NULL,
            role TEXT NOT NULL,
            language TEXT,
            created_at INTEGER NOT NULL
        );
        CREATE TABLE console_sessions (
            token_hash BLOB PRIMARY KEY,
            member_id INTEGER NOT NULL REFERENCES members (id) ON DELETE CASCADE,
            expires_at INTEGER NOT NULL
        ) WITHOUT ROWID;

        CREATE TABLE profiles (
            id INTEGER PRIMARY KEY,
            workspace_id INTEGER NOT NULL REFERENCES workspaces (id),
            public_id BLOB NOT NULL UNIQUE,
            external_id TEXT,
            anonymous_id BLOB,
            email TEXT,
            phone TEXT,
            first_name TEXT,
            last_name TEXT,
            push_subscription TEXT NOT NULL DEFAULT 'subscribed',
            standard TEXT NOT NULL,
            custom TEXT NOT NULL,
            session_count INTEGER NOT NULL DEFAULT 0,
            first_session_at INTEGER,
            last_session_at INTEGER,
            created_at INTEGER NOT NULL,
            updated_at INTEGER NOT NULL
        );
        CREATE UNIQUE INDEX profiles_by_external_id ON profiles (workspace_id, external_id)
            WHERE external_id IS NOT NULL;
        CREATE UNIQUE INDEX profiles_by_anonymous_id ON profiles (workspace_id, anonymous_id)
            WHERE anonymous_id IS NOT NULL;
        CREATE INDEX profiles_by_email ON profiles (workspace_id, email COLLATE NOCASE)
            WHERE email IS NOT NULL;
        CREATE INDEX profiles_by_phone ON profiles (workspace_id, phone) WHERE phone IS NOT NULL;
        CREATE INDEX profiles_by_first_name ON profiles (workspace_id, first_name COLLATE NOCASE)
            WHERE first_name IS NOT NULL;
        CREATE INDEX profiles_by_last_name ON profiles (workspace_id, last_name COLLATE NOCASE)
            WHERE last_name IS NOT NULL;
        CREATE INDEX profiles_by_update ON profiles (workspace_id, updated_at);
        CREATE INDEX profiles_by_creation ON profiles (workspace_id, created_at);
        CREATE TABLE aliases (
            workspace_id INTEGER NOT NULL REFERENCES workspaces (id),
            label TEXT NOT NULL,
            name TEXT NOT NULL,
            profile_id INTEGER NOT NULL REFERENCES profiles (id) ON DELETE CASCADE,
            PRIMARY KEY (workspace_id, label, name)
        ) WITHOUT ROWID;
        CREATE UNIQUE INDEX aliases_by_profile ON aliases (profile_id, label);

        CREATE TABLE devices (
            id INTEGER PRIMARY KEY,
            workspace_id INTEGER NOT NULL REFERENCES workspaces (id),
            app_id INTEGER NOT NULL REFERENCES apps (id),
            installation_id BLOB NOT NULL,
            profile_id INTEGER NOT NULL REFERENCES profiles (id) ON DELETE CASCADE,
            platform TEXT NOT NULL,
            model TEXT,
            os_version TEXT,
            app_version TEXT,
            sdk_version TEXT,
            locale TEXT,
            time_zone TEXT,
            push_provider TEXT,
            push_token TEXT,
            push_environment TEXT,
            push_authorization TEXT,
            push_public_key TEXT,
            push_secret TEXT,
            push_registered_at INTEGER,
            updated_at INTEGER NOT NULL
        );
        CREATE UNIQUE INDEX devices_by_installation ON devices (app_id, installation_id);
        CREATE INDEX devices_by_profile ON devices (profile_id);
        CREATE UNIQUE INDEX devices_by_token
            ON devices (push_token, app_id, push_provider, coalesce(push_environment, ''))
            WHERE push_token IS NOT NULL;
        CREATE INDEX devices_reachable ON devices (workspace_id, id) WHERE push_token IS NOT NULL;

        CREATE TABLE event_names (
            id INTEGER PRIMARY KEY,
            workspace_id INTEGER NOT NULL REFERENCES workspaces (id),
            name TEXT NOT NULL,
            UNIQUE (workspace_id, name)
        );
        CREATE TABLE events (
            id INTEGER PRIMARY KEY,
            name_id INTEGER NOT NULL,
            time INTEGER NOT NULL,
            profile_id INTEGER NOT NULL,
            properties TEXT
        );
        CREATE INDEX events_by_name ON events (name_id, time, profile_id);
        CREATE TABLE seen_records (
            workspace_id INTEGER NOT NULL,
            record_id BLOB NOT NULL,
            seen_at INTEGER NOT NULL,
            PRIMARY KEY (workspace_id, record_id)
        ) WITHOUT ROWID;
        CREATE INDEX seen_records_by_age ON seen_records (seen_at);

        CREATE TABLE sends (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            workspace_id INTEGER NOT NULL REFERENCES workspaces (id),
            content TEXT NOT NULL,
            state TEXT NOT NULL,
            scheduled_at INTEGER NOT NULL,
            created_at INTEGER NOT NULL,
            started_at INTEGER,
            finished_at INTEGER,
            plan_cursor INTEGER NOT NULL DEFAULT 0
        );
        CREATE INDEX sends_by_workspace ON sends (workspace_id, id);
        CREATE INDEX sends_open ON sends (state, scheduled_at)
            WHERE state IN ('scheduled', 'planning', 'sending');
        CREATE TABLE dispatches (
            send_id INTEGER NOT NULL REFERENCES sends (id) ON DELETE CASCADE,
            device_id INTEGER NOT NULL,
            profile_id INTEGER NOT NULL,
            state INTEGER NOT NULL,
            attempts INTEGER NOT NULL DEFAULT 0,
            due_at INTEGER NOT NULL,
            lease_owner TEXT,
            reason TEXT,
            provider_id TEXT,
            accepted_at INTEGER,
            received_at INTEGER,
            opened_at INTEGER,
            influenced_at INTEGER,
            dismissed_at INTEGER,
            updated_at INTEGER NOT NULL,
            PRIMARY KEY (send_id, device_id)
        ) WITHOUT ROWID;
        CREATE INDEX dispatches_by_time ON dispatches (accepted_at) WHERE accepted_at IS NOT NULL;
        -- A row in the state `sending` is due again when its lease ends.
        CREATE INDEX dispatches_due ON dispatches (send_id, due_at) WHERE state IN (0, 1);
        CREATE INDEX dispatches_leased ON dispatches (lease_owner) WHERE state = 1;
        CREATE TABLE push_interactions (
            id INTEGER PRIMARY KEY,
            send_id INTEGER NOT NULL,
            device_id INTEGER NOT NULL,
            profile_id INTEGER NOT NULL,
            kind TEXT NOT NULL,
            action TEXT,
            time INTEGER NOT NULL
        );
        CREATE INDEX push_interactions_by_device ON push_interactions (device_id, time);
        CREATE INDEX push_interactions_by_time ON push_interactions (time);
        CREATE TABLE in_app_message_interactions (
            id INTEGER PRIMARY KEY,
            workspace_id INTEGER NOT NULL REFERENCES workspaces (id),
            message_id TEXT NOT NULL,
            profile_id INTEGER NOT NULL,
            kind TEXT NOT NULL,
            button TEXT,
            time INTEGER NOT NULL
        );
        CREATE INDEX in_app_message_interactions_by_message
            ON in_app_message_interactions (workspace_id, message_id, kind);
        """
}
