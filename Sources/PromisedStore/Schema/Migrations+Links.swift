extension Migrations {
    /// The links by which people without an account watch, at most one of a promise, and who agreed to be seen by them.
    ///
    /// Of a code only the SHA-256 is kept; the code is random, so a plain hash protects it.
    static let links = """
        CREATE TABLE view_link (
            promise_id BLOB PRIMARY KEY NOT NULL REFERENCES promise (id) ON DELETE CASCADE,
            code_hash BLOB NOT NULL CHECK (length(code_hash) = 32),
            created_at INTEGER NOT NULL,
            expires_at INTEGER
        ) STRICT, WITHOUT ROWID;
        CREATE UNIQUE INDEX view_link_by_code ON view_link (code_hash);

        ALTER TABLE participant ADD COLUMN is_link_sharing INTEGER NOT NULL DEFAULT 0
        CHECK (is_link_sharing IN (0, 1));
        """
}
