internal import PromisedDomain
internal import PromisedPlaces

/// A row of `place_source`.
struct PlaceSourceRecord {
    /// The number by which places refer to it.
    var number: Int64
    var source: PlaceSource
    /// How many of its places are in the directory.
    var placeCount: Int

    init(_ row: SQLRow) throws {
        number = try row.value("id")
        placeCount = try row.value("places")
        source = PlaceSource(
            name: try row.value("name"),
            title: try row.value("title"),
            publisher: try row.value("publisher"),
            licence: try row.value("licence"),
            url: try row.value("url"),
            date: try row.value("date"),
            timeZone: try row.value("time_zone")
        )
    }

    /// A source by name, removed or not; nil if there is none. Unique index on the name.
    static func fetch(_ name: String, from db: SQLConnection) throws -> PlaceSourceRecord? {
        try db.row("SELECT * FROM place_source WHERE name = ?", [name]).map(PlaceSourceRecord.init)
    }

    /// The number of a source in the directory; nil if it does not exist or was removed. Unique index on the name.
    static func present(_ name: String, in db: SQLConnection) throws -> Int64? {
        try db.row("SELECT id FROM place_source WHERE name = ? AND removed_at IS NULL", [name])?.value("id")
    }

    /// All sources, removed ones included, by their numbers. There are few.
    static func all(from db: SQLConnection) throws -> [Int64: PlaceSource] {
        let records = try db.rows("SELECT * FROM place_source").map(PlaceSourceRecord.init)
        return Dictionary(uniqueKeysWithValues: records.map { ($0.number, $0.source) })
    }

    /// Adds a source or replaces its fields; restores a removed one.
    static func save(_ source: PlaceSource, in db: SQLConnection) throws {
        try db.run(
            """
            INSERT INTO place_source (name, title, publisher, licence, url, date, time_zone)
            VALUES (:name, :title, :publisher, :licence, :url, :date, :timeZone)
            ON CONFLICT (name) DO UPDATE SET title = :title, publisher = :publisher, licence = :licence, url = :url,
                date = :date, time_zone = :timeZone, removed_at = NULL
            """,
            named: [
                "name": source.name, "title": source.title, "publisher": source.publisher, "licence": source.licence,
                "url": source.url, "date": source.date, "timeZone": source.timeZone,
            ]
        )
    }

    /// Changes the number of the source's places in the directory by `change`. Primary key.
    static func count(_ change: Int, of number: Int64, in db: SQLConnection) throws {
        if change != 0 { try db.run("UPDATE place_source SET places = places + ? WHERE id = ?", [change, number]) }
    }
}
