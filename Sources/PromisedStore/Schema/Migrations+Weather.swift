extension Migrations {
    /// Forecasts, the state for fetching them, and the promises whose participants were warned.
    ///
    /// All rows refer to cells of a grid, except those of `weather_turn`, which contain no weather. The hours are
    /// encoded by `WeatherCoding`.
    static let weather = """
        CREATE TABLE weather_cell (
            source TEXT NOT NULL,
            cell TEXT NOT NULL,
            fetched_at INTEGER NOT NULL,
            expires_at INTEGER,
            hours BLOB NOT NULL,
            air BLOB NOT NULL,
            forecast_modified TEXT,
            air_modified TEXT,
            PRIMARY KEY (source, cell)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX weather_cell_by_age ON weather_cell (fetched_at);

        -- The fetches under way. holder: the node that asks the provider.
        CREATE TABLE weather_claim (
            source TEXT NOT NULL,
            cell TEXT NOT NULL,
            holder BLOB NOT NULL CHECK (length(holder) = 16),
            ends_at INTEGER NOT NULL,
            PRIMARY KEY (source, cell)
        ) STRICT, WITHOUT ROWID;

        -- day: days since 1970-01-01 in UTC.
        CREATE TABLE weather_request (
            day INTEGER PRIMARY KEY NOT NULL,
            count INTEGER NOT NULL CHECK (count > 0)
        ) STRICT;

        CREATE TABLE weather_turn (
            promise_id BLOB PRIMARY KEY NOT NULL REFERENCES promise (id) ON DELETE CASCADE,
            at INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        """
}
