extension Migrations {
    /// Users' files, the uploads that become files, and exports of users' data.
    ///
    /// The bytes are stored outside the database. A row of `file` exists only once all bytes of the file are durable; a
    /// file without a row is a stray.
    static let files = """
        -- item_id: the visit or course whose photo it is. used_at: since when.
        CREATE TABLE file (
            id BLOB PRIMARY KEY NOT NULL CHECK (length(id) = 16),
            user_id BLOB NOT NULL REFERENCES user (id) ON DELETE CASCADE,
            kind TEXT NOT NULL,
            content_type TEXT NOT NULL,
            bytes INTEGER NOT NULL CHECK (bytes >= 0),
            sha256 BLOB NOT NULL CHECK (length(sha256) = 32),
            width INTEGER NOT NULL CHECK (width >= 0),
            height INTEGER NOT NULL CHECK (height >= 0),
            orientation INTEGER NOT NULL CHECK (orientation BETWEEN 0 AND 8),
            item_kind TEXT CHECK (item_kind IN ('visit', 'course')),
            item_id BLOB CHECK (length(item_id) = 16),
            created_at INTEGER NOT NULL,
            used_at INTEGER,
            CHECK ((item_kind IS NULL) = (item_id IS NULL)),
            CHECK (item_id IS NULL OR used_at IS NOT NULL)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX file_by_user ON file (user_id, kind, bytes);
        CREATE INDEX file_by_item ON file (item_id) WHERE item_id IS NOT NULL;
        CREATE INDEX file_without_item ON file (created_at) WHERE item_id IS NULL;

        CREATE TABLE upload (
            id BLOB PRIMARY KEY NOT NULL CHECK (length(id) = 16),
            user_id BLOB NOT NULL REFERENCES user (id) ON DELETE CASCADE,
            key TEXT NOT NULL,
            kind TEXT NOT NULL,
            bytes INTEGER NOT NULL CHECK (bytes > 0),
            sha256 BLOB NOT NULL CHECK (length(sha256) = 32),
            received INTEGER NOT NULL CHECK (received BETWEEN 0 AND bytes),
            last_chunk_at INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX upload_by_user ON upload (user_id);
        CREATE INDEX upload_by_age ON upload (last_chunk_at);

        -- The last export of a user. file_id: NULL until it is ready, and again once the file is deleted.
        CREATE TABLE export (
            user_id BLOB PRIMARY KEY NOT NULL REFERENCES user (id) ON DELETE CASCADE,
            requested_at INTEGER NOT NULL,
            ready_at INTEGER,
            file_id BLOB REFERENCES file (id) ON DELETE SET NULL,
            CHECK (file_id IS NULL OR ready_at IS NOT NULL)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX export_by_file ON export (file_id) WHERE file_id IS NOT NULL;
        CREATE INDEX export_at_work ON export (requested_at) WHERE ready_at IS NULL;
        """

    /// The profile picture of a user: a file without an item, which is used.
    static let pictures = """
        ALTER TABLE user ADD COLUMN picture_id BLOB CHECK (length(picture_id) = 16);
        DROP INDEX file_without_item;
        CREATE INDEX file_without_item ON file (created_at)
            WHERE item_id IS NULL AND (kind <> 'picture' OR used_at IS NULL);
        """
}
