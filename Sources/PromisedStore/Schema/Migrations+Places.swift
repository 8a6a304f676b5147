extension Migrations {
    /// The directory of places, the users' favourites, and the places of promises.
    ///
    /// Rows of `place` are in order of insertion, so that an import appends to the table and building the directory's
    /// index reads it sequentially; the columns that the index needs come first. `categories` are separated by blanks;
    /// `names` and `facts` have one line `key=value` each. A place with `removed_at` is no longer in the directory.
    /// `revision` is the version of the directory that inserted or last changed the row.
    ///
    /// Request keys refer to the created item, whatever its kind.
    static let places = """
        -- places: how many places of it are in the directory.
        CREATE TABLE place_source (
            id INTEGER PRIMARY KEY,
            name TEXT NOT NULL UNIQUE,
            title TEXT NOT NULL,
            publisher TEXT NOT NULL,
            licence TEXT NOT NULL,
            url TEXT NOT NULL,
            date TEXT NOT NULL,
            time_zone TEXT NOT NULL,
            places INTEGER NOT NULL DEFAULT 0 CHECK (places >= 0),
            removed_at INTEGER
        ) STRICT;

        CREATE TABLE place (
            number INTEGER PRIMARY KEY,
            id BLOB NOT NULL CHECK (length(id) = 16),
            source_id INTEGER NOT NULL REFERENCES place_source (id),
            revision INTEGER NOT NULL,
            removed_at INTEGER,
            latitude REAL NOT NULL CHECK (latitude BETWEEN -90 AND 90),
            longitude REAL NOT NULL CHECK (longitude BETWEEN -180 AND 180),
            categories TEXT NOT NULL CHECK (categories <> ''),
            region TEXT,
            hours TEXT NOT NULL,
            name TEXT NOT NULL,
            address TEXT NOT NULL,
            names TEXT NOT NULL,
            ref TEXT NOT NULL,
            phone TEXT NOT NULL,
            website TEXT NOT NULL,
            social TEXT NOT NULL,
            facts TEXT NOT NULL,
            updated_at INTEGER NOT NULL
        ) STRICT;
        CREATE UNIQUE INDEX place_by_id ON place (id);
        CREATE UNIQUE INDEX place_by_ref ON place (source_id, ref);
        CREATE INDEX place_by_removal ON place (removed_at) WHERE removed_at IS NOT NULL;

        CREATE TABLE favourite (
            id BLOB PRIMARY KEY NOT NULL CHECK (length(id) = 16),
            user_id BLOB NOT NULL REFERENCES user (id) ON DELETE CASCADE,
            label TEXT NOT NULL,
            place_id BLOB REFERENCES place (id),
            place_name TEXT NOT NULL,
            place_address TEXT NOT NULL,
            latitude REAL NOT NULL CHECK (latitude BETWEEN -90 AND 90),
            longitude REAL NOT NULL CHECK (longitude BETWEEN -180 AND 180),
            created_at INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX favourite_by_user ON favourite (user_id, created_at, id);
        CREATE UNIQUE INDEX favourite_by_place ON favourite (place_id, user_id) WHERE place_id IS NOT NULL;

        ALTER TABLE promise ADD COLUMN place_id BLOB REFERENCES place (id);
        CREATE INDEX promise_by_place ON promise (place_id) WHERE place_id IS NOT NULL;

        ALTER TABLE idempotency_key RENAME TO promise_key;
        DROP INDEX idempotency_key_by_promise;
        DROP INDEX idempotency_key_by_age;
        CREATE TABLE idempotency_key (
            owner_id BLOB NOT NULL REFERENCES user (id) ON DELETE CASCADE,
            key TEXT NOT NULL,
            kind TEXT NOT NULL,
            subject_id BLOB NOT NULL CHECK (length(subject_id) = 16),
            content_hash BLOB NOT NULL,
            created_at INTEGER NOT NULL,
            PRIMARY KEY (owner_id, key)
        ) STRICT, WITHOUT ROWID;
        INSERT INTO idempotency_key (owner_id, key, kind, subject_id, content_hash, created_at)
            SELECT owner_id, key, 'promise', promise_id, content_hash, created_at FROM promise_key;
        DROP TABLE promise_key;
        CREATE INDEX idempotency_key_by_age ON idempotency_key (created_at);
        """
}
