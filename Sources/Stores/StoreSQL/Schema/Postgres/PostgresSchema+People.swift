extension PostgresSchema {
    /// Users, their devices and names, and the groups they are in.
    static let people = """
        \(nextNumber("next_profile", of: "profiles"))
        \(nextNumber("next_device", of: "devices"))
        CREATE TABLE profiles (
            id bigint PRIMARY KEY DEFAULT next_profile(),
            workspace_id bigint NOT NULL REFERENCES workspaces (id),
            public_id bytea NOT NULL UNIQUE,
            external_id text COLLATE "C",
            anonymous_id bytea,
            email text COLLATE "C",
            phone text COLLATE "C",
            first_name text COLLATE "C",
            last_name text COLLATE "C",
            push_subscription text COLLATE "C" NOT NULL DEFAULT 'subscribed',
            standard text COLLATE "C" NOT NULL,
            custom text COLLATE "C" NOT NULL,
            session_count bigint NOT NULL DEFAULT 0,
            first_session_at bigint,
            last_session_at bigint,
            created_at bigint NOT NULL,
            updated_at bigint NOT NULL
        ) WITH (fillfactor = 80);
        CREATE UNIQUE INDEX profiles_by_external_id ON profiles (workspace_id, external_id)
            WHERE external_id IS NOT NULL;
        CREATE UNIQUE INDEX profiles_by_anonymous_id ON profiles (workspace_id, anonymous_id)
            WHERE anonymous_id IS NOT NULL;
        CREATE INDEX profiles_by_email ON profiles (workspace_id, lower(email COLLATE "C"))
            WHERE email IS NOT NULL;
        CREATE INDEX profiles_by_phone ON profiles (workspace_id, phone) WHERE phone IS NOT NULL;
        CREATE INDEX profiles_by_first_name ON profiles (workspace_id, lower(first_name COLLATE "C"))
            WHERE first_name IS NOT NULL;
        CREATE INDEX profiles_by_last_name ON profiles (workspace_id, lower(last_name COLLATE "C"))
            WHERE last_name IS NOT NULL;
        CREATE INDEX profiles_by_creation ON profiles (workspace_id, created_at);
        CREATE TABLE aliases (
            workspace_id bigint NOT NULL REFERENCES workspaces (id),
            label text COLLATE "C" NOT NULL,
            name text COLLATE "C" NOT NULL,
            profile_id bigint NOT NULL REFERENCES profiles (id) ON DELETE CASCADE,
            PRIMARY KEY (workspace_id, label, name)
        );
        CREATE UNIQUE INDEX aliases_by_profile ON aliases (profile_id, label);
        CREATE INDEX aliases_by_name ON aliases (workspace_id, name);
        CREATE TABLE devices (
            id bigint PRIMARY KEY DEFAULT next_device(),
            workspace_id bigint NOT NULL REFERENCES workspaces (id),
            app_id bigint NOT NULL REFERENCES apps (id),
            installation_id bytea NOT NULL,
            profile_id bigint NOT NULL REFERENCES profiles (id) ON DELETE CASCADE,
            platform text COLLATE "C" NOT NULL,
            model text COLLATE "C",
            os_version text COLLATE "C",
            app_version text COLLATE "C",
            sdk_version text COLLATE "C",
            locale text COLLATE "C",
            time_zone text COLLATE "C",
            push_provider text COLLATE "C",
            push_token text COLLATE "C",
            push_environment text COLLATE "C",
            push_authorization text COLLATE "C",
            push_public_key text COLLATE "C",
            push_secret text COLLATE "C",
            push_registered_at bigint,
            updated_at bigint NOT NULL,
            proved_for bigint,
            nameless_became bigint,
            nameless_until bigint
        ) WITH (fillfactor = 80);
        CREATE UNIQUE INDEX devices_by_installation ON devices (app_id, installation_id);
        CREATE INDEX devices_by_profile ON devices (profile_id);
        CREATE UNIQUE INDEX devices_by_token
            ON devices (push_token, app_id, push_provider, coalesce(push_environment, ''))
            WHERE push_token IS NOT NULL;
        CREATE INDEX devices_reachable ON devices (workspace_id, id) WHERE push_token IS NOT NULL;
        CREATE TABLE former_external_ids (
            workspace_id bigint NOT NULL REFERENCES workspaces (id),
            external_id text COLLATE "C" NOT NULL,
            profile_id bigint NOT NULL REFERENCES profiles (id) ON DELETE CASCADE,
            PRIMARY KEY (workspace_id, external_id)
        );
        CREATE INDEX former_external_ids_by_profile ON former_external_ids (profile_id);
        CREATE TABLE former_anonymous_ids (
            workspace_id bigint NOT NULL REFERENCES workspaces (id),
            anonymous_id bytea NOT NULL,
            profile_id bigint NOT NULL REFERENCES profiles (id) ON DELETE CASCADE,
            PRIMARY KEY (workspace_id, anonymous_id)
        );
        CREATE INDEX former_anonymous_ids_by_profile ON former_anonymous_ids (profile_id);
        CREATE TABLE retired_ids (
            kind text COLLATE "C" PRIMARY KEY,
            id bigint NOT NULL
        );
        INSERT INTO retired_ids VALUES ('profiles', 0), ('devices', 0), ('settled_events', 0);
        CREATE TABLE user_sessions (
            profile_id bigint NOT NULL REFERENCES profiles (id) ON DELETE CASCADE,
            number bigint NOT NULL,
            time bigint NOT NULL,
            PRIMARY KEY (profile_id, number)
        );
        CREATE TABLE segments (
            id bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
            workspace_id bigint NOT NULL REFERENCES workspaces (id),
            api_id bytea NOT NULL UNIQUE,
            name text COLLATE "C" NOT NULL,
            description text COLLATE "C" NOT NULL,
            definition text COLLATE "C" NOT NULL,
            author text COLLATE "C" NOT NULL,
            created_at bigint NOT NULL,
            updated_at bigint NOT NULL,
            archived_at bigint
        );
        CREATE UNIQUE INDEX segments_by_name ON segments (workspace_id, lower(name COLLATE "C"))
            WHERE archived_at IS NULL;
        CREATE TABLE segment_sizes (
            segment_id bigint NOT NULL REFERENCES segments (id) ON DELETE CASCADE,
            day bigint NOT NULL,
            users bigint NOT NULL,
            PRIMARY KEY (segment_id, day)
        );
        CREATE TABLE user_lists (
            id bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
            workspace_id bigint NOT NULL REFERENCES workspaces (id),
            name text COLLATE "C" NOT NULL,
            author text COLLATE "C" NOT NULL,
            updated_at bigint NOT NULL
        );
        CREATE UNIQUE INDEX user_lists_by_name ON user_lists (workspace_id, lower(name COLLATE "C"));
        CREATE TABLE user_list_members (
            list_id bigint NOT NULL REFERENCES user_lists (id) ON DELETE CASCADE,
            profile_id bigint NOT NULL REFERENCES profiles (id) ON DELETE CASCADE,
            PRIMARY KEY (list_id, profile_id)
        );
        CREATE INDEX user_list_members_by_profile ON user_list_members (profile_id);
        CREATE TABLE profile_changes (
            sequence bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
            workspace_id bigint NOT NULL,
            profile_id bigint NOT NULL,
            kind bigint NOT NULL,
            other bigint,
            events_end bigint,
            interactions_end bigint
        );
        CREATE INDEX profile_merges ON profile_changes (sequence) WHERE kind = 2;
        CREATE TABLE merged_users (
            profile_id bigint PRIMARY KEY,
            became bigint NOT NULL
        );
        CREATE INDEX merged_users_by_target ON merged_users (became);
        CREATE TABLE subscription_groups (
            public_id bytea PRIMARY KEY,
            workspace_id bigint NOT NULL REFERENCES workspaces (id),
            name text COLLATE "C" NOT NULL,
            channel text COLLATE "C" NOT NULL,
            created_at bigint NOT NULL,
            UNIQUE (workspace_id, name)
        );
        CREATE TABLE preference_centers (
            public_id bytea PRIMARY KEY,
            workspace_id bigint NOT NULL REFERENCES workspaces (id),
            name text COLLATE "C" NOT NULL,
            title text COLLATE "C" NOT NULL,
            page text COLLATE "C" NOT NULL,
            confirmation text COLLATE "C" NOT NULL,
            viewport text COLLATE "C",
            state text COLLATE "C" NOT NULL,
            created_at bigint NOT NULL,
            updated_at bigint NOT NULL,
            rowid bigint GENERATED BY DEFAULT AS IDENTITY,
            UNIQUE (workspace_id, name)
        );
        """
}
