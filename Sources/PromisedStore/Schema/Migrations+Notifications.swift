extension Migrations {
    /// Users' notifications and notification settings.
    ///
    /// The key has the order of the list. A row is announced once `hold_until` is NULL, unless it was read before. The
    /// schema forbids a hold without an end and a hold of a read row.
    static let notifications = """
        -- subject: the id of what the kind is about, NULL for the account. other_id: the user who caused it.
        CREATE TABLE notification (
            user_id BLOB NOT NULL REFERENCES user (id) ON DELETE CASCADE,
            at INTEGER NOT NULL,
            id BLOB NOT NULL CHECK (length(id) = 16),
            kind TEXT NOT NULL,
            subject BLOB CHECK (length(subject) = 16),
            meets_at INTEGER,
            other_id BLOB REFERENCES user (id),
            is_read INTEGER NOT NULL CHECK (is_read IN (0, 1)),
            hold_reason TEXT,
            hold_until INTEGER,
            PRIMARY KEY (user_id, at, id),
            CHECK ((kind = 'invited') = (meets_at IS NOT NULL)),
            CHECK ((kind = 'exportReady') = (subject IS NULL)),
            CHECK ((hold_reason IS NULL) = (hold_until IS NULL)),
            CHECK (hold_until IS NULL OR is_read = 0)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX notification_by_time ON notification (at);
        CREATE INDEX notification_unread ON notification (user_id) WHERE is_read = 0;
        CREATE INDEX notification_held ON notification (user_id, hold_until, hold_reason)
        WHERE hold_until IS NOT NULL;

        -- off: a JSON array of kinds. phone_told: a JSON array of the last instants, which limit the next ones.
        CREATE TABLE notification_setting (
            user_id BLOB PRIMARY KEY NOT NULL REFERENCES user (id) ON DELETE CASCADE,
            off TEXT NOT NULL DEFAULT '[]',
            quiet_from TEXT,
            quiet_to TEXT,
            phone_told TEXT NOT NULL DEFAULT '[]',
            CHECK ((quiet_from IS NULL) = (quiet_to IS NULL))
        ) STRICT, WITHOUT ROWID;
        """
}
