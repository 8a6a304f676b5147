extension Migrations {
    /// Users, how they sign in, and their sessions.
    ///
    /// Ids are BLOBs of the 16 bytes of a UUIDv7: less than half the size of the text in every table and index, compared
    /// with one `memcmp`, and in order of making, so that new rows go to the end of an index. `hex(id)` reads them in the
    /// SQLite shell. Instants are INTEGERs, milliseconds since 1970; enumerations are TEXT, the raw values of the domain.
    static let accounts = """
        CREATE TABLE user (
            id BLOB PRIMARY KEY NOT NULL CHECK (length(id) = 16),
            email TEXT,
            email_key TEXT,
            nickname TEXT,
            nickname_key TEXT,
            avatar TEXT NOT NULL,
            locale TEXT NOT NULL,
            time_zone TEXT NOT NULL,
            created_at INTEGER NOT NULL,
            disabled_at INTEGER,
            deleted_at INTEGER,
            CHECK ((nickname IS NULL) = (deleted_at IS NOT NULL)),
            CHECK ((nickname IS NULL) = (nickname_key IS NULL)),
            CHECK ((email IS NULL) = (email_key IS NULL)),
            CHECK (deleted_at IS NULL OR email IS NULL)
        ) STRICT, WITHOUT ROWID;
        CREATE UNIQUE INDEX user_by_email ON user (email_key) WHERE email_key IS NOT NULL;
        CREATE UNIQUE INDEX user_by_nickname ON user (nickname_key) WHERE nickname_key IS NOT NULL;

        CREATE TABLE credential (
            user_id BLOB PRIMARY KEY NOT NULL REFERENCES user (id) ON DELETE CASCADE,
            password_hash TEXT NOT NULL,
            changed_at INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE auth_session (
            id BLOB PRIMARY KEY NOT NULL CHECK (length(id) = 16),
            user_id BLOB NOT NULL REFERENCES user (id) ON DELETE CASCADE,
            device_label TEXT NOT NULL,
            created_at INTEGER NOT NULL,
            revoked_at INTEGER
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX auth_session_by_user ON auth_session (user_id);

        -- successor: the token that replaced this one; of a chain of retries, the last.
        CREATE TABLE refresh_token (
            hash BLOB PRIMARY KEY NOT NULL,
            session_id BLOB NOT NULL REFERENCES auth_session (id) ON DELETE CASCADE,
            expires_at INTEGER NOT NULL,
            replaced_at INTEGER,
            successor BLOB,
            CHECK ((replaced_at IS NULL) = (successor IS NULL))
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX refresh_token_by_session ON refresh_token (session_id);
        CREATE INDEX refresh_token_by_expiry ON refresh_token (expires_at);
        """

    /// What tells whose a refresh token was whose row is gone, and an index for the tokens that one replaces.
    ///
    /// Rows of before have no family and stay until they expire.
    static let refreshFamilies = """
        ALTER TABLE refresh_token ADD COLUMN family BLOB;
        CREATE INDEX refresh_token_by_family ON refresh_token (family) WHERE family IS NOT NULL;
        DROP INDEX refresh_token_by_session;
        CREATE INDEX refresh_token_by_session ON refresh_token (session_id, successor);
        """
}
