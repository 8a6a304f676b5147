extension Migrations {
    /// Operators' actions, and metadata of the database.
    static let housekeeping = """
        CREATE TABLE audit (
            id INTEGER PRIMARY KEY,
            at INTEGER NOT NULL,
            actor TEXT NOT NULL,
            action TEXT NOT NULL,
            subject TEXT NOT NULL,
            detail TEXT NOT NULL
        ) STRICT;
        CREATE INDEX audit_by_time ON audit (at);

        CREATE TABLE meta (
            key TEXT PRIMARY KEY NOT NULL,
            value TEXT NOT NULL
        ) STRICT, WITHOUT ROWID;
        """

    /// Administrators' tokens, the flag for administrators' rows in the audit, and the order of all promises.
    ///
    /// A token has the entropy of a key, so it is stored and looked up by a plain SHA-256. Its instants are real ones,
    /// even if the server's clock is scaled.
    static let administration = """
        CREATE TABLE admin_token (
            id BLOB PRIMARY KEY NOT NULL CHECK (length(id) = 16),
            hash BLOB NOT NULL CHECK (length(hash) = 32),
            name TEXT NOT NULL,
            created_at INTEGER NOT NULL,
            expires_at INTEGER,
            revoked_at INTEGER,
            last_used_at INTEGER
        ) STRICT, WITHOUT ROWID;
        CREATE UNIQUE INDEX admin_token_by_hash ON admin_token (hash);

        ALTER TABLE audit ADD COLUMN is_admin INTEGER NOT NULL DEFAULT 0 CHECK (is_admin IN (0, 1));
        CREATE INDEX audit_by_admin ON audit (id) WHERE is_admin = 1;

        CREATE INDEX promise_by_meeting ON promise (meets_at, id);
        """
}
