extension Migrations {
    /// What participants show and claim while they are on the way, and the indexes that the live sessions need.
    static let live = """
        ALTER TABLE participant ADD COLUMN status_text TEXT NOT NULL DEFAULT '';
        ALTER TABLE participant ADD COLUMN emoji TEXT NOT NULL DEFAULT '';
        ALTER TABLE arrival ADD COLUMN check_in TEXT;
        CREATE UNIQUE INDEX invite_in_use ON invite (promise_id) WHERE revoked_at IS NULL;
        """

    /// Codes that let nobody in any more: a code that is revoked is deleted now.
    static let revokedInvites = "DELETE FROM invite WHERE revoked_at IS NOT NULL;"

    /// Who reminded whom in the last minute.
    static let nudges = """
        CREATE TABLE nudge (
            promise_id BLOB NOT NULL REFERENCES promise (id) ON DELETE CASCADE,
            sender_id BLOB NOT NULL,
            receiver_id BLOB NOT NULL,
            at INTEGER NOT NULL,
            PRIMARY KEY (promise_id, sender_id, receiver_id)
        ) STRICT, WITHOUT ROWID;
        """

    /// Since when somebody shares who had paused before: nothing older is shown, also after a restart.
    static let sharesFrom = "ALTER TABLE participant ADD COLUMN shares_from INTEGER;"

    /// What participants showed who have been deleted since.
    static let tombstoneStatuses = """
        UPDATE participant SET status_text = '', emoji = ''
        WHERE user_id IN (SELECT id FROM user WHERE deleted_at IS NOT NULL);
        """
}
