extension Migrations {
    /// Arrivals, final tables, and the positions on which they are based.
    static let resultsAndFixes = """
        CREATE TABLE arrival (
            promise_id BLOB NOT NULL,
            user_id BLOB NOT NULL,
            stage TEXT NOT NULL,
            credited_at INTEGER NOT NULL,
            source TEXT NOT NULL,
            evidence TEXT,
            PRIMARY KEY (promise_id, user_id),
            FOREIGN KEY (promise_id, user_id) REFERENCES participant (promise_id, user_id) ON DELETE CASCADE
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE result (
            promise_id BLOB PRIMARY KEY NOT NULL REFERENCES promise (id) ON DELETE CASCADE,
            meets_at INTEGER NOT NULL,
            final_at INTEGER NOT NULL,
            penalty_amount INTEGER,
            penalty_currency TEXT,
            CHECK ((penalty_amount IS NULL) = (penalty_currency IS NULL))
        ) STRICT, WITHOUT ROWID;

        -- number: the place in the table, from 1.
        CREATE TABLE result_row (
            promise_id BLOB NOT NULL REFERENCES result (promise_id) ON DELETE CASCADE,
            user_id BLOB NOT NULL,
            number INTEGER NOT NULL,
            outcome TEXT NOT NULL,
            credited_at INTEGER,
            seconds_from_meeting INTEGER NOT NULL,
            rank INTEGER NOT NULL,
            source TEXT,
            penalty_owed INTEGER NOT NULL,
            excused_reason TEXT NOT NULL,
            PRIMARY KEY (promise_id, user_id),
            FOREIGN KEY (promise_id, user_id) REFERENCES participant (promise_id, user_id)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX result_row_by_user ON result_row (user_id, promise_id);

        -- One row for each promise and flush; chunk is the encoding of FixChunk.
        CREATE TABLE fix (
            id INTEGER PRIMARY KEY,
            promise_id BLOB NOT NULL REFERENCES promise (id) ON DELETE CASCADE,
            count INTEGER NOT NULL CHECK (count > 0),
            chunk BLOB NOT NULL
        ) STRICT;
        CREATE INDEX fix_by_promise ON fix (promise_id);
        """

    /// Pairs that came together, with the evidence; stored with the result (domain §6.4).
    static let cameTogether = """
        CREATE TABLE came_together (
            promise_id BLOB NOT NULL,
            first_id BLOB NOT NULL,
            second_id BLOB NOT NULL,
            median_distance_metres REAL NOT NULL,
            limit_metres REAL NOT NULL,
            moment_count INTEGER NOT NULL,
            credited_at INTEGER NOT NULL,
            PRIMARY KEY (promise_id, first_id, second_id),
            FOREIGN KEY (promise_id, first_id) REFERENCES participant (promise_id, user_id) ON DELETE CASCADE,
            FOREIGN KEY (promise_id, second_id) REFERENCES participant (promise_id, user_id) ON DELETE CASCADE
        ) STRICT, WITHOUT ROWID;
        """
}
