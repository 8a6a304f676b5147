extension Migrations {
    /// Accounts from an outside issuer, deletions that take more than a moment, and blocks that sessions look up.
    ///
    /// A subject that was deleted is remembered only as a keyed hash, whose key is not in the database, so that a token
    /// from before the deletion does not bring the account back.
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

    /// What nicknames look like. Accounts of before that look like an older one have none.
    static let nicknameSkeletons = """
        ALTER TABLE user ADD COLUMN nickname_skeleton TEXT;
        CREATE UNIQUE INDEX user_by_skeleton ON user (nickname_skeleton) WHERE nickname_skeleton IS NOT NULL;
        """
}
