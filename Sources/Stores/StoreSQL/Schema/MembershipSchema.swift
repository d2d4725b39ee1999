/// What a member is in each of their workspaces, apart from the account with which they sign in.
enum MembershipSchema {
    /// `members.workspace_id` becomes the workspace that was opened last. A provider's sign-ins of
    /// before are known by their length of twelve hours.
    static let sql = """
        CREATE TABLE memberships (
            member_id INTEGER NOT NULL REFERENCES members (id) ON DELETE CASCADE,
            workspace_id INTEGER NOT NULL REFERENCES workspaces (id),
            role TEXT NOT NULL,
            name TEXT NOT NULL,
            given_name TEXT,
            family_name TEXT,
            directory_id TEXT,
            deactivated_at INTEGER,
            last_signed_in_at INTEGER,
            created_at INTEGER NOT NULL,
            updated_at INTEGER,
            PRIMARY KEY (member_id, workspace_id)
        ) WITHOUT ROWID;
        CREATE INDEX memberships_by_workspace ON memberships (workspace_id);
        INSERT INTO memberships
            SELECT id, workspace_id, role, name, given_name, family_name, directory_id,
                deactivated_at, last_signed_in_at, created_at, updated_at
            FROM members;
        ALTER TABLE members DROP COLUMN name;
        ALTER TABLE members DROP COLUMN role;
        ALTER TABLE members DROP COLUMN given_name;
        ALTER TABLE members DROP COLUMN family_name;
        ALTER TABLE members DROP COLUMN directory_id;
        ALTER TABLE members DROP COLUMN deactivated_at;
        ALTER TABLE members DROP COLUMN last_signed_in_at;
        ALTER TABLE members DROP COLUMN updated_at;
        CREATE VIEW workspace_members AS
            SELECT members.id, memberships.workspace_id, members.workspace_id AS last_workspace_id,
                memberships.name, members.email, members.password_hash, memberships.role,
                members.language, memberships.given_name, memberships.family_name,
                memberships.directory_id, memberships.deactivated_at,
                memberships.last_signed_in_at, members.second_factor_at,
                memberships.created_at, memberships.updated_at,
                EXISTS (
                    SELECT 1 FROM memberships AS others
                    WHERE others.member_id = members.id
                        AND others.workspace_id <> memberships.workspace_id
                ) AS belongs_elsewhere
            FROM memberships JOIN members ON members.id = memberships.member_id;

        ALTER TABLE console_sessions ADD COLUMN workspace_id INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE console_sessions ADD COLUMN is_by_provider INTEGER NOT NULL DEFAULT 0;
        UPDATE console_sessions SET is_by_provider = expires_at - started_at = 43200000,
            workspace_id =
                (SELECT workspace_id FROM members WHERE members.id = console_sessions.member_id);
        ALTER TABLE sign_in_steps ADD COLUMN workspace_id INTEGER NOT NULL DEFAULT 0;
        UPDATE sign_in_steps SET workspace_id =
            (SELECT workspace_id FROM members WHERE members.id = sign_in_steps.member_id);

        DROP INDEX openid_identities_by_member;
        CREATE UNIQUE INDEX openid_identities_by_member
            ON openid_identities (member_id, workspace_id, issuer) WHERE member_id IS NOT NULL;
        """
}
