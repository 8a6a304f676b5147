extension Migrations {
    /// Users, how they sign in, and their sessions.
    ///
    /// Ids are BLOBs of the 16 bytes of a UUIDv7: less than half the size of the text in every table and index,
    /// compared with one `memcmp`, and in order of creation, so new rows are appended to an index. `hex(id)` reads them
    /// in the SQLite shell. Instants are INTEGERs, milliseconds since 1970; enumerations are TEXT, the raw values of
    /// the domain.
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

    /// Adds the family, which identifies the session of a refresh token whose row is deleted, and an index for the
    /// tokens that another replaces.
    ///
    /// Older rows have no family and stay until they expire.
    static let refreshFamilies = """
        ALTER TABLE refresh_token ADD COLUMN family BLOB;
        CREATE INDEX refresh_token_by_family ON refresh_token (family) WHERE family IS NOT NULL;
        DROP INDEX refresh_token_by_session;
        CREATE INDEX refresh_token_by_session ON refresh_token (session_id, successor);
        """

    /// One row per pair with state to store, under the smaller id first.
    static let friendships = """
        CREATE TABLE friendship (
            first BLOB NOT NULL REFERENCES user (id) ON DELETE CASCADE,
            second BLOB NOT NULL REFERENCES user (id) ON DELETE CASCADE,
            state TEXT NOT NULL CHECK (state IN ('none', 'requested', 'friends')),
            requester BLOB,
            since INTEGER NOT NULL,
            rejected_requester BLOB,
            rejected_at INTEGER,
            first_blocks INTEGER NOT NULL CHECK (first_blocks IN (0, 1)),
            second_blocks INTEGER NOT NULL CHECK (second_blocks IN (0, 1)),
            PRIMARY KEY (first, second),
            CHECK (first < second),
            CHECK ((state = 'requested') = (requester IS NOT NULL)),
            CHECK (requester IS NULL OR requester IN (first, second)),
            CHECK ((rejected_requester IS NULL) = (rejected_at IS NULL))
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX friendship_by_first ON friendship (first, state, requester);
        CREATE INDEX friendship_by_second ON friendship (second, state, requester);
        """

    /// Marks rejected requests that their requesters still see as open; leaves out older ones, which disappeared for
    /// their requesters.
    static let shownRejections = """
        ALTER TABLE friendship ADD COLUMN rejection_shown INTEGER NOT NULL DEFAULT 0
        CHECK (rejection_shown IN (0, 1));
        CREATE INDEX friendship_shown_rejected ON friendship (rejected_requester) WHERE rejection_shown = 1;
        """

    /// Accounts of an outside issuer, deletions in progress, and blocks that sessions look up.
    ///
    /// A deleted subject is stored only as a keyed hash, whose key is not in the database, so that a token from before
    /// the deletion does not restore the account.
    static let people = """
        ALTER TABLE user ADD COLUMN external_subject TEXT CHECK (external_subject IS NULL OR deleted_at IS NULL);
        ALTER TABLE user ADD COLUMN deleting_at INTEGER CHECK (deleting_at IS NULL OR deleted_at IS NULL);
        CREATE UNIQUE INDEX user_by_subject ON user (external_subject) WHERE external_subject IS NOT NULL;
        CREATE INDEX user_being_deleted ON user (deleting_at) WHERE deleting_at IS NOT NULL;

        CREATE TABLE forgotten_subject (
            key BLOB PRIMARY KEY NOT NULL,
            deleted_at INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;

        CREATE INDEX friendship_with_block ON friendship (first, second)
        WHERE first_blocks = 1 OR second_blocks = 1;
        """

    /// Skeletons of nicknames. Existing accounts whose name looks like that of an older one have none.
    static let nicknameSkeletons = """
        ALTER TABLE user ADD COLUMN nickname_skeleton TEXT;
        CREATE UNIQUE INDEX user_by_skeleton ON user (nickname_skeleton) WHERE nickname_skeleton IS NOT NULL;
        """

    /// Addresses and devices from which users have signed in, as keyed hashes whose key is not in the database.
    static let knownCallers = """
        CREATE TABLE known_caller (
            user_id BLOB NOT NULL REFERENCES user (id) ON DELETE CASCADE,
            digest BLOB NOT NULL CHECK (length(digest) = 32),
            kind INTEGER NOT NULL CHECK (kind IN (0, 1)),
            seen_at INTEGER NOT NULL,
            PRIMARY KEY (user_id, digest)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX known_caller_by_time ON known_caller (seen_at);
        """

    /// The deleted accounts and folders whose rows and files are still being erased.
    static let erasing = """
        CREATE TABLE erasing (
            id BLOB PRIMARY KEY NOT NULL CHECK (length(id) = 16),
            kind TEXT NOT NULL CHECK (kind IN ('account', 'folder')),
            begun_at INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        """
}
