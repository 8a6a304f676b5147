extension Migrations {
    /// Users' visits with photos and companions, the marks of deleted visits, and the dates of badges.
    ///
    /// Rows of `visit` are long, so the order of lists is an index, not the key: counting reads no rows. Texts are the
    /// last columns, so that statistics skip them.
    static let visits = """
        -- local_date: days since 1970-01-01 on the calendar of the place. weather: the JSON of VisitWeather.
        CREATE TABLE visit (
            id BLOB PRIMARY KEY NOT NULL CHECK (length(id) = 16),
            user_id BLOB NOT NULL REFERENCES user (id) ON DELETE CASCADE,
            at INTEGER NOT NULL,
            local_date INTEGER NOT NULL,
            is_market_day INTEGER NOT NULL CHECK (is_market_day IN (0, 1)),
            place_id BLOB REFERENCES place (id),
            latitude REAL NOT NULL CHECK (latitude BETWEEN -90 AND 90),
            longitude REAL NOT NULL CHECK (longitude BETWEEN -180 AND 180),
            category TEXT,
            region TEXT,
            promise_id BLOB REFERENCES promise (id),
            outcome TEXT,
            rank INTEGER,
            audience TEXT NOT NULL CHECK (audience IN ('private', 'companions', 'friends')),
            version INTEGER NOT NULL CHECK (version > 0),
            kind TEXT NOT NULL,
            place_name TEXT NOT NULL,
            place_address TEXT NOT NULL,
            weather TEXT,
            emoji TEXT NOT NULL,
            title TEXT NOT NULL,
            memo TEXT NOT NULL,
            CHECK ((promise_id IS NULL) = (outcome IS NULL)),
            CHECK ((promise_id IS NULL) = (rank IS NULL))
        ) STRICT;
        CREATE INDEX visit_by_time ON visit (user_id, at, id);
        CREATE INDEX visit_shared ON visit (user_id, at, id) WHERE audience <> 'private';
        CREATE INDEX visit_by_place ON visit (place_id, user_id) WHERE place_id IS NOT NULL;
        CREATE UNIQUE INDEX visit_by_promise ON visit (promise_id, user_id) WHERE promise_id IS NOT NULL;

        -- position: the place in the user's order, from 1; the same in `companion`.
        CREATE TABLE visit_photo (
            visit_id BLOB NOT NULL REFERENCES visit (id) ON DELETE CASCADE,
            position INTEGER NOT NULL CHECK (position > 0),
            file_id BLOB NOT NULL REFERENCES file (id),
            caption TEXT NOT NULL,
            PRIMARY KEY (visit_id, position)
        ) STRICT, WITHOUT ROWID;
        CREATE UNIQUE INDEX visit_photo_by_file ON visit_photo (file_id);

        CREATE TABLE companion (
            visit_id BLOB NOT NULL REFERENCES visit (id) ON DELETE CASCADE,
            position INTEGER NOT NULL CHECK (position > 0),
            user_id BLOB REFERENCES user (id),
            name TEXT,
            PRIMARY KEY (visit_id, position),
            CHECK ((user_id IS NULL) <> (name IS NULL))
        ) STRICT, WITHOUT ROWID;

        -- Without a deleted visit's mark the promise would make the visit again. visit_id: the id that it had.
        CREATE TABLE visit_mark (
            user_id BLOB NOT NULL REFERENCES user (id) ON DELETE CASCADE,
            promise_id BLOB NOT NULL REFERENCES promise (id),
            visit_id BLOB NOT NULL CHECK (length(visit_id) = 16),
            PRIMARY KEY (user_id, promise_id)
        ) STRICT, WITHOUT ROWID;

        -- The dates of badges that deleted visits earned, or might have.
        CREATE TABLE visit_badge (
            user_id BLOB NOT NULL REFERENCES user (id) ON DELETE CASCADE,
            badge TEXT NOT NULL,
            earned_at INTEGER NOT NULL,
            PRIMARY KEY (user_id, badge)
        ) STRICT, WITHOUT ROWID;

        ALTER TABLE user ADD COLUMN visits_from_arrivals INTEGER NOT NULL DEFAULT 1
            CHECK (visits_from_arrivals IN (0, 1));
        """

    /// The columns that list filters and statistics read, in one index: a row of 10 KB is read only to be shown.
    ///
    /// The column and index of companions summarise up to twenty rows per visit.
    static let visitColumns = """
        -- is_together: 1 for a visit from an arrival with a companion.
        ALTER TABLE visit ADD COLUMN is_together INTEGER NOT NULL DEFAULT 0 CHECK (is_together IN (0, 1));
        UPDATE visit SET is_together = 1
            WHERE promise_id IS NOT NULL AND EXISTS (SELECT 1 FROM companion WHERE visit_id = visit.id);
        CREATE INDEX companion_by_user ON companion (user_id, visit_id) WHERE user_id IS NOT NULL;
        DROP INDEX visit_shared;
        DROP INDEX visit_by_time;
        CREATE INDEX visit_by_time ON visit (
            user_id, at, id, local_date, place_id, latitude, longitude, category, region, kind, audience, outcome,
            is_market_day, is_together
        );
        """

    /// The mark of arrivals that are based on simulated positions, in results and in the visits that they create.
    static let mockPositions = """
        ALTER TABLE result_row ADD COLUMN is_mock INTEGER NOT NULL DEFAULT 0 CHECK (is_mock IN (0, 1));
        ALTER TABLE visit ADD COLUMN is_mock INTEGER NOT NULL DEFAULT 0 CHECK (is_mock IN (0, 1));
        CREATE INDEX visit_mock ON visit (user_id, id) WHERE is_mock = 1;
        """
}
