import Foundation
import PromisedDomain
import PromisedPlaces
internal import PromisedSettings
import PromisedSimulation
import PromisedStore

/// Invented places around the demo's meetup, and a recorded forecast, so that no other host is needed.
struct DemoSurroundings: Sendable {
    let centre: Coordinate
    let meetsAt: Instant

    /// Writes places and forecast into the data directory of a server that is not running yet.
    ///
    /// - Parameter settings: provide the data directory; receive the folder of the forecast.
    /// - Throws: `StoreError`; errors of the file system.
    func prepare(_ settings: inout ServerSettings) async throws {
        try await writePlaces(into: settings.dataDirectory, at: settings.clock.start ?? meetsAt)
        let folder = settings.dataDirectory + "/weather"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        for (name, hourly) in [("forecast", Self.forecast), ("air", Self.air)] {
            // The format of Open-Meteo's replies.
            let data = try JSONEncoder().encode(["hourly": hourly])
            try data.write(to: URL(filePath: "\(folder)/\(name).json"))
        }
        settings.weather.providers = [.recorded]
        settings.weather.addresses = [WeatherAddress(recordedIn: folder)]
    }

    private func writePlaces(into directory: String, at now: Instant) async throws {
        var places = DemoPlaces(around: DemoPlaces.Meetup(centre: centre, meetsAt: meetsAt), seed: 20)
        let rows = places.make(at: now).map { ImportedPlace($0) }
        let store = try await Store.open(directory: directory)
        // After an error, the directory is removed while files are open.
        try await store.places.putSource(places.source)
        _ = try await store.places.putPlaces(rows, source: places.source.name, at: now)
        try await store.close()
    }

    // MARK: - The forecast

    /// One evening and the following day. The first hour is the one in which the demo starts: it rains at the meeting
    /// time.
    private static let forecast: [String: [Double]] = [
        "time": times,
        "weather_code": [3, 61, 61, 61, 51, 3, 3, 2, 2, 1, 0, 0, 0, 45, 45, 1, 0, 0, 1, 2, 2, 3, 3, 3],
        "temperature_2m": [
            9.4, 8.8, 8.1, 7.6, 7.2, 6.9, 6.5, 6.0, 5.6, 5.1, 4.7, 4.4,
            4.2, 4.1, 4.6, 6.0, 7.8, 9.5, 10.9, 11.8, 12.1, 11.6, 10.8, 10.0,
        ],
        "apparent_temperature": [
            7.5, 6.6, 5.7, 5.2, 4.9, 4.7, 4.3, 3.9, 3.5, 3.0, 2.6, 2.3,
            2.1, 2.0, 2.6, 4.3, 6.4, 8.3, 9.8, 10.8, 11.1, 10.5, 9.5, 8.5,
        ],
        "precipitation_probability": [30, 75, 85, 80, 60, 30, 15, 10] + Array(repeating: 5, count: 16),
        "precipitation": [0, 0.9, 1.8, 1.2, 0.3] + Array(repeating: 0, count: 19),
        "snowfall": Array(repeating: 0, count: 24),
        "wind_speed_10m": [3.1, 3.6, 4.2, 4.0, 3.4, 2.9] + Array(repeating: 2.2, count: 18),
        "wind_gusts_10m": [6.0, 7.4, 8.3, 7.9, 6.5, 5.2] + Array(repeating: 4.1, count: 18),
        "relative_humidity_2m": [71, 84, 90, 91, 88, 83] + Array(repeating: 74, count: 18),
    ]

    private static let air: [String: [Double]] = [
        "time": times,
        "pm10": Array(repeating: 27, count: 24),
        "pm2_5": Array(repeating: 14, count: 24),
    ]

    /// The recording's hours in seconds; the server shifts them to its clock.
    private static let times = (0..<24).map { Double($0 * 3_600) }
}
