extension Migrations {
    /// Running totals for administrators and metrics, updated by triggers in the transactions that change the rows.
    /// Counting 600,000 files takes 0.2 s even with a covering index.
    static let fileTotals = """
        -- thing and kind: 'file' by kind, with bytes; 'owner': users with a file; 'course' by source, with points;
        -- 'recording' by state; 'promise': 'held' or 'cancelled'; 'user': accounts that are not deleted.
        CREATE TABLE total (
            thing TEXT NOT NULL,
            kind TEXT NOT NULL,
            count INTEGER NOT NULL CHECK (count >= 0),
            amount INTEGER NOT NULL CHECK (amount >= 0),
            PRIMARY KEY (thing, kind)
        ) STRICT, WITHOUT ROWID;
        INSERT INTO total (thing, kind, count, amount)
        SELECT 'file', kind, count(*), sum(bytes) FROM file GROUP BY kind
        UNION ALL SELECT 'owner', '', count(DISTINCT user_id), 0 FROM file
        UNION ALL SELECT 'course', source, count(*), sum(points + dropped) FROM course GROUP BY source
        UNION ALL SELECT 'recording', state, count(*), 0 FROM recording GROUP BY state
        UNION ALL SELECT 'promise', iif(cancelled_at IS NULL, 'held', 'cancelled'), count(*), 0 FROM promise GROUP BY 2
        UNION ALL SELECT 'user', '', count(*), 0 FROM user WHERE deleted_at IS NULL;
        DROP INDEX course_by_source;
        DROP INDEX recording_by_state;
        -- Promises that are not settled yet, for the statuses that follow from the clock.
        CREATE INDEX promise_by_settling ON promise (settles_at) WHERE cancelled_at IS NULL;

        CREATE TRIGGER file_added AFTER INSERT ON file BEGIN
            INSERT INTO total (thing, kind, count, amount) VALUES ('file', NEW.kind, 1, NEW.bytes)
                ON CONFLICT DO UPDATE SET count = count + 1, amount = amount + excluded.amount;
            UPDATE total SET count = count + 1 WHERE thing = 'owner' AND kind = ''
                AND NOT EXISTS (SELECT 1 FROM file WHERE user_id = NEW.user_id AND id <> NEW.id);
        END;
        CREATE TRIGGER file_removed AFTER DELETE ON file BEGIN
            UPDATE total SET count = count - 1, amount = amount - OLD.bytes WHERE thing = 'file' AND kind = OLD.kind;
            UPDATE total SET count = count - 1 WHERE thing = 'owner' AND kind = ''
                AND NOT EXISTS (SELECT 1 FROM file WHERE user_id = OLD.user_id);
        END;

        CREATE TRIGGER course_added AFTER INSERT ON course BEGIN
            INSERT INTO total (thing, kind, count, amount) VALUES ('course', NEW.source, 1, NEW.points + NEW.dropped)
                ON CONFLICT DO UPDATE SET count = count + 1, amount = amount + excluded.amount;
        END;
        CREATE TRIGGER course_changed AFTER UPDATE OF source, points, dropped ON course BEGIN
            UPDATE total SET count = count - 1, amount = amount - OLD.points - OLD.dropped
                WHERE thing = 'course' AND kind = OLD.source;
            INSERT INTO total (thing, kind, count, amount) VALUES ('course', NEW.source, 1, NEW.points + NEW.dropped)
                ON CONFLICT DO UPDATE SET count = count + 1, amount = amount + excluded.amount;
        END;
        CREATE TRIGGER course_removed AFTER DELETE ON course BEGIN
            UPDATE total SET count = count - 1, amount = amount - OLD.points - OLD.dropped
                WHERE thing = 'course' AND kind = OLD.source;
        END;

        CREATE TRIGGER recording_added AFTER INSERT ON recording BEGIN
            INSERT INTO total (thing, kind, count, amount) VALUES ('recording', NEW.state, 1, 0)
                ON CONFLICT DO UPDATE SET count = count + 1;
        END;
        CREATE TRIGGER recording_changed AFTER UPDATE OF state ON recording WHEN OLD.state <> NEW.state BEGIN
            UPDATE total SET count = count - 1 WHERE thing = 'recording' AND kind = OLD.state;
            INSERT INTO total (thing, kind, count, amount) VALUES ('recording', NEW.state, 1, 0)
                ON CONFLICT DO UPDATE SET count = count + 1;
        END;
        CREATE TRIGGER recording_removed AFTER DELETE ON recording BEGIN
            UPDATE total SET count = count - 1 WHERE thing = 'recording' AND kind = OLD.state;
        END;

        CREATE TRIGGER promise_added AFTER INSERT ON promise BEGIN
            INSERT INTO total (thing, kind, count, amount)
                VALUES ('promise', iif(NEW.cancelled_at IS NULL, 'held', 'cancelled'), 1, 0)
                ON CONFLICT DO UPDATE SET count = count + 1;
        END;
        CREATE TRIGGER promise_changed AFTER UPDATE OF cancelled_at ON promise
        WHEN (OLD.cancelled_at IS NULL) <> (NEW.cancelled_at IS NULL) BEGIN
            UPDATE total SET count = count - 1
                WHERE thing = 'promise' AND kind = iif(OLD.cancelled_at IS NULL, 'held', 'cancelled');
            INSERT INTO total (thing, kind, count, amount)
                VALUES ('promise', iif(NEW.cancelled_at IS NULL, 'held', 'cancelled'), 1, 0)
                ON CONFLICT DO UPDATE SET count = count + 1;
        END;
        CREATE TRIGGER promise_removed AFTER DELETE ON promise BEGIN
            UPDATE total SET count = count - 1
                WHERE thing = 'promise' AND kind = iif(OLD.cancelled_at IS NULL, 'held', 'cancelled');
        END;

        CREATE TRIGGER user_added AFTER INSERT ON user WHEN NEW.deleted_at IS NULL BEGIN
            UPDATE total SET count = count + 1 WHERE thing = 'user' AND kind = '';
        END;
        CREATE TRIGGER user_changed AFTER UPDATE OF deleted_at ON user
        WHEN (OLD.deleted_at IS NULL) <> (NEW.deleted_at IS NULL) BEGIN
            UPDATE total SET count = count + iif(NEW.deleted_at IS NULL, 1, -1) WHERE thing = 'user' AND kind = '';
        END;
        CREATE TRIGGER user_removed AFTER DELETE ON user WHEN OLD.deleted_at IS NULL BEGIN
            UPDATE total SET count = count - 1 WHERE thing = 'user' AND kind = '';
        END;
        """
}
