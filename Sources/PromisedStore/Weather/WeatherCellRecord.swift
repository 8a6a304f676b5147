internal import Foundation
internal import PromisedDomain
internal import PromisedPlaces

/// The rows of `weather_cell`.
enum WeatherCellRecord {
    /// The row of a cell. Primary key.
    static let fetch = "SELECT * FROM weather_cell WHERE source = ? AND cell = ?"

    /// Deletes records fetched before an instant. Index `weather_cell_by_age`.
    static let sweep = "DELETE FROM weather_cell WHERE fetched_at < ?"

    static func record(_ row: SQLRow) throws -> WeatherRecord {
        guard let cell = WeatherCell(text: try row.value("cell")) else {
            throw StoreError.damaged("An unknown cell of the weather")
        }
        let (hours, air): (Data, Data) = (try row.value("hours"), try row.value("air"))
        return WeatherRecord(
            cell: cell,
            source: try row.raw("source"),
            fetchedAt: try row.value("fetched_at"),
            expiresAt: try row.value("expires_at"),
            hours: try WeatherCoding.hours([UInt8](hours)),
            air: try WeatherCoding.air([UInt8](air)),
            forecastModified: try row.value("forecast_modified"),
            airModified: try row.value("air_modified")
        )
    }

    /// Writes a record, unless the stored one was fetched later.
    static func put(_ record: WeatherRecord, into db: SQLConnection) throws {
        try db.run(
            """
            INSERT INTO weather_cell
                (source, cell, fetched_at, expires_at, hours, air, forecast_modified, air_modified)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (source, cell) DO UPDATE SET fetched_at = excluded.fetched_at, expires_at = excluded.expires_at,
                hours = excluded.hours, air = excluded.air, forecast_modified = excluded.forecast_modified,
                air_modified = excluded.air_modified
            WHERE excluded.fetched_at >= fetched_at
            """,
            [
                record.source.rawValue, record.cell.text, record.fetchedAt, record.expiresAt,
                Data(WeatherCoding.encode(record.hours)), Data(WeatherCoding.encode(record.air)),
                record.forecastModified, record.airModified,
            ]
        )
    }
}
