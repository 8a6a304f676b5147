extension Migrations {
    /// Promises, their participants, and their events.
    ///
    /// The instants of the window are generated columns of the meeting time and the spans, so they are always
    /// consistent. A participant's row repeats two of them, so that one index serves a user's lists; a trigger keeps
    /// them up to date.
    static let promises = """
        CREATE TABLE promise (
            id BLOB PRIMARY KEY NOT NULL CHECK (length(id) = 16),
            owner_id BLOB NOT NULL REFERENCES user (id),
            title TEXT NOT NULL,
            note TEXT NOT NULL,
            place_name TEXT NOT NULL,
            place_address TEXT NOT NULL,
            latitude REAL NOT NULL,
            longitude REAL NOT NULL,
            meets_at INTEGER NOT NULL,
            radius_metres INTEGER NOT NULL,
            penalty_amount INTEGER,
            penalty_currency TEXT,
            rule_name TEXT NOT NULL,
            rule_grace INTEGER NOT NULL,
            rule_mock TEXT NOT NULL,
            span_before INTEGER NOT NULL,
            span_after INTEGER NOT NULL,
            span_settle INTEGER NOT NULL,
            version INTEGER NOT NULL,
            created_at INTEGER NOT NULL,
            cancelled_at INTEGER,
            cancel_reason TEXT NOT NULL,
            epoch TEXT NOT NULL CHECK (epoch <> ''),
            mark INTEGER NOT NULL DEFAULT 0 CHECK (mark BETWEEN 0 AND 5),
            last_seq INTEGER NOT NULL DEFAULT 0,
            owner_epoch INTEGER NOT NULL DEFAULT 0,
            opens_at INTEGER NOT NULL GENERATED ALWAYS AS (meets_at - span_before) VIRTUAL,
            closes_at INTEGER NOT NULL GENERATED ALWAYS AS (meets_at + span_after) VIRTUAL,
            settles_at INTEGER NOT NULL GENERATED ALWAYS AS (meets_at + span_after + span_settle) VIRTUAL,
            CHECK ((penalty_amount IS NULL) = (penalty_currency IS NULL))
        ) STRICT;
        CREATE INDEX promise_by_owner ON promise (owner_id, settles_at) WHERE cancelled_at IS NULL;
        CREATE INDEX promise_by_opening ON promise (opens_at, id) WHERE cancelled_at IS NULL AND mark < 5;

        -- number: the order in which they first came to this promise.
        CREATE TABLE participant (
            promise_id BLOB NOT NULL REFERENCES promise (id) ON DELETE CASCADE,
            user_id BLOB NOT NULL REFERENCES user (id),
            number INTEGER NOT NULL,
            membership TEXT NOT NULL CHECK (membership IN ('invited', 'accepted', 'declined', 'left', 'removed')),
            is_sharing INTEGER NOT NULL CHECK (is_sharing IN (0, 1)),
            invited_at INTEGER NOT NULL,
            accepted_at INTEGER,
            ended_at INTEGER,
            excused_reason TEXT,
            meets_at INTEGER NOT NULL,
            settles_at INTEGER NOT NULL,
            PRIMARY KEY (promise_id, user_id)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX participant_by_meeting ON participant (user_id, meets_at, promise_id);
        CREATE INDEX participant_by_settling ON participant (user_id, settles_at, promise_id);
        CREATE TRIGGER promise_moved AFTER UPDATE OF meets_at, span_after, span_settle ON promise
        WHEN NEW.meets_at <> OLD.meets_at OR NEW.settles_at <> OLD.settles_at
        BEGIN
            UPDATE participant SET meets_at = NEW.meets_at, settles_at = NEW.settles_at WHERE promise_id = NEW.id;
        END;

        CREATE TABLE promise_event (
            promise_id BLOB NOT NULL REFERENCES promise (id) ON DELETE CASCADE,
            seq INTEGER NOT NULL CHECK (seq > 0),
            at INTEGER NOT NULL,
            kind TEXT NOT NULL,
            body TEXT NOT NULL,
            PRIMARY KEY (promise_id, seq)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE idempotency_key (
            owner_id BLOB NOT NULL REFERENCES user (id) ON DELETE CASCADE,
            key TEXT NOT NULL,
            promise_id BLOB NOT NULL REFERENCES promise (id) ON DELETE CASCADE,
            content_hash BLOB NOT NULL,
            created_at INTEGER NOT NULL,
            PRIMARY KEY (owner_id, key)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX idempotency_key_by_promise ON idempotency_key (promise_id);
        CREATE INDEX idempotency_key_by_age ON idempotency_key (created_at);

        CREATE TABLE invite (
            code TEXT PRIMARY KEY NOT NULL,
            promise_id BLOB NOT NULL REFERENCES promise (id) ON DELETE CASCADE,
            created_at INTEGER NOT NULL,
            expires_at INTEGER,
            revoked_at INTEGER
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX invite_by_promise ON invite (promise_id);
        """

    /// The participants' statuses and claims on the way, and the indexes that the live sessions need.
    static let live = """
        ALTER TABLE participant ADD COLUMN status_text TEXT NOT NULL DEFAULT '';
        ALTER TABLE participant ADD COLUMN emoji TEXT NOT NULL DEFAULT '';
        ALTER TABLE arrival ADD COLUMN check_in TEXT;
        CREATE UNIQUE INDEX invite_in_use ON invite (promise_id) WHERE revoked_at IS NULL;
        """

    /// Deletes revoked codes: revoking now deletes the code.
    static let revokedInvites = "DELETE FROM invite WHERE revoked_at IS NOT NULL;"

    /// The last reminders of each pair.
    static let nudges = """
        CREATE TABLE nudge (
            promise_id BLOB NOT NULL REFERENCES promise (id) ON DELETE CASCADE,
            sender_id BLOB NOT NULL,
            receiver_id BLOB NOT NULL,
            at INTEGER NOT NULL,
            PRIMARY KEY (promise_id, sender_id, receiver_id)
        ) STRICT, WITHOUT ROWID;
        """

    /// When a participant resumed sharing after a pause: older positions are not shown, even after a restart.
    static let sharesFrom = "ALTER TABLE participant ADD COLUMN shares_from INTEGER;"

    /// The promises by their clock and meeting time, so that a query by status reads only matching promises.
    ///
    /// A participant's row repeats the clock besides the two instants; the trigger keeps all of them up to date.
    static let promiseStatus = """
        CREATE INDEX promise_by_clock ON promise (\(PromiseClock.sql), meets_at, id);

        -- clock: the text of PromiseClock.
        ALTER TABLE participant ADD COLUMN clock TEXT NOT NULL DEFAULT '';
        UPDATE participant SET clock = (SELECT \(PromiseClock.sql) FROM promise WHERE id = promise_id);
        CREATE INDEX participant_by_clock ON participant (user_id, clock, meets_at, promise_id);

        DROP TRIGGER promise_moved;
        CREATE TRIGGER promise_moved
        AFTER UPDATE OF meets_at, span_before, span_after, span_settle, cancelled_at ON promise
        WHEN NEW.meets_at <> OLD.meets_at OR NEW.settles_at <> OLD.settles_at OR NEW.span_before <> OLD.span_before
            OR NEW.span_after <> OLD.span_after OR (NEW.cancelled_at IS NULL) <> (OLD.cancelled_at IS NULL)
        BEGIN
            UPDATE participant SET meets_at = NEW.meets_at, settles_at = NEW.settles_at,
                clock = (SELECT \(PromiseClock.sql) FROM promise WHERE id = NEW.id)
            WHERE promise_id = NEW.id;
        END;
        """

    /// Clears the statuses of deleted users.
    static let tombstoneStatuses = """
        UPDATE participant SET status_text = '', emoji = ''
        WHERE user_id IN (SELECT id FROM user WHERE deleted_at IS NOT NULL);
        """

    /// An index of a user's statuses, which are deleted with the account: they are few among thousands of past
    /// promises.
    static let shownStatuses = """
        CREATE INDEX participant_with_status ON participant (user_id) WHERE status_text <> '' OR emoji <> '';
        """

    /// The participants of promises that are not cancelled, by user and membership, for the user's invitations and open
    /// promises. The index includes the clock, so that counting reads no rows.
    static let openParts = """
        CREATE INDEX participant_open ON participant (user_id, membership, settles_at, promise_id, clock)
            WHERE clock <> 'cancelled';
        DROP INDEX participant_by_settling;
        """

    /// Deletes the texts and places of promises that no user can read any more, and the device names in the evidence of
    /// deleted users. For deletions in progress, this happens when they end.
    static let tombstoneTraces = """
        CREATE TEMP TABLE abandoned AS SELECT id FROM promise WHERE NOT EXISTS (
            SELECT 1 FROM participant JOIN user ON user.id = participant.user_id
            WHERE participant.promise_id = promise.id AND user.deleted_at IS NULL
                AND (membership IN ('invited', 'accepted') OR membership IN ('left', 'removed')
                    AND accepted_at IS NOT NULL AND ended_at >= promise.opens_at));
        UPDATE promise SET title = '', note = '', place_id = NULL, place_name = '', place_address = '', latitude = 0,
            longitude = 0, cancel_reason = '', course_id = NULL
        WHERE id IN (SELECT id FROM abandoned);
        UPDATE participant SET excused_reason = ''
        WHERE excused_reason <> '' AND promise_id IN (SELECT id FROM abandoned);
        UPDATE result_row SET excused_reason = ''
        WHERE excused_reason <> '' AND promise_id IN (SELECT id FROM abandoned);
        DELETE FROM promise_event WHERE promise_id IN (SELECT id FROM abandoned);
        DELETE FROM invite WHERE promise_id IN (SELECT id FROM abandoned);
        DELETE FROM view_link WHERE promise_id IN (SELECT id FROM abandoned);
        DELETE FROM nudge WHERE promise_id IN (SELECT id FROM abandoned);
        DROP TABLE abandoned;
        UPDATE arrival SET evidence = json_set(evidence, '$.device.deviceID', '', '$.device.bootID', '')
        WHERE evidence IS NOT NULL AND user_id IN (SELECT id FROM user WHERE deleted_at IS NOT NULL);
        """

    /// View links, at most one per promise, and the participants' consent to them.
    ///
    /// Only the SHA-256 of a code is stored; the code is random, so a plain hash protects it.
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

    /// The data that a promise's invite link shows.
    static let previews = """
        ALTER TABLE promise ADD COLUMN preview TEXT NOT NULL DEFAULT 'time'
            CHECK (preview IN ('none', 'title', 'time', 'place'));
        """
}
